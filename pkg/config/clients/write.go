package clients

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Change is an edit of a client's file, to be carried out.
type Change struct {
	File   string // links resolved
	Before []byte // nil if there was no file
	After  []byte
	path   []string // of the entry in JSON, else nil
}

// Nothing reports whether helve is registered already, as it would be.
func (c Change) Nothing() bool { return c.Before != nil && bytes.Equal(c.Before, c.After) }

// Plan returns what registers a server with a client. It writes nothing.
func (c Client) Plan(s Server) (Change, error) {
	file, err := resolved(c.File)
	if err != nil {
		return Change{}, err
	}
	before, err := read(file)
	if err != nil {
		return Change{}, err
	}
	after, err := c.Edited(before, s)
	change := Change{File: file, Before: before, After: after}
	if c.form == inJSON {
		change.path = c.path
	}
	return change, err
}

// maxLinks limits a chain of symbolic links, as the kernel does.
const maxLinks = 40

// resolved returns the file that a path leads to, also through a link whose target is
// missing: what a person keeps elsewhere is made there, and the link stays.
func resolved(file string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) {
			return file, nil
		}
		if err != nil {
			return "", fault.System(err, file)
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(file))
		if err != nil {
			return "", fault.System(err, file)
		}
		file = filepath.Join(dir, filepath.Base(file))
		if info.Mode()&fs.ModeSymlink == 0 {
			return file, nil
		}
		target, err := os.Readlink(file)
		if err != nil {
			return "", fault.System(err, file)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		file = target
	}
	return "", fault.New(fault.IOError, fault.T("%s is a link that leads nowhere", file))
}

// read returns the text of a file; nil if there is none.
func read(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fault.System(err, file)
	case text == nil:
		text = []byte{}
	}
	return text, nil
}

// replace writes a file that still is as it was: nobody sees a part of it, its mode stays, and
// what another program wrote meanwhile is not lost. A nil text removes it.
func replace(file string, was, text []byte) error {
	now, err := read(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, was) || (now == nil) != (was == nil) {
		return fault.New(fault.Conflict, fault.T("%s was changed meanwhile, and stays as it is", file)).
			WithHint(fault.T("run the command again"))
	}
	if text == nil {
		return fault.System(os.Remove(file), file)
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	} else if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fault.System(err, file)
	}
	tmp := file + "." + rand.Text() + ".tmp"
	err = written(tmp, text, mode)
	if err == nil {
		now, err = read(file)
		if err == nil && !bytes.Equal(now, was) {
			err = fault.New(fault.Conflict, fault.T("%s was changed meanwhile, and stays as it is", file)).
				WithHint(fault.T("run the command again"))
		}
	}
	if err == nil {
		err = os.Rename(tmp, file)
	}
	if err != nil {
		_ = os.Remove(tmp) // it may not be there
		return fault.System(err, file)
	}
	return nil
}

func written(file string, text []byte, mode fs.FileMode) error {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return errors.Join(err, out.Chmod(mode), out.Sync(), out.Close())
}

// Added returns the lines that are put in, and nothing of the others, which may hold secrets.
func (c Change) Added() string {
	from, to := c.put()
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(string(c.After[from:to]), ",\r\n")) {
		b.WriteString("+ " + strings.TrimRight(line, "\r\n") + "\n")
	}
	return b.String()
}

// put returns where the text that was put in begins and ends.
func (c Change) put() (from, to int) {
	short := min(len(c.Before), len(c.After))
	for from < short && c.Before[from] == c.After[from] {
		from++
	}
	to = len(c.After)
	for at := len(c.Before); to > from && at > from && c.Before[at-1] == c.After[to-1]; to-- {
		at--
	}
	return from, to
}
