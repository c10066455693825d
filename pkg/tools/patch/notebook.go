package patch

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/patch"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// form is a version in the form in which the hunks of a patch are looked for: as read
// shows the file.
type form struct {
	file  *textfile.File
	text  string
	cells *notebook.Cells // nil of all that is shown as it is
}

// plain is the form of a text that is shown as it is.
func (v *version) plain() form { return form{v.file, v.text, nil} }

// form returns the form for the changes of a file. Those that have all of its text, as in
// making and deleting it, are about the file as it is.
func (v *version) form(f patch.File) (form, error) {
	if len(f.Hunks) == 0 || f.Action == patch.Delete || f.Action == patch.Add && f.From == "" {
		return v.plain(), nil
	}
	as, err := v.file.AsShown()
	if err != nil || as.Cells == nil {
		return v.plain(), err
	}
	cells := as.Cells
	if string(v.raw) != string(v.file.Raw) { // by an earlier part of the patch
		if cells, err = notebook.Open(string(v.raw)); err != nil {
			return v.plain(), nil //nolint:nilerr // it is no notebook any more
		}
	}
	return form{as, cells.Text, cells}, nil
}

// made is a form with the changes of a patch.
type made struct {
	form
	patch.Result
	next string // the text of the file
}

// patched makes the changes of a file. What is in no cell of a notebook may be a part of its
// JSON, as in a diff that git made.
func (v *version) patched(f patch.File) (made, error) {
	at, err := v.form(f)
	if err != nil {
		return made{}, err
	}
	if at.cells == nil {
		done, err := patch.Apply(at.text, f)
		return made{at, done, done.Text}, err
	}
	json, err := patch.Apply(v.text, f)
	if err == nil && likeJSON(f, json) {
		return made{v.plain(), json, json.Text}, nil
	}
	if bare(f) {
		return made{}, fault.New(fault.HunkNotFound, fault.T("%s: a hunk names no line of a cell", f.Path)).
			WithHint(fault.T("give it a line of the cell as context, as read shows it"))
	}
	done, err := patch.Apply(at.text, f)
	if err != nil {
		return made{}, err
	}
	next, err := at.cells.Edited(done.Splices)
	return made{at, done, next}, err
}

// likeJSON reports whether all hunks are lines of a notebook as it is in the file, and leave
// it one.
func likeJSON(f patch.File, done patch.Result) bool {
	quoted := func(h patch.Hunk) bool {
		return slices.ContainsFunc(h.Lines, func(l patch.Line) bool { return strings.Contains(l.Text, `"`) || strings.ContainsAny(l.Text, "[]{}") })
	}
	exact := func(a patch.Applied) bool {
		return a.Fuzz == 0 && (a.Strategy == edit.Exact || a.Strategy == patch.AtLine)
	}
	for i, a := range done.Hunks {
		if !exact(a) || !quoted(f.Hunks[i]) {
			return false
		}
	}
	_, err := notebook.Open(done.Text)
	return err == nil
}

// bare reports whether a hunk has nothing but new lines.
func bare(f patch.File) bool {
	return slices.ContainsFunc(f.Hunks, func(h patch.Hunk) bool {
		return !slices.ContainsFunc(h.Lines, func(l patch.Line) bool { return l.Op != patch.Insert })
	})
}
