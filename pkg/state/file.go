package state

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxFile is the largest file, in bytes, that is written and read whole.
const maxFile = 32 << 20

// WriteFile replaces a file atomically and durably: a reader finds the old bytes
// or the new ones, also after a crash. It makes the directories in name.
func (d *Dir) WriteFile(name string, data []byte) error {
	if err := checkFile(name); err != nil {
		return err
	}
	if len(data) > maxFile {
		return tooLarge(name, int64(len(data)), maxFile)
	}
	p, err := d.use()
	if err != nil {
		return err
	}
	return fault.System(p.replace(name, data, true), p.shown(name))
}

// Put is WriteFile, but the bytes may be lost if the machine stops: a process that is
// killed leaves the old ones or the new ones.
func (d *Dir) Put(name string, data []byte) error {
	if err := checkFile(name); err != nil {
		return err
	}
	p, err := d.use()
	if err != nil {
		return err
	}
	return fault.System(p.replace(name, data, false), p.shown(name))
}

// ReadFile returns a file's bytes. The error for a file that does not exist is
// not_found and matches fs.ErrNotExist.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	if err := checkFile(name); err != nil {
		return nil, err
	}
	p, err := d.use()
	if err != nil {
		return nil, err
	}
	data, err := p.read(name, maxFile)
	return data, fault.System(err, p.shown(name))
}

// Remove deletes a file. A file that does not exist is no error.
func (d *Dir) Remove(name string) error {
	if err := checkFile(name); err != nil {
		return err
	}
	p, err := d.use()
	if err != nil {
		return err
	}
	err = p.dir.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = syncDir(p.dir, path.Dir(name))
	}
	return fault.System(err, p.shown(name))
}

// Create makes a file that does not exist, with its directories, and opens it for
// writing. Writes are neither atomic nor durable: it is for long streams. The
// caller closes it.
func (d *Dir) Create(name string) (*os.File, error) {
	if err := checkFile(name); err != nil {
		return nil, err
	}
	p, err := d.use()
	if err != nil {
		return nil, err
	}
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	f, err := p.dir.OpenFile(name, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.dir.MkdirAll(path.Dir(name), 0o700); err == nil {
			f, err = p.dir.OpenFile(name, flags, 0o600)
		}
	}
	if err != nil {
		return nil, fault.System(err, p.shown(name))
	}
	return f, nil
}

// OpenFile opens a file for reading. See [Dir.ReadFile] for the error if it does
// not exist. The caller closes it.
func (d *Dir) OpenFile(name string) (*os.File, error) {
	if err := checkFile(name); err != nil {
		return nil, err
	}
	p, err := d.use()
	if err != nil {
		return nil, err
	}
	f, err := p.dir.Open(name)
	if err != nil {
		return nil, fault.System(err, p.shown(name))
	}
	return f, nil
}

// List returns the sorted names of the files directly in a directory. One that
// does not exist has none.
func (d *Dir) List(dir string) ([]string, error) {
	if err := checkName(dir); err != nil {
		return nil, err
	}
	p, err := d.use()
	if err != nil {
		return nil, err
	}
	entries, err := p.entries(dir)
	if err != nil {
		return nil, fault.System(err, p.shown(dir))
	}
	var names []string
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func checkFile(name string) error {
	if strings.HasSuffix(name, logSuffix) {
		return badName(name)
	}
	return checkName(name)
}

// replace writes data to a temporary file and renames it to name.
func (p *opened) replace(name string, data []byte, durable bool) error {
	return p.stream(name, durable, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Temporary returns the absolute path of a directory for files that get another name
// at once. What stays in it is removed later.
func (d *Dir) Temporary() (string, error) {
	p, err := d.use()
	if err != nil {
		return "", err
	}
	err = p.dir.Mkdir(tmpDir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return filepath.Join(p.path, tmpDir), fault.System(err, p.shown(tmpDir))
}

// stream is replace for bytes that a function writes.
func (p *opened) stream(name string, durable bool, write func(io.Writer) error) error {
	tmp := tmpDir + "/" + rand.Text()
	create := func() (*os.File, error) {
		return p.dir.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	f, err := create()
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.dir.MkdirAll(tmpDir, 0o700); err == nil {
			f, err = create()
		}
	}
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil && durable {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = p.rename(tmp, name)
	}
	if err != nil {
		return errors.Join(err, p.dir.Remove(tmp))
	}
	if durable {
		return syncDir(p.dir, path.Dir(name))
	}
	return nil
}

// rename moves a file to a name whose directory need not exist.
func (p *opened) rename(from, to string) error {
	err := p.dir.Rename(from, to)
	if parent := path.Dir(to); parent != "." && errors.Is(err, fs.ErrNotExist) {
		if err = p.dir.MkdirAll(parent, 0o700); err != nil {
			return err
		}
		if err = syncDir(p.dir, path.Dir(parent)); err == nil {
			err = p.dir.Rename(from, to)
		}
	}
	return err
}

// read returns a regular file's bytes; more than most are an error.
func (p *opened) read(name string, most int64) ([]byte, error) {
	f, err := p.dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = tooLarge(name, int64(len(data)), most)
	}
	return data, err
}

// entries lists a directory in no order. One that does not exist is empty.
func (p *opened) entries(dir string) ([]fs.DirEntry, error) {
	f, err := p.dir.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

func tooLarge(name string, bytes, most int64) error {
	return fault.New(fault.TooLarge, fault.T("%s has %d bytes; at most %d are kept", name, bytes, most))
}
