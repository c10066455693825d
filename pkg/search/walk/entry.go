// Package walk goes through directory trees below a root, in parallel, in a
// stable order, and past what ignore rules exclude. It does not look into files
// other than ignore files.
package walk

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Type is what an entry is.
type Type uint8

// The types. Links are never followed.
const (
	Unknown Type = iota
	File
	Dir
	Symlink
	Other // device, pipe or socket
)

// Entry is one name in a directory.
type Entry struct {
	// full is the path from the root and a NUL, so that the name can be handed
	// to the kernel as it stands.
	full string
	base int32 // where the name starts
	Type Type
	// Ignored says that ignore rules exclude it; see [Filter.Closed].
	Ignored bool
}

// Path is the path from the root, with slashes.
func (e Entry) Path() string { return e.full[:len(e.full)-1] }

// Name is the last component of the path.
func (e Entry) Name() string { return e.full[e.base : len(e.full)-1] }

// IsZero reports whether e is no entry at all.
func (e Entry) IsZero() bool { return e.full == "" }

// Info is what the file system says about a file.
type Info struct {
	Type     Type
	Size     int64 // bytes
	Modified time.Time
}

// arena collects the entries of one directory; all their paths are one string.
type arena struct {
	text    []byte
	entries []pending
}

type pending struct {
	start, base, end int
	kind             Type
}

func (a *arena) reset() { a.text, a.entries = a.text[:0], a.entries[:0] }

// add appends the entry prefix + name; prefix is empty or ends in a slash.
func (a *arena) add(prefix string, name []byte, kind Type) {
	start := len(a.text)
	a.text = append(a.text, prefix...)
	a.text = append(a.text, name...)
	a.text = append(a.text, 0)
	a.entries = append(a.entries, pending{start, len(prefix), len(a.text), kind})
}

func (a *arena) list(into []Entry) []Entry {
	text := string(a.text)
	into = slices.Grow(into[:0], len(a.entries))
	for _, p := range a.entries {
		into = append(into, Entry{full: text[p.start:p.end], base: int32(p.base), Type: p.kind})
	}
	return into
}

// byName orders files of one directory. The NUL at the end sorts first, as the
// end of a string does.
func byName(a, b Entry) int { return strings.Compare(a.full[a.base:], b.full[b.base:]) }

// asDirs orders directories of one directory as the paths below them compare:
// "a-b/x" stands before "a/x".
func asDirs(a, b Entry) int { return compareDirs(a.Name(), b.Name()) }

func compareDirs(a, b string) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	return cmp.Compare(slashAt(a, n), slashAt(b, n))
}

// slashAt is the byte at i of s + "/", and past its end one that is less.
func slashAt(s string, i int) int {
	switch {
	case i < len(s):
		return int(s[i])
	case i == len(s):
		return '/'
	}
	return -1
}
