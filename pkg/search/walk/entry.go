// Package walk lists directory trees below a root, in parallel and in a stable
// order. It leaves out what ignore rules exclude. It reads no files except ignore
// files.
package walk

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Type is the type of an entry.
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
	prefix string // the directory's path from the root with a slash; "" for the root
	name   string // with a NUL at its end, as the kernel expects it
	Type   Type
	// Ignored says that ignore rules exclude the entry; see [Filter.Closed].
	Ignored bool
}

// Path returns the path from the root, with slashes. Each call allocates it.
func (e Entry) Path() string { return e.prefix + e.Name() }

// Prefix returns the directory's path from the root with a slash; "" for the root.
func (e Entry) Prefix() string { return e.prefix }

// Compare orders entries by level and then by path.
func (e Entry) Compare(other Entry) int {
	if d := cmp.Compare(strings.Count(e.prefix, "/"), strings.Count(other.prefix, "/")); d != 0 || e.prefix == other.prefix && e.name == other.name {
		return d
	}
	same := 0
	for same < min(len(e.prefix), len(other.prefix)) && e.prefix[same] == other.prefix[same] {
		same++
	}
	a, b := e.prefix[same:], other.prefix[same:]
	switch {
	case a == "" && b == "":
		return strings.Compare(e.name, other.name)
	case a != "" && b != "":
		return strings.Compare(a, b)
	}
	return strings.Compare(a+e.name, b+other.name) // the name of one, a directory of the other
}

// Name returns the last component of the path.
func (e Entry) Name() string { return e.name[:len(e.name)-1] }

// Info describes a file: the result of lstat.
type Info struct {
	Type     Type
	Size     int64 // bytes
	Modified time.Time
}

// arena collects the entries of one directory; all their names are one string.
type arena struct {
	text    []byte
	entries []pending
}

type pending struct {
	start, end int32
	kind       Type
}

func (a *arena) reset() { a.text, a.entries = a.text[:0], a.entries[:0] }

func (a *arena) add(name []byte, kind Type) {
	start := len(a.text)
	a.text = append(append(a.text, name...), 0)
	a.entries = append(a.entries, pending{int32(start), int32(len(a.text)), kind})
}

// list returns the entries of the directory with a prefix.
func (a *arena) list(prefix string, into []Entry) []Entry {
	text := string(a.text)
	into = slices.Grow(into[:0], len(a.entries))
	for _, p := range a.entries {
		into = append(into, Entry{prefix: prefix, name: text[p.start:p.end], Type: p.kind})
	}
	return into
}

// byName orders the files of one directory. The NUL at the end of a name sorts
// before every other byte, as the end of a string does.
func byName(a, b Entry) int { return strings.Compare(a.name, b.name) }

// asDirs orders the directories of one directory like the paths below them:
// "a-b/x" comes before "a/x".
func asDirs(a, b Entry) int { return compareDirs(a.Name(), b.Name()) }

func compareDirs(a, b string) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	return cmp.Compare(slashAt(a, n), slashAt(b, n))
}

// slashAt returns the byte at i of s + "/", and after its end a smaller one.
func slashAt(s string, i int) int {
	switch {
	case i < len(s):
		return int(s[i])
	case i == len(s):
		return '/'
	}
	return -1
}
