// Package zipped opens ZIP archives that nobody has checked: an office document, an
// e-book, what was downloaded. What a directory of entries claims costs no more than its
// limits allow.
//
// The format is PKWARE's APPNOTE 6.3.10:
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
package zipped

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of what an archive may make a reader do.
const (
	// maxDirectory is the size of the directory of entries.
	maxDirectory = 16 << 20
	// maxEntries limits the entries.
	maxEntries = 200_000
)

// Open opens an archive of so many bytes. It reads no entry. An archive that is damaged
// or beyond the limits is a bad_document; other errors are those of the file.
func Open(file io.ReaderAt, size int64) (*zip.Reader, error) {
	end, err := findEnd(file, size)
	if err != nil {
		return nil, err
	}
	if end.bytes > maxDirectory || end.entries > maxEntries {
		return nil, damaged(fault.T("its directory claims %d entries in %d bytes; the limits are %d and %d", end.entries, end.bytes, maxEntries, maxDirectory))
	}
	// The reader of the standard library looks for the directory by itself. Should it
	// find another one, it must not read more than this.
	limited := &limitedReader{ReaderAt: file, left: maxDirectory + 1<<20}
	z, err := zip.NewReader(limited, size)
	switch {
	case errors.Is(err, errLimit):
		return nil, damaged(fault.T("its directory takes more than %d bytes", maxDirectory))
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, damaged(fault.T("%s", err.Error())).Because(err)
	}
	limited.opened = true
	return z, nil
}

func damaged(why fault.Text) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("the ZIP archive is damaged: %s", why)).
		WithHint(fault.T("it may be incomplete: get the file again, or try to repair a copy with zip -FF"))
}

// directoryEnd holds the fields of the record at the end of an archive.
type directoryEnd struct{ entries, bytes uint64 }

// Signatures and lengths of the records at the end: APPNOTE 4.3.16, 4.3.15, 4.3.14.
const (
	endLength, longest = 22, 22 + 1<<16 - 1 // without and with a comment
	locatorLength      = 20
	end64Length        = 56
)

// findEnd finds the record at the end of an archive. The last one counts whose comment
// fits.
func findEnd(file io.ReaderAt, size int64) (directoryEnd, error) {
	tail := make([]byte, min(size, longest+locatorLength))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return directoryEnd{}, err
	}
	for at := len(tail) - endLength; at >= 0; at-- {
		r := tail[at:]
		if !bytes.HasPrefix(r, []byte("PK\x05\x06")) || endLength+int(binary.LittleEndian.Uint16(r[20:])) > len(r) {
			continue
		}
		e := directoryEnd{uint64(binary.LittleEndian.Uint16(r[10:])), uint64(binary.LittleEndian.Uint32(r[12:]))}
		if at < locatorLength || e.entries != 0xffff && e.bytes != 0xffffffff && binary.LittleEndian.Uint32(r[16:]) != 0xffffffff {
			return e, nil
		}
		locator, record := tail[at-locatorLength:at], make([]byte, end64Length)
		if !bytes.HasPrefix(locator, []byte("PK\x06\x07")) {
			return e, nil
		}
		offset := int64(binary.LittleEndian.Uint64(locator[8:]))
		if offset < 0 || offset > size-end64Length {
			return directoryEnd{}, damaged(fault.T("its directory is beyond its end")).Because(errNoDirectory)
		}
		if _, err := file.ReadAt(record, offset); err != nil {
			return directoryEnd{}, err
		}
		if !bytes.HasPrefix(record, []byte("PK\x06\x06")) {
			return e, nil
		}
		return directoryEnd{binary.LittleEndian.Uint64(record[32:]), binary.LittleEndian.Uint64(record[40:])}, nil
	}
	return directoryEnd{}, damaged(fault.T("it has no directory of entries")).Because(errNoDirectory)
}

var errNoDirectory = errors.New("no directory of entries")

var errLimit = errors.New("the directory is too large")

// limitedReader reads up to a limit until the directory was read, and then whatever is
// wanted.
type limitedReader struct {
	io.ReaderAt
	left   int64
	opened bool
}

func (l *limitedReader) ReadAt(b []byte, at int64) (int, error) {
	if !l.opened {
		if l.left -= int64(len(b)); l.left < 0 {
			return 0, errLimit
		}
	}
	return l.ReaderAt.ReadAt(b, at)
}
