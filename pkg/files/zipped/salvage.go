package zipped

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
)

// maxSalvaged is the largest archive that is searched for entries.
const maxSalvaged = 128 << 20

// localLength is the length of the header before each entry (APPNOTE 4.3.7).
const localLength = 30

var localMark = []byte("PK\x03\x04")

// salvage finds the entries of an archive without a directory by the headers before each,
// the first of each name. The data of an entry without a length extends to the end of the
// file: compressed data marks its own end.
func salvage(file io.ReaderAt, size int64) (found []entry) {
	if size > maxSalvaged {
		return nil
	}
	seen := map[string]bool{}
	for at := int64(0); len(found) < PackageEntries; {
		at = nextMark(file, at, size)
		if at < 0 {
			return found
		}
		e, end, ok := localEntry(file, at, size)
		if !ok {
			at += int64(len(localMark))
			continue
		}
		if name := fold(e.name); name != "" && name[len(name)-1] != '/' && !seen[name] {
			seen[name] = true
			found = append(found, e)
		}
		at = end
	}
	return found
}

// nextMark returns where the next header may begin; -1 if there is none.
func nextMark(file io.ReaderAt, at, size int64) int64 {
	buf := make([]byte, 64<<10)
	for at+localLength <= size {
		n, err := file.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if i := bytes.Index(buf[:n], localMark); i >= 0 {
			return at + int64(i)
		}
		if err != nil && !errors.Is(err, io.EOF) || n < len(localMark) {
			return -1
		}
		at += int64(n - len(localMark) + 1)
	}
	return -1
}

// localEntry reads the entry whose header begins at an offset, and where to look for the
// next one.
func localEntry(file io.ReaderAt, at, size int64) (e entry, end int64, ok bool) {
	var h [localLength]byte
	if _, err := file.ReadAt(h[:], at); err != nil {
		return e, 0, false
	}
	const (
		encrypted, sizesFollow = 1, 8 // bits of the flags
		stored, deflated       = 0, 8
		longestName            = 4096
	)
	flags, method := binary.LittleEndian.Uint16(h[6:]), binary.LittleEndian.Uint16(h[8:])
	nameLength, extraLength := int64(binary.LittleEndian.Uint16(h[26:])), int64(binary.LittleEndian.Uint16(h[28:]))
	from := at + localLength + nameLength + extraLength
	if nameLength == 0 || nameLength > longestName || from > size || method != stored && method != deflated {
		return e, 0, false
	}
	name := make([]byte, nameLength)
	if _, err := file.ReadAt(name, at+localLength); err != nil {
		return e, 0, false
	}
	e = entry{name: string(name), packed: int64(binary.LittleEndian.Uint32(h[18:])), claims: int64(binary.LittleEndian.Uint32(h[22:])), encrypted: flags&encrypted != 0}
	end = from
	data := io.NewSectionReader(file, from, size-from)
	switch {
	case flags&sizesFollow == 0 && e.packed != 1<<32-1:
		data = io.NewSectionReader(file, from, min(e.packed, size-from))
		end = min(from+e.packed, size)
	case method == stored:
		return e, 0, false // nothing says where it ends
	default:
		e.packed = size - from
	}
	e.open = func() (io.ReadCloser, error) {
		from := io.NewSectionReader(data, 0, data.Size())
		if method == stored {
			return io.NopCloser(io.MultiReader(from, rest{missing: e.packed - data.Size()})), nil
		}
		return flate.NewReader(from), nil
	}
	return e, end, true
}

// rest is a reader behind stored data: it returns the end, or an error if data is missing.
type rest struct{ missing int64 }

func (r rest) Read([]byte) (int, error) {
	if r.missing > 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return 0, io.EOF
}
