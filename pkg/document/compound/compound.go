// Package compound reads compound files (MS-CFB): the container of .xls, .doc,
// .ppt and .msg, and of encrypted .xlsx, .docx and .pptx. A compound file is a
// small file system: storages are its directories and streams its files, kept in
// chains of sectors.
//
// Nothing in the file is trusted. A chain ends at its first repeated sector and is
// no longer than the file, a stream is no longer than what its chain holds, and a
// truncated file gives what is left of it. The package does not know what the
// streams mean.
package compound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Special values of the sector tables (MS-CFB 2.1).
const (
	maxSector  = 0xFFFFFFFA // the last number that is a sector's
	fatSector  = 0xFFFFFFFD
	endOfChain = 0xFFFFFFFE
	freeSector = 0xFFFFFFFF
)

const (
	headerSize    = 512
	headerDIFAT   = 109 // entries of the DIFAT that are in the header
	miniShift     = 6
	defaultCutoff = 4096 // shorter streams are in the mini stream
)

var signature = [8]byte{0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1}

// Is reports whether a file that begins with head is a compound file.
func Is(head []byte) bool { return bytes.HasPrefix(head, signature[:]) }

// File is an open compound file.
type File struct {
	file    io.ReaderAt
	size    int64
	shift   uint  // a sector has 1<<shift bytes: 512 or 4096
	sectors int   // how many the file has room for, the last perhaps partly
	cutoff  int64 // streams shorter than this are in the mini stream

	fat  []uint32
	mini miniStream

	entries []*Entry
	damaged bool
}

// miniStream holds the short streams, in sectors of 64 bytes.
type miniStream struct {
	io.ReaderAt
	size int64
	fat  []uint32
}

// Open reads the tables and the directory of a compound file of size bytes. It
// fails with bad_document where no directory can be found.
func Open(file io.ReaderAt, size int64) (*File, error) {
	var header [headerSize]byte
	n, err := file.ReadAt(header[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !Is(header[:n]) {
		return nil, fault.New(fault.BadDocument, fault.T("the file is not a compound file"))
	}
	if n < headerSize {
		return nil, truncated()
	}
	f := &File{file: file, size: size, cutoff: defaultCutoff}
	f.shift = sectorShift(&header)
	f.sectors = int((size - 1) >> f.shift) // the header takes one sector's room
	if cutoff := binary.LittleEndian.Uint32(header[56:]); cutoff > 0 && cutoff <= 1<<20 {
		f.cutoff = int64(cutoff)
	}
	if err := f.readFAT(&header); err != nil {
		return nil, err
	}
	if err := f.readDirectory(binary.LittleEndian.Uint32(header[48:])); err != nil {
		return nil, err
	}
	return f, f.readMini(binary.LittleEndian.Uint32(header[60:]))
}

// sectorShift returns 9 or 12, by the field and, where that is damaged, by the
// major version.
func sectorShift(header *[headerSize]byte) uint {
	switch shift := binary.LittleEndian.Uint16(header[30:]); {
	case shift == 9, shift == 12:
		return uint(shift)
	case binary.LittleEndian.Uint16(header[26:]) == 4:
		return 12
	}
	return 9
}

func truncated() error {
	return fault.New(fault.BadDocument, fault.T("the compound file is truncated: its directory is missing")).
		WithHint(fault.T("the download or copy was probably interrupted; get the file again"))
}

// Damaged reports whether the tables contradict each other or the file, so that
// streams may be incomplete.
func (f *File) Damaged() bool { return f.damaged }

// Entries returns the storages and streams in the order of the directory's tree,
// each storage before what it holds. The root is not among them.
func (f *File) Entries() []*Entry { return f.entries }

// Find returns the entry at a path such as "Workbook" or "ObjectPool/_1/Contents",
// or nil. Upper and lower case are the same.
func (f *File) Find(path string) *Entry {
	for _, e := range f.entries {
		if e.at(path) {
			return e
		}
	}
	return nil
}

// Open returns the content of the stream at a path. It fails with
// [fs.ErrNotExist] if there is none.
func (f *File) Open(path string) (*io.SectionReader, error) {
	e := f.Find(path)
	if e == nil || e.Storage {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return f.Stream(e), nil
}

// Stream returns the content of a stream, which is shorter than the entry claims
// where its chain is.
func (f *File) Stream(e *Entry) *io.SectionReader {
	var c chain
	if e.Size < f.cutoff {
		c = f.miniChain(e.start, e.Size)
	} else {
		c = f.chain(e.start, e.Size)
	}
	return io.NewSectionReader(&c, 0, c.size)
}

// Entry is a stream or a storage of a compound file.
type Entry struct {
	Name    string
	Storage bool
	Size    int64 // in bytes, as the directory claims it; 0 for a storage
	ClassID [16]byte

	start  uint32
	parent *Entry // nil in the root
}

// Path returns the names from the root to the entry, separated by slashes.
func (e *Entry) Path() string {
	if e.parent == nil {
		return e.Name
	}
	return e.parent.Path() + "/" + e.Name
}

// at reports whether path is the entry's.
func (e *Entry) at(path string) bool {
	for ; e != nil; e = e.parent {
		rest, ok := cutSuffixFold(path, e.Name)
		if !ok {
			return false
		}
		if e.parent == nil {
			return rest == ""
		}
		if path, ok = strings.CutSuffix(rest, "/"); !ok {
			return false
		}
	}
	return false
}

func cutSuffixFold(s, suffix string) (string, bool) {
	if len(s) < len(suffix) || !strings.EqualFold(s[len(s)-len(suffix):], suffix) {
		return s, false
	}
	return s[:len(s)-len(suffix)], true
}
