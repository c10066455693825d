//go:build !linux

package walk

import (
	"errors"
	"io"
	"os"
)

// Root is the directory that a walk never leaves.
type Root struct{ std *os.Root }

// Std returns a root that uses only the standard library.
func Std(r *os.Root) Root { return Root{r} }

// Handle is an open directory.
type Handle struct{ std *portable }

// OpenDir opens the directory at a path from the root ("." is the root). The path
// must not lead through a link.
func (r Root) OpenDir(rel string) (*Handle, error) {
	p, err := openPortable(r.std, rel)
	if err != nil {
		return nil, err
	}
	return &Handle{p}, nil
}

// Enter is OpenDir for the many directories of a walk.
func (r Root) Enter(rel string, _ *Scratch) (*Handle, error) { return r.OpenDir(rel) }

// Close releases the directory.
func (h *Handle) Close() { h.std.close() }

// DatesNames reports whether the file system surely changes the times of the directory
// whenever a name in it comes or goes.
func (h *Handle) DatesNames() bool { return true }

// virtual reports false: there are no such file systems here.
func (h *Handle) virtual() bool { return false }

// Readlink returns the target of a link in the directory, as the link holds it.
func (h *Handle) Readlink(e Entry) (string, error) { return h.std.root.Readlink(e.Name()) }

// Scratch is memory that the calls of one goroutine reuse.
type Scratch struct {
	path    []byte
	arena   arena
	entries []Entry
	sifted  sifted
}

func (h *Handle) entries(prefix string, s *Scratch) ([]Entry, error) {
	s.arena.reset()
	if err := h.std.entries(&s.arena); err != nil {
		return nil, err
	}
	s.entries = s.arena.list(prefix, s.entries)
	return s.entries, nil
}

// Reader is an open file. The zero value is not.
type Reader struct{ std *os.File }

// Open opens a regular file of the directory for reading. It fails without
// waiting if the file has become a link, a pipe or a device in the meantime.
func (h *Handle) Open(e Entry) (Reader, error) {
	f, err := h.std.open(e.Name())
	return Reader{f}, err
}

// Read continues where the last call ended, until p is full or the file ends.
// n < len(p) means the end; unlike an io.Reader it never returns io.EOF.
func (r Reader) Read(p []byte) (int, error) {
	n, err := io.ReadFull(r.std, p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}

// ReadAt reads from an offset until p is full or the file ends, as Read does.
func (r Reader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.std.ReadAt(p, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// Map returns ok false: files are not mapped here.
func (r Reader) Map(int64, int) (data []byte, unmap func(), ok bool) { return nil, nil, false }

// Stat describes the open file.
func (r Reader) Stat() (Info, error) { return statPortable(r.std) }

// Close releases the file.
func (r Reader) Close() { r.std.Close() }

// Stat describes the file or directory at a path from the root. It does not
// follow a link.
func (r Root) Stat(rel string) (Info, error) { return lstatPortable(r.std, rel) }

// stat describes entries into infos.
func (r Root) stat(entries []Entry, infos []Info) {
	for i, e := range entries {
		infos[i], _ = lstatPortable(r.std, e.Path()) // zero if it is gone or unreadable
	}
}
