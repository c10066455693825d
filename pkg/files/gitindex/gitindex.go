// Package gitindex reads the index of a git repository: which files are tracked, the
// objects that hold their content, and what the system said about each file when git
// last compared the two. The format is in gitformat-index(5).
package gitindex

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// OID is the name of an object: the SHA-1 of its kind, size and bytes.
type OID [20]byte

func (o OID) String() string { return hex.EncodeToString(o[:]) }

// Entry is one tracked file. The system's values are cut to 32 bits.
type Entry struct {
	Path  string // from the top of the working tree, with slashes
	OID   OID
	Mode  uint32 // 0o100644, 0o100755, 0o120000 of a link, 0o160000 of a submodule
	Stage uint8  // 0, or which side of a conflict
	// Absent says that git does not expect the file in the working tree.
	Absent bool
	// Assumed says that git takes the file for unchanged without looking, Intended that
	// it is to be added and has no content yet.
	Assumed, Intended bool

	Modified, Changed int64 // in nanoseconds since 1970
	Device, Inode     uint32
	Size              uint32 // of the file, in bytes
}

// Index is the content of an index file.
type Index struct {
	Entries []Entry // by path, then by stage
}

// Errors of an index that cannot be used. Split is also that of a sparse index: its
// entries are not all in the file.
var (
	ErrDamaged = errors.New("not an index of git, or a damaged one")
	ErrSplit   = errors.New("an index that is not complete in itself")
)

const (
	headerLen = 12
	fixedLen  = 62 // of an entry without its path
	sumLen    = 20
)

// Parse reads the content of an index file of version 2, 3 or 4 of a repository whose
// objects are named by SHA-1.
func Parse(data []byte) (*Index, error) {
	if len(data) < headerLen+sumLen || string(data[:4]) != "DIRC" {
		return nil, ErrDamaged
	}
	version := binary.BigEndian.Uint32(data[4:])
	count := int(binary.BigEndian.Uint32(data[8:]))
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("%w: version %d", ErrDamaged, version)
	}
	rest := data[headerLen : len(data)-sumLen]
	if count > len(rest)/(fixedLen+1) {
		return nil, fmt.Errorf("%w: %d entries", ErrDamaged, count)
	}
	p := parser{text: string(rest), version: version}
	x := &Index{Entries: make([]Entry, 0, count)}
	for range count {
		e, err := p.entry(rest[p.at:])
		if err != nil {
			return nil, err
		}
		x.Entries = append(x.Entries, e)
	}
	if !slices.IsSortedFunc(x.Entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Stage, b.Stage))
	}) {
		return nil, fmt.Errorf("%w: not in order", ErrDamaged)
	}
	return x, p.extensions(rest[p.at:])
}

// parser reads one index after another entry. Paths are parts of text, so that they
// need no memory of their own.
type parser struct {
	text    string // everything after the header
	at      int
	version uint32
	last    string // the path before, of which version 4 stores only the difference
}

