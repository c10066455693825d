package kind

import (
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
)

// inOLE returns which document a compound file (MS-CFB) is, by the streams and storages in its
// root: those of embedded documents lie deeper. Of a file with several kinds of them, or with
// none that is known, the extension decides.
func inOLE(head []byte, file io.ReaderAt, ext string) Kind {
	names := rootNames(head, file)
	first := Kind{Binary, oleMIME}
	for _, s := range [...]struct{ name, ext, mime string }{
		{"encryptedpackage", "", EncryptedMIME}, // first: the file has the extension of the document that is encrypted
		{"workbook", ".xls", ExcelMIME},
		{"book", ".xls", ExcelMIME}, // before Excel 97
		{"worddocument", ".doc", "application/msword"},
		{"powerpoint document", ".ppt", PowerPointMIME},
		{"pp97_dualstorage", ".ppt", PowerPointMIME}, // what PowerPoint 95 and 97 read, one beside the other
		{"pp40", ".ppt", PowerPointMIME},             // PowerPoint 95
		{"__properties_version1.0", ".msg", OutlookMIME},
		{"visiodocument", ".vsd", VisioMIME},
		{"quill", ".pub", PublisherMIME},
	} {
		if !slices.Contains(names, s.name) {
			continue
		}
		k := Kind{Document, s.mime}
		if s.mime == EncryptedMIME || s.ext == ext {
			return k
		}
		if first.Class == Binary {
			first = k
		}
	}
	if first.Class == Binary {
		switch ext { // a damaged file, whose reader says so
		case ".xls":
			return Kind{Document, ExcelMIME}
		case ".doc":
			return Kind{Document, "application/msword"}
		case ".ppt":
			return Kind{Document, PowerPointMIME}
		case ".msg":
			return Kind{Document, OutlookMIME}
		}
	}
	return first
}

// Limits of what is looked at in the directory of a compound file.
const (
	maxRootEntries = 4096
	maxChain       = 1 << 14 // sectors of the directory
)

// Places in a compound file: MS-CFB 2.2 and 2.6.1.
const (
	shiftAt, directoryAt, tableAt = 30, 48, 76
	entrySize, nameLengthAt       = 128, 64
	typeAt, leftAt, rightAt       = 66, 68, 72
	childAt                       = 76
	rootType                      = 5
)

// directory is the directory of a compound file.
type directory struct {
	file    io.ReaderAt
	shift   uint
	sectors []uint32
}

// rootNames returns the names of what is in the root of a compound file, in small letters. Of
// one whose directory is damaged it returns all names that follow the directory's beginning.
func rootNames(head []byte, file io.ReaderAt) []string {
	if len(head) < 512 || file == nil {
		return nil
	}
	d := directory{file: file, shift: uint(min(binary.LittleEndian.Uint16(head[shiftAt:]), 12))}
	d.follow(head, binary.LittleEndian.Uint32(head[directoryAt:]))
	root := d.entry(0)
	if root == nil || root[typeAt] != rootType {
		return d.all()
	}
	var names []string
	seen := map[uint32]bool{}
	open := []uint32{binary.LittleEndian.Uint32(root[childAt:])}
	for len(open) > 0 && len(seen) < maxRootEntries {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		e := d.entry(id)
		if e == nil || seen[id] {
			continue
		}
		seen[id] = true
		names = append(names, nameOf(e))
		open = append(open, binary.LittleEndian.Uint32(e[leftAt:]), binary.LittleEndian.Uint32(e[rightAt:]))
	}
	if len(names) == 0 {
		return d.all()
	}
	return names
}

// follow collects the sectors of the directory, by those parts of the sector table that the
// header names; it is in one piece in most files.
func (d *directory) follow(head []byte, first uint32) {
	perSector := uint32(1) << d.shift / 4
	for sector := first; len(d.sectors) < maxChain; {
		d.sectors = append(d.sectors, sector)
		at := tableAt + 4*int(sector/max(perSector, 1))
		if sector >= 0xFFFFFFFA || at+4 > 512 {
			return
		}
		var next [4]byte
		table := int64(binary.LittleEndian.Uint32(head[at:]))
		if _, err := d.file.ReadAt(next[:], (table+1)<<d.shift+int64(sector%perSector)*4); err != nil {
			return
		}
		sector = binary.LittleEndian.Uint32(next[:])
		if sector >= 0xFFFFFFFA {
			return
		}
	}
}

// entry returns an entry by its number; nil if there is none.
func (d *directory) entry(id uint32) []byte {
	perSector := uint32(1) << d.shift / entrySize
	if perSector == 0 || int64(id/perSector) >= int64(len(d.sectors)) {
		return nil
	}
	e := make([]byte, entrySize)
	if _, err := d.file.ReadAt(e, (int64(d.sectors[id/perSector])+1)<<d.shift+int64(id%perSector)*entrySize); err != nil {
		return nil
	}
	return e
}

// all returns the names of entries that lie one behind the other.
func (d *directory) all() (names []string) {
	const enough = 64 * entrySize
	list := make([]byte, enough)
	n, _ := d.file.ReadAt(list, (int64(d.sectors[0])+1)<<d.shift) // what is not there has no names
	for ; n >= entrySize; n, list = n-entrySize, list[entrySize:] {
		if name := nameOf(list); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// nameOf returns the name of an entry in small letters.
func nameOf(e []byte) string {
	length := int(binary.LittleEndian.Uint16(e[nameLengthAt:]))
	if length < 2 || length > nameLengthAt {
		return ""
	}
	units := make([]uint16, length/2-1)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(e[2*i:])
	}
	return strings.ToLower(string(utf16.Decode(units)))
}
