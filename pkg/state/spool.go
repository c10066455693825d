package state

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
)

// Spool is a temporary file for bytes of which nobody knows yet how many will come. If its
// process dies, the sweep removes it.
type Spool struct {
	*os.File
	in   *opened
	name string
}

// Spool makes one, open for reading and writing. The caller discards it.
func (d *Dir) Spool() (*Spool, error) {
	p, err := d.use()
	if err != nil {
		return nil, err
	}
	name := tmpDir + "/" + rand.Text()
	const flags = os.O_RDWR | os.O_CREATE | os.O_EXCL
	f, err := p.dir.OpenFile(name, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.dir.MkdirAll(tmpDir, 0o700); err == nil {
			f, err = p.dir.OpenFile(name, flags, 0o600)
		}
	}
	if err != nil {
		return nil, fault.System(err, p.shown(name))
	}
	return &Spool{File: f, in: p, name: name}, nil
}

// Path returns its absolute path, by which it can be moved away after it was closed.
func (s *Spool) Path() string { return filepath.Join(s.in.path, filepath.FromSlash(s.name)) }

// Empty drops all bytes, so that others can be written.
func (s *Spool) Empty() error {
	err := s.Truncate(0)
	if err == nil {
		_, err = s.Seek(0, 0)
	}
	return fault.System(err, s.in.shown(s.name))
}

// Discard closes the file and removes it, unless it was moved away.
func (s *Spool) Discard() {
	_ = s.Close()
	_ = s.in.dir.Remove(s.name)
}
