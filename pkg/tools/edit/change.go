package edit

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// change is a file with the edits of a call.
type change struct {
	file  *textfile.File // in the form in which it is edited
	known textfile.Knowledge
	done  edit.Result
	raw   []byte // the bytes of the file
	after string // their text
}

// change makes the edits of a file: of what read shows of it.
func (a Args) change(f *textfile.File, edits []edit.Edit) (change, error) {
	as, err := f.AsShown()
	if err != nil {
		return change{}, err
	}
	if as.Cells != nil {
		return a.notebook(f, as, edits)
	}
	if a.ofCell() {
		return change{}, wrong("/cell", fault.T("%s is no notebook", a.Path))
	}
	c, err := a.edited(f, f.Text(), edits)
	if err != nil {
		return c, err
	}
	c.raw, c.after = []byte(c.done.Text), c.done.Text // of a new file
	if f.Document != nil {
		c.raw, err = f.Document.Encode(c.done.Text)
	}
	return c, err
}

// format has the person's formatter go over the file, and reports whether that changed it.
// Where the edits are then is where the formatter left their lines.
func (c *change) format(ctx context.Context, call *tool.Call) bool {
	if c.file.Cells != nil {
		return false
	}
	f, ok := textfile.Format(ctx, call, c.file.Real, c.raw, c.after)
	if !ok {
		return false
	}
	before := c.file.Text()
	head, tail := diff.CommonEnds(before, f.Text)
	c.done.Splices = []diff.Splice{{Start: head, End: len(before) - tail, Text: f.Text[head : len(f.Text)-tail]}}
	for i := range c.done.Edits {
		c.done.Edits[i].New = f.Lines(c.done.Edits[i].New)
	}
	for i, line := range c.done.AlsoSimilarAt {
		c.done.AlsoSimilarAt[i] = f.Lines(edit.LineRange{Start: line, End: line}).Start
	}
	c.raw, c.after, c.done.Text = f.Raw, f.Text, f.Text
	return true
}

// edited makes the edits in a text of the file, and records what a fault shows.
func (a Args) edited(f *textfile.File, text string, edits []edit.Edit) (change, error) {
	known, err := f.Known()
	if err != nil {
		return change{}, err
	}
	o := edit.Options{Path: a.Path, Sequential: a.Sequential}
	if a.ExpectSHA == "" { // with a sha, the caller knows every line
		o.Shown, o.All = known.Shown(), known.All
	}
	done, err := edit.Apply(text, edits, o)
	if err != nil {
		if !a.DryRun {
			f.RecordFault(excerpts(err))
		}
		return change{}, elsewhere(f, edits, err)
	}
	return change{file: f, known: known, done: done}, nil
}
