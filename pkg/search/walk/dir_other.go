//go:build !linux

package walk

import (
	"errors"
	"io"
	"os"
)

// Root is the directory that a walk never leaves.
type Root struct{ std *os.Root }

// Std is a root of the standard library.
func Std(r *os.Root) Root { return Root{r} }

// Handle is an open directory.
type Handle struct{ std *portable }

// OpenDir opens the directory at a path from the root ("." is the root), which
// may lead through no link.
func (r Root) OpenDir(rel string) (*Handle, error) {
	p, err := openPortable(r.std, rel)
	if err != nil {
		return nil, err
	}
	return &Handle{p}, nil
}

// enter is OpenDir for the many directories of a walk.
func (r Root) enter(rel string, _ *Scratch) (*Handle, error) { return r.OpenDir(rel) }

// Close releases the directory.
func (h *Handle) Close() { h.std.close() }

// madeUp is for file systems that do not exist here.
func (h *Handle) madeUp() bool { return false }

// Readlink is the target of a link in the directory, as it is written there.
func (h *Handle) Readlink(e Entry) (string, error) { return h.std.root.Readlink(e.Name()) }

// Scratch is memory that calls of one goroutine reuse.
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

// Reader is an open file. The zero value is none.
type Reader struct{ std *os.File }

// Open opens a regular file of the directory for reading. What has become a
// link, a pipe or a device in the meantime is refused without waiting for it.
func (h *Handle) Open(e Entry) (Reader, error) {
	f, err := h.std.open(e.Name())
	return Reader{f}, err
}

// Read reads on from where the last call ended, until p is full or the file
// ends, which is when n < len(p). Unlike an io.Reader it reports no io.EOF.
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

// Map would give bytes as they stand in the system's cache; it is not ok here.
func (r Reader) Map(int64, int) (data []byte, unmap func(), ok bool) { return nil, nil, false }

// Stat describes the open file.
func (r Reader) Stat() (Info, error) { return statPortable(r.std) }

// Close releases the file.
func (r Reader) Close() { r.std.Close() }

// Stat describes what stands at a path from the root, a link as a link.
func (r Root) Stat(rel string) (Info, error) { return lstatPortable(r.std, rel) }

// stat describes entries into infos.
func (r Root) stat(entries []Entry, infos []Info) {
	for i, e := range entries {
		infos[i], _ = lstatPortable(r.std, e.Path()) // gone, or unreadable: zero
	}
}
