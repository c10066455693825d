package clients

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// Record keeps what was done, to be taken back: a file of the person's state. It has what
// was put in and nothing else of the files, which may hold keys.
type Record string

// done is a change that was carried out.
type done struct {
	File string
	Made bool // there was no file
	From int
	Old  []byte // replaced by New
	New  []byte
	// Of JSON, which agents write anew in their own form: where the entry is, how many names of
	// the path were there before, and what it is.
	Path  []string        `json:",omitzero"`
	Kept  int             `json:",omitzero"`
	Entry json.RawMessage `json:",omitzero"`
}

// done returns what takes a change back.
func (c Change) done() done {
	from, to := c.put()
	d := done{
		File: c.File, Made: c.Before == nil, From: from, Path: c.path,
		Old: c.Before[from : len(c.Before)-(len(c.After)-to)], New: c.After[from:to],
	}
	if len(c.path) > 0 {
		after, _ := jsonc.Parse(c.After)
		d.Entry = after.Path(c.path...).JSON()
		root, _ := jsonc.Parse(c.Before)
		for d.Kept < len(c.path) && root.Path(c.path[:d.Kept+1]...) != nil {
			d.Kept++
		}
	}
	return d
}

// all returns what is recorded, and the text in which it is.
func (r Record) all() (all []done, text []byte, err error) {
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
func (r Record) write(was []byte, all []done) error {
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
	if err := r.write(was, append(all, c.done())); err != nil {
		return err
	}
	return replace(c.File, c.Before, c.After)
}

// Undo takes back all changes, the last first, and returns the files. One whose file was
// changed since loses the entry, where that still is as it was put in; else the file stays, is
// in the error, and stays recorded.
func (r Record) Undo() (files []string, err error) {
	all, was, err := r.all()
	if err != nil {
		return nil, err
	}
	var left []done
	var faults []error
	for _, d := range slices.Backward(all) {
		switch changed, err := d.undo(); {
		case err != nil:
			left, faults = append([]done{d}, left...), append(faults, err)
		case changed:
			files = append(files, d.File)
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

func (d done) undo() (changed bool, err error) {
	now, err := read(d.File)
	if err != nil || now == nil {
		return false, err
	}
	before, is := d.taken(now)
	switch {
	case !is:
		return false, fault.New(fault.Conflict, fault.T("%s was changed since, and stays as it is", d.File)).
			WithHint(fault.T("take the entry %s out of its MCP servers by hand", name))
	case bytes.Equal(now, before):
		return false, nil
	case len(before) == 0 && d.Made:
		before = nil
	}
	return true, replace(d.File, now, before)
}

// taken returns a text without the part that was put in; is reports whether it was found.
func (d done) taken(now []byte) (before []byte, is bool) {
	end := d.From + len(d.New)
	switch {
	case len(d.New) > 0 && end <= len(now) && bytes.Equal(now[d.From:end], d.New):
		return slices.Concat(now[:d.From], d.Old, now[end:]), true
	case len(d.Path) > 0:
		return d.withoutEntry(now)
	case len(d.Old) == 0 && bytes.Count(now, d.New) == 1:
		return bytes.Replace(now, d.New, nil, 1), true
	}
	return now, !bytes.Contains(now, []byte(name))
}

// withoutEntry takes the entry out of JSON that the agent has written anew, in its own form,
// and what was made for it and is empty.
func (d done) withoutEntry(now []byte) ([]byte, bool) {
	root, problems := jsonc.Parse(now)
	has := root.Path(d.Path...)
	switch {
	case len(problems) > 0:
		return nil, false
	case has == nil:
		return now, true // somebody has taken it out
	case d.Kept == len(d.Path) || !same(has.JSON(), d.Entry):
		return nil, false
	}
	now = jsonc.Remove(now, d.Path)
	for k := len(d.Path) - 1; k > d.Kept; k-- {
		root, _ = jsonc.Parse(now)
		if object := root.Path(d.Path[:k]...); object == nil || object.Kind != jsonc.Object || len(object.Members) > 0 {
			break
		}
		now = jsonc.Remove(now, d.Path[:k])
	}
	if root, _ = jsonc.Parse(now); d.Made && root != nil && root.Kind == jsonc.Object && len(root.Members) == 0 {
		now = nil
	}
	return now, true
}

// same reports whether two texts of JSON have the same values, in whatever order.
func same(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