// entry reads the entry at the start of data, which is the rest of text.
func (p *parser) entry(data []byte) (Entry, error) {
	if len(data) < fixedLen+1 {
		return Entry{}, ErrDamaged
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(data[4*i:]) }
	nano := func(i int) int64 { return int64(word(i))*1e9 + int64(word(i+1)) }
	e := Entry{
		Changed: nano(0), Modified: nano(2), Device: word(4), Inode: word(5), Mode: word(6), Size: word(9),
	}
	copy(e.OID[:], data[40:60])
	flags := binary.BigEndian.Uint16(data[60:])
	e.Stage = uint8(flags >> 12 & 3)
	head := fixedLen
	const assumed, extended, skipWorktree, intended = 0x8000, 0x4000, 0x4000, 0x2000
	e.Assumed = flags&assumed != 0
	if flags&extended != 0 {
		if p.version < 3 || len(data) < head+3 {
			return Entry{}, ErrDamaged
		}
		more := binary.BigEndian.Uint16(data[head:])
		e.Absent, e.Intended = more&skipWorktree != 0, more&intended != 0
		head += 2
	}
	kept := 0 // bytes of the path before that this one begins with
	if p.version == 4 {
		drop, n := offset(data[head:])
		if n == 0 || drop > len(p.last) {
			return Entry{}, ErrDamaged
		}
		head += n
		kept = len(p.last) - drop
	}
	length := bytes.IndexByte(data[head:], 0)
	if length < 0 {
		return Entry{}, ErrDamaged
	}
	e.Path = p.text[p.at+head : p.at+head+length]
	size := head + length + 1
	if p.version == 4 {
		e.Path = p.last[:kept] + e.Path
	} else {
		size = (head + length + 8) &^ 7
	}
	switch {
	case size > len(data):
		return Entry{}, ErrDamaged
	case e.Path == "":
		return Entry{}, fmt.Errorf("%w: an entry without a path", ErrSplit) // it replaces one of the shared index
	}
	p.last = e.Path
	p.at += size
	return e, nil
}

// offset reads a number in the encoding of pack files and returns how many bytes it
// takes; 0 if it is too large or cut off.
func offset(data []byte) (value, n int) {
	for n < len(data) && n < 4 {
		c := data[n]
		if n > 0 {
			value++
		}
		value = value<<7 | int(c&0x7f)
		n++
		if c&0x80 == 0 {
			return value, n
		}
	}
	return 0, 0
}

// extensions skips what follows the entries. A name in lower case says that the
// entries cannot be understood without it.
func (p *parser) extensions(data []byte) error {
	for len(data) > 0 {
		if len(data) < 8 {
			return ErrDamaged
		}
		size := binary.BigEndian.Uint32(data[4:])
		if c := data[0]; c < 'A' || c > 'Z' {
			return fmt.Errorf("%w: extension %q", ErrSplit, data[:4])
		}
		if uint64(size) > uint64(len(data)-8) {
			return ErrDamaged
		}
		data = data[8+size:]
	}
	return nil
}

// Meaning returns a hash, 64 hex digits, of what an index tracks. The file system's data
// about the files do not count: git status renews them.
func (x *Index) Meaning() string {
	h := sha256.New()
	for i := range x.Entries {
		e := &x.Entries[i]
		_, _ = fmt.Fprintf(h, "%s\x00%s %o %d %t %t %t\n", e.Path, e.OID, e.Mode, e.Stage, e.Absent, e.Assumed, e.Intended)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Find returns the entry of a path that is not in conflict.
func (x *Index) Find(path string) (*Entry, bool) {
	i := x.search(path)
	if i == len(x.Entries) || x.Entries[i].Path != path || x.Entries[i].Stage != 0 {
		return nil, false
	}
	return &x.Entries[i], true
}

// Cursor finds the entries of paths that are asked for in order, most of which are in the
// index. Others take it longer.
type Cursor struct {
	x    *Index
	next int
}

// Cursor returns a cursor at the beginning.
func (x *Index) Cursor() Cursor { return Cursor{x: x} }

// Find is [Index.Find].
func (c *Cursor) Find(path string) (*Entry, bool) {
	if c.next < len(c.x.Entries) && c.x.Entries[c.next].Path != path {
		c.next = c.x.search(path)
	}
	if c.next == len(c.x.Entries) {
		return c.x.Find(path)
	}
	if e := &c.x.Entries[c.next]; e.Path == path && e.Stage == 0 {
		c.next++
		return e, true
	}
	return nil, false
}

// Below reports whether a file below a directory is tracked.
func (x *Index) Below(dir string) bool {
	i := x.search(dir + "/")
	return i < len(x.Entries) && strings.HasPrefix(x.Entries[i].Path, dir+"/")
}

func (x *Index) search(path string) int {
	i, _ := slices.BinarySearchFunc(x.Entries, path, func(e Entry, path string) int { return strings.Compare(e.Path, path) })
	return i
}
