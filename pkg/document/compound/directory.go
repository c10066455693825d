package compound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
)

const (
	entrySize  = 128
	maxEntries = 1 << 16
	maxDepth   = 16 // of storages in storages
)

// Types of directory entries (MS-CFB 2.6.1).
const (
	typeStorage = 1
	typeStream  = 2
	typeRoot    = 5
)

// A node is an entry of the directory as the file has it.
type node struct {
	*Entry
	kind               byte
	left, right, child uint32
}

// readDirectory reads the directory, whose first sector is start, and lists what
// its tree holds. The root's stream becomes the mini stream.
func (f *File) readDirectory(start uint32) error {
	nodes, err := f.nodes(start)
	if err != nil {
		return err
	}
	if len(nodes) == 0 || nodes[0].kind != typeRoot {
		if start, err = f.findDirectory(); err != nil {
			return err
		}
		f.damaged = true
		if nodes, err = f.nodes(start); err != nil {
			return err
		}
		if len(nodes) == 0 {
			return truncated()
		}
	}
	root := nodes[0]
	f.list(nodes)
	c := f.chain(root.start, root.Size)
	f.mini.ReaderAt, f.mini.size = &c, c.size
	return nil
}

// nodes reads the entries of the directory at a sector.
func (f *File) nodes(start uint32) ([]node, error) {
	c := chain{from: f.file}
	c.follow(f.fat, start, f.sectors, maxEntries*entrySize, func(sector uint32) (int64, int64) {
		at := f.offset(sector)
		return at, min(1<<f.shift, f.size-at)
	})
	var nodes []node
	sector := make([]byte, 1<<f.shift)
	for at := int64(0); at < c.size; at += int64(len(sector)) {
		n, err := c.ReadAt(sector, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if at > 0 && !plausible(sector[:n]) {
			break // the chain ran into something else
		}
		for raw := sector[:n]; len(raw) >= entrySize; raw = raw[entrySize:] {
			nodes = append(nodes, f.node(raw[:entrySize]))
		}
	}
	return nodes, nil
}

// plausible reports whether a sector holds directory entries: none has a type
// that does not exist or a name that is too long.
func plausible(sector []byte) bool {
	for ; len(sector) >= entrySize; sector = sector[entrySize:] {
		if sector[66] > typeRoot || binary.LittleEndian.Uint16(sector[64:]) > 64 {
			return false
		}
	}
	return true
}

// node decodes a directory entry (MS-CFB 2.6.1).
func (f *File) node(raw []byte) node {
	size := binary.LittleEndian.Uint64(raw[120:])
	if f.shift == 9 {
		size &= 0xFFFFFFFF // old writers leave the upper half uninitialised
	}
	e := &Entry{
		Name:    entryName(raw),
		Storage: raw[66] == typeStorage,
		Size:    int64(min(size, uint64(f.size))),
		start:   binary.LittleEndian.Uint32(raw[116:]),
	}
	copy(e.ClassID[:], raw[80:96])
	if e.Storage {
		e.Size = 0
	}
	return node{
		Entry: e, kind: raw[66],
		left: binary.LittleEndian.Uint32(raw[68:]), right: binary.LittleEndian.Uint32(raw[72:]),
		child: binary.LittleEndian.Uint32(raw[76:]),
	}
}

// entryName decodes the name, at most 31 UTF-16 units and a final zero.
func entryName(raw []byte) string {
	length := min(int(binary.LittleEndian.Uint16(raw[64:])), 64) / 2
	units := make([]uint16, 0, 32)
	for i := range length {
		u := binary.LittleEndian.Uint16(raw[2*i:])
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}

// list walks the tree of the directory: a storage's children are a binary tree.
// Entries that no tree reaches come last, in the root: the tree is damaged.
func (f *File) list(nodes []node) {
	seen := make([]bool, len(nodes))
	seen[0] = true
	type step struct {
		id     uint32
		parent *Entry
		depth  int
		take   bool // the left branch is done
	}
	stack := []step{{id: nodes[0].child}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if int64(s.id) >= int64(len(nodes)) || seen[s.id] && !s.take {
			continue
		}
		n := nodes[s.id]
		if !s.take {
			seen[s.id] = true
			s.take = true
			stack = append(stack, s, step{id: n.left, parent: s.parent, depth: s.depth})
			continue
		}
		stack = append(stack, step{id: n.right, parent: s.parent, depth: s.depth})
		if n.kind != typeStorage && n.kind != typeStream {
			continue
		}
		n.parent = s.parent
		f.entries = append(f.entries, n.Entry)
		if n.kind == typeStorage && s.depth < maxDepth {
			stack = append(stack, step{id: n.child, parent: n.Entry, depth: s.depth + 1})
		}
	}
	for i, n := range nodes {
		if !seen[i] && (n.kind == typeStorage || n.kind == typeStream) && n.Name != "" {
			f.entries = append(f.entries, n.Entry)
			f.damaged = true
		}
	}
}

// findDirectory looks for the sector that begins with the root entry.
func (f *File) findDirectory() (uint32, error) {
	name := []byte("R\x00o\x00o\x00t\x00 \x00E\x00n\x00t\x00r\x00y\x00")
	const sectorsAtOnce = 64
	buf := make([]byte, sectorsAtOnce<<f.shift)
	for first := 0; first < f.sectors; first += sectorsAtOnce {
		n, err := f.file.ReadAt(buf, f.offset(uint32(first)))
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for i := 0; i+entrySize <= n; i += 1 << f.shift {
			if bytes.HasPrefix(buf[i:n], name) && buf[i+66] == typeRoot {
				return uint32(first + i>>f.shift), nil
			}
		}
	}
	return 0, truncated()
}

// readMini reads the table of the mini stream, no longer than that has sectors.
func (f *File) readMini(start uint32) error {
	sectors := (f.mini.size + 1<<miniShift - 1) >> miniShift
	if sectors == 0 {
		return nil
	}
	c := f.chain(start, min(sectors*4, int64(f.sectors)<<f.shift))
	table := make([]byte, c.size)
	if n, err := c.ReadAt(table, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	} else {
		table = table[:n]
	}
	f.mini.fat = make([]uint32, len(table)/4)
	for i := range f.mini.fat {
		f.mini.fat[i] = binary.LittleEndian.Uint32(table[4*i:])
	}
	return nil
}
