package clients

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Change is an edit of a client's file, to be carried out or taken back.
type Change struct {
	File   string // links resolved
	Before []byte // nil if there was no file
	After  []byte
}

// Nothing reports whether helve is registered already, as it would be.
func (c Change) Nothing() bool { return c.Before != nil && bytes.Equal(c.Before, c.After) }

// Plan returns what registers a server with a client. It writes nothing.
func (c Client) Plan(s Server) (Change, error) {
	file := c.File
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	before, err := read(file)
	if err != nil {
		return Change{}, err
	}
	after, err := c.Edited(before, s)
	return Change{file, before, after}, err
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

// Record keeps what was done, to be taken back: a file of the person's state.
type Record string

// all returns what is recorded, and the text in which it is.
func (r Record) all() (all []Change, text []byte, err error) {
	text, err = read(string(r))
	if err != nil || text == nil {
		return nil, text, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, nil, fault.New(fault.IOError, fault.T("%s is damaged", string(r))).
			WithHint(fault.T("take helve out of the files of the agents by hand, and remove it")).Because(err)
	}
	return all, text, nil
}

// write records all changes, if the record still has the text that it had.
func (r Record) write(was []byte, all []Change) error {
	if len(all) == 0 {
		if was == nil {
			return nil
		}
		return replace(string(r), was, nil)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return replace(string(r), was, text)
}

// Do carries out a change. It is recorded before, so that it can be taken back whatever
// happens.
func (r Record) Do(c Change) error {
	all, was, err := r.all()
	if err != nil {
		return err
	}
	if err := r.write(was, append(all, c)); err != nil {
		return err
	}
	return replace(c.File, c.Before, c.After)
}

// Undo takes back all changes, the last first, and returns the files. One whose file was
// changed since loses what was put in, where that still is there once; else the file stays, is
// in the error, and stays recorded.
func (r Record) Undo() (files []string, err error) {
	all, was, err := r.all()
	if err != nil {
		return nil, err
	}
	var left []Change
	var faults []error
	for _, c := range slices.Backward(all) {
		switch changed, err := c.undo(); {
		case err != nil:
			left, faults = append([]Change{c}, left...), append(faults, err)
		case changed:
			files = append(files, c.File)
		}
	}
	if err := r.write(was, left); err != nil {
		faults = append(faults, err)
	}
	if len(faults) > 0 {
		return files, faults[0]
	}
	return files, nil
}

func (c Change) undo() (changed bool, err error) {
	now, err := read(c.File)
	switch {
	case err != nil:
		return false, err
	case now == nil, c.Before != nil && bytes.Equal(now, c.Before):
		return false, nil
	case bytes.Equal(now, c.After):
		return true, replace(c.File, now, c.Before)
	}
	from, to := c.put()
	if part := c.After[from:to]; len(c.After)-len(c.Before) == len(part) && bytes.Count(now, part) == 1 {
		return true, replace(c.File, now, bytes.Replace(now, part, nil, 1))
	}
	return false, fault.New(fault.Conflict, fault.T("%s was changed since, and stays as it is", c.File)).
		WithHint(fault.T("take the entry %s out of its MCP servers by hand", name))
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
