package edit

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/shown"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// ofCell reports whether the call names a cell of a notebook.
func (a Args) ofCell() bool { return a.Cell != "" || a.Mode != "" || a.CellType != "" }

// wholeCell reports whether the call is about all of a cell, and not about a text in it.
func (a Args) wholeCell() bool {
	return a.ofCell() && a.OldText == nil && len(a.Edits) == 0 && a.Accept == "" && a.InsertLine == nil || a.Mode == "insert" || a.Mode == "delete"
}

// checkCell refuses arguments that say nothing about a cell, or two things.
func (a Args) checkCell() error {
	mode := a.Mode
	if mode == "" {
		mode = "replace"
	}
	switch {
	case a.Cell == "" && mode != "insert":
		return wrong("/cell", fault.T("is required: an id, or a number from 1"))
	case a.OldText != nil && *a.OldText != "" || len(a.Edits) > 0 || a.Accept != "" || a.InsertLine != nil:
		return wrong("/mode", fault.T("%s is about a whole cell, and old_text about a text in one", mode))
	case mode == "delete" && a.NewText != nil && *a.NewText != "":
		return wrong("/new_text", fault.T("a cell that is deleted has none"))
	case mode != "delete" && a.NewText == nil && (mode == "insert" || a.CellType == ""):
		return wrong("/new_text", fault.T("is required: the source of the cell"))
	}
	return nil
}

// notebook edits the cells of a notebook; f is its file and as what read shows of it. A text
// that is in no cell and that names a part of the JSON is replaced there.
func (a Args) notebook(f, as *textfile.File, edits []edit.Edit) (change, error) {
	cells, text, at := as.Cells, as.Text(), -1
	if a.Cell != "" {
		var err error
		if at, err = cells.Find(a.Cell); err != nil {
			return change{}, err
		}
	}
	if a.wholeCell() {
		return a.cell(as, at)
	}
	if at >= 0 {
		text = cells.Only(at)
	}
	c, err := a.edited(as, text, edits)
	if err != nil {
		if json, ok := a.asJSON(f, edits); ok && !a.ofCell() {
			return json, nil
		}
		if fault.Is(err, fault.TextNotFound) && slices.ContainsFunc(edits, func(e edit.Edit) bool { return inOutput(f, e.Old) }) {
			err = fault.As(err).WithHint(fault.T("that is in the output of a cell, which comes from running it: edit the source of the cell"))
		}
		return change{}, err
	}
	if at >= 0 {
		c.done.Text = spliced(cells.Text, c.done.Splices)
	}
	c.after, err = cells.Edited(c.done.Splices)
	c.raw = []byte(c.after)
	return c, err
}

// spliced returns a text with changes.
func spliced(s string, all []diff.Splice) string {
	var b strings.Builder
	at := 0
	for _, sp := range all {
		b.WriteString(s[at:sp.Start] + sp.Text)
		at = sp.End
	}
	return b.String() + s[at:]
}

// inOutput reports whether read shows a text of a notebook that is not in its sources.
func inOutput(f *textfile.File, old string) bool {
	all, err := notebook.Render(f.Raw, func(notebook.Image) string { return "" })
	return err == nil && edit.Telling(old) && strings.Contains(all, strings.TrimSpace(shown.LF(old)))
}

// asJSON makes edits of the file as JSON, for which each must name a part of that: what is
// within one string would have to be written as such.
func (a Args) asJSON(f *textfile.File, edits []edit.Edit) (change, bool) {
	src := f.Document.Text
	for _, e := range edits {
		if !strings.ContainsAny(e.Old, `"{}[]`) || !strings.Contains(src, e.Old) || e.Insert != nil || e.Accept != "" {
			return change{}, false
		}
	}
	c, err := a.edited(f, src, edits)
	if err != nil || slices.ContainsFunc(c.done.Edits, func(e edit.Applied) bool { return e.Strategy != edit.Exact }) {
		return change{}, false
	}
	if slices.ContainsFunc(c.done.Splices, func(s diff.Splice) bool { return notebook.InString(src, s.Start, s.End) }) {
		return change{}, false
	}
	if _, err := notebook.Open(c.done.Text); err != nil || !json.Valid([]byte(c.done.Text)) {
		return change{}, false
	}
	c.raw, c.after = []byte(c.done.Text), c.done.Text
	return c, true
}

// cell replaces, inserts or deletes the cell at an index; -1 is before the first.
func (a Args) cell(as *textfile.File, at int) (change, error) {
	known, err := as.Known()
	if err != nil {
		return change{}, err
	}
	c := change{file: as, known: known}
	cells := as.Cells
	if a.Mode != "insert" && a.ExpectSHA == "" {
		if err := unseen(known, cells, at); err != nil {
			return change{}, err
		}
	}
	text, kind := "", a.CellType
	if a.NewText != nil {
		text = *a.NewText
	}
	place := (*notebook.Cells).Block // the part of what is shown that changes
	switch {
	case a.Mode == "delete":
		c.after, err = cells.Deleted(at)
	case a.Mode == "insert":
		if kind == "" {
			kind = "code"
		}
		at++
		c.after, err = cells.Inserted(at, kind, text)
	case kind != "" && kind != cells.Kind(at):
		if a.NewText == nil {
			text = cells.Source(at)
		}
		c.after, err = cells.Retyped(at, kind, text)
	case a.NewText == nil, cells.Source(at) == text:
		err = fault.New(fault.NoChange, fault.T("the cell is already like that")).WithHint(fault.T("nothing is left to do"))
	default:
		place = (*notebook.Cells).Span
		c.after, err = cells.Edited([]diff.Splice{cells.Replacing(at, text)})
	}
	if err != nil {
		return change{}, err
	}
	c.raw = []byte(c.after)
	next, err := notebook.Open(c.after)
	if err != nil {
		return change{}, err
	}
	from, to := place(cells, at)
	sp, start, end := diff.Splice{Start: from, End: to}, from, from
	if a.Mode == "insert" {
		sp.End = from
	}
	if a.Mode != "delete" {
		start, end = place(next, at)
		sp.Text = next.Text[start:end]
	}
	c.done = edit.Result{
		Text: next.Text, Replacements: 1, Splices: []diff.Splice{sp},
		Edits: []edit.Applied{{Strategy: edit.Exact, Old: linesOf(cells.Text, sp.Start, sp.End), New: linesOf(next.Text, start, end)}},
	}
	return c, nil
}

// linesOf returns the lines of some bytes of a text.
func linesOf(s string, from, to int) edit.LineRange {
	first := 1 + strings.Count(s[:from], "\n")
	return edit.LineRange{Start: first, End: first + strings.Count(s[from:to], "\n") - 1}
}

// unseen returns the fault of changing all of a cell that has changed since the session
// read the notebook.
func unseen(known textfile.Knowledge, cells *notebook.Cells, at int) error {
	versions := known.Shown()
	if len(versions) == 0 {
		return nil
	}
	for i := range versions {
		versions[i].Text = shown.LF(versions[i].Text)
	}
	from, to := cells.Span(at)
	lines := linesOf(cells.Text, from, to)
	for _, l := range shown.Against(shown.LF(cells.Text), versions).Unseen() {
		if l.Start <= lines.End && l.End >= lines.Start {
			return fault.New(fault.Stale, fault.T("cell %d has changed since this session read it", at+1)).
				WithHint(fault.T("read it again, then repeat the call if it still fits"))
		}
	}
	return nil
}
