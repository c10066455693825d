// Package compoundtest writes compound files (MS-CFB) for tests of what reads them.
package compoundtest

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Stream is a stream with its path: names with slashes between them.
type Stream struct {
	Path string
	Data []byte
}

const (
	sector     = 512
	none       = 0xFFFFFFFF
	endOfChain = 0xFFFFFFFE
)

// entry is an entry of the directory.
type entry struct {
	name         string
	kind         byte
	right, child uint32
	start        uint32
	size         int
}

// Build returns a compound file of streams. All of them lie in whole sectors: its header says
// that none is too short for one.
func Build(streams ...Stream) []byte {
	entries := []entry{{name: "Root Entry", kind: 5, right: none, child: none, start: endOfChain}}
	places := map[string]int{"": 0}
	var body []byte
	var table []uint32
	write := func(data []byte) uint32 {
		if len(data) == 0 {
			return endOfChain
		}
		first := uint32(len(body) / sector)
		body = append(body, data...)
		body = append(body, make([]byte, (sector-len(data)%sector)%sector)...)
		for len(table) < len(body)/sector-1 {
			table = append(table, uint32(len(table)+1))
		}
		table = append(table, endOfChain)
		return first
	}
	add := func(parent int, e entry) int {
		e.right, e.child = none, none
		if at := entries[parent].child; at == none {
			entries[parent].child = uint32(len(entries))
		} else {
			for entries[at].right != none {
				at = entries[at].right
			}
			entries[at].right = uint32(len(entries))
		}
		entries = append(entries, e)
		return len(entries) - 1
	}
	for _, s := range streams {
		names := strings.Split(s.Path, "/")
		parent := 0
		for i, name := range names[:len(names)-1] {
			path := strings.Join(names[:i+1], "/")
			if _, known := places[path]; !known {
				places[path] = add(parent, entry{name: name, kind: 1})
			}
			parent = places[path]
		}
		add(parent, entry{name: names[len(names)-1], kind: 2, start: write(s.Data), size: len(s.Data)})
	}
	var directory bytes.Buffer
	for _, e := range entries {
		directory.Write(e.encode())
	}
	for directory.Len()%sector != 0 {
		directory.Write(make([]byte, 128))
	}
	directoryAt := write(directory.Bytes())
	return append(header(directoryAt, &table, len(body)/sector), append(body, encode(table)...)...)
}

// header returns the header, and appends to the table the sectors that it takes itself.
func header(directoryAt uint32, table *[]uint32, tableAt int) []byte {
	h := make([]byte, sector)
	copy(h, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	for at, v := range map[int]uint16{24: 0x3E, 26: 3, 28: 0xFFFE, 30: 9, 32: 6} {
		binary.LittleEndian.PutUint16(h[at:], v)
	}
	sectors := 0
	for len(*table)+sectors > sectors*sector/4 {
		sectors++
	}
	for range sectors {
		*table = append(*table, 0xFFFFFFFD)
	}
	for at, v := range map[int]uint32{44: uint32(sectors), 48: directoryAt, 56: 1, 60: endOfChain, 68: endOfChain} {
		binary.LittleEndian.PutUint32(h[at:], v)
	}
	for i := range 109 {
		v := uint32(none)
		if i < sectors {
			v = uint32(tableAt + i)
		}
		binary.LittleEndian.PutUint32(h[76+4*i:], v)
	}
	return h
}

// encode returns the sectors of a table.
func encode(table []uint32) []byte {
	var b []byte
	for _, v := range table {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	for len(b)%sector != 0 {
		b = append(b, 0xff)
	}
	return b
}

func (e *entry) encode() []byte {
	b := make([]byte, 128)
	units := utf16.Encode([]rune(e.name))
	for i, u := range units {
		binary.LittleEndian.PutUint16(b[2*i:], u)
	}
	binary.LittleEndian.PutUint16(b[64:], uint16(2*len(units)+2))
	b[66], b[67] = e.kind, 1
	for at, v := range map[int]uint32{68: none, 72: e.right, 76: e.child, 116: e.start, 120: uint32(e.size)} {
		binary.LittleEndian.PutUint32(b[at:], v)
	}
	return b
}
