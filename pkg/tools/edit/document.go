package edit

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	word "github.com/helve-dev/helve/pkg/document/docx/change"
	"github.com/helve-dev/helve/pkg/document/sheet"
	workbook "github.com/helve-dev/helve/pkg/document/xlsx/change"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// ofRows reports whether the call names cells or rows of a workbook.
func (a Args) ofRows() bool {
	return len(a.Cells) > 0 || len(a.Append) > 0 || a.InsertRows != "" || a.DeleteRows != ""
}

// noWorkbook refuses what only a workbook has, for another file.
func (a Args) noWorkbook() error {
	for _, one := range [...]struct {
		name  string
		given bool
	}{
		{"cells", len(a.Cells) > 0}, {"append", len(a.Append) > 0}, {"insert_rows", a.InsertRows != ""}, {"delete_rows", a.DeleteRows != ""}, {"sheet", a.Sheet != ""},
	} {
		if one.given {
			return wrong("/"+one.name, fault.T("%s is no workbook (.xlsx)", a.Path))
		}
	}
	return nil
}

// document edits a document in place.
func (a Args) document(ctx context.Context, call *tool.Call, f *textfile.File, edits []edit.Edit, most diff.Limit) (Result, error) {
	if err := f.Expect(a.ExpectSHA); err != nil {
		return Result{}, err
	}
	if a.ofCell() {
		return Result{}, wrong("/cell", fault.T("%s is no notebook; cells of a workbook are named by cells", a.Path))
	}
	known, err := f.Known()
	if err != nil {
		return Result{}, err
	}
	var r Result
	var raw []byte
	if f.MIME() == textfile.WordMIME {
		r, raw, err = a.word(call, f, edits, most)
	} else {
		r, raw, err = a.workbook(ctx, call, f, known, edits, most)
	}
	if err != nil {
		return Result{}, err
	}
	r.Path, r.SHABefore, r.SHA = f.Path, f.SHA, text.Sum(raw)
	r.ChangedElsewhere = known.Known && !known.Current
	if !known.Known && a.ExpectSHA == "" {
		call.WarnDone(fault.T("%s was edited although this session has not read it", a.Path))
	}
	if r.DryRun = a.DryRun; a.DryRun {
		return r, nil
	}
	replaced := *f
	f.Forget()
	var said tool.Feedback
	if r.UndoID, said, err = f.Replace(ctx, "edit", raw); err != nil {
		return Result{}, err
	}
	r.Diagnostics, r.Baseline, r.Pending = said.Diagnostics, said.Baseline, said.Pending
	replaced.RecordPatched(f.Real, raw)
	return r, nil
}

// author is the name under which changes are tracked.
const author = "helve"

// word changes the text of a Word document.
func (a Args) word(call *tool.Call, f *textfile.File, edits []edit.Edit, most diff.Limit) (Result, []byte, error) {
	if err := a.noWorkbook(); err != nil {
		return Result{}, nil, err
	}
	d, err := word.Open(bytes.NewReader(f.Raw), int64(len(f.Raw)))
	if err != nil {
		return Result{}, nil, err
	}
	texts := make([]word.Edit, len(edits))
	for i, e := range edits {
		if linesOnly(e) {
			return Result{}, nil, wrong("/edits/"+strconv.Itoa(i), fault.T("the lines of a document are not its own: give old_text with occurrence or replace_all"))
		}
		texts[i] = word.Edit{Old: e.Old, New: e.New, All: e.ReplaceAll, Occurrence: e.Occurrence, Expected: e.Expected}
	}
	o := word.Options{Now: call.Env.Now()}
	if a.Track {
		o.Author = author
	}
	out := bytes.NewBuffer(make([]byte, 0, len(f.Raw)+64<<10))
	done, err := d.Apply(texts, o, out)
	if err != nil {
		return Result{}, nil, err
	}
	return wordResult(f.Path, done, most), out.Bytes(), nil
}

// linesOnly reports whether an edit names a place by what only text has.
func linesOnly(e edit.Edit) bool {
	return e.Insert != nil || e.Accept != "" || e.LineHint > 0 || e.After != "" || e.Within != ""
}

// wordResult describes changed paragraphs.
func wordResult(path string, done *word.Result, most diff.Limit) Result {
	var before, after strings.Builder
	r := Result{Replacements: len(done.Changed), Edits: []edit.Applied{}}
	for _, c := range done.Changed {
		if c.Before != "" {
			before.WriteString(c.Before + "\n")
			r.LinesRemoved++
		}
		if c.After != "" {
			after.WriteString(c.After + "\n")
			r.LinesAdded++
		}
	}
	d := diff.Unified(diff.Modified(path), before.String(), after.String(), most)
	r.Diff, r.Changed = d.Text, []string{}
	r.paragraphs = true
	return r
}

// workbook changes cells of a workbook.
func (a Args) workbook(ctx context.Context, call *tool.Call, f *textfile.File, known textfile.Knowledge, edits []edit.Edit, most diff.Limit) (Result, []byte, error) {
	if a.Track {
		return Result{}, nil, wrong("/track", fault.T("a workbook has no tracked changes"))
	}
	w, err := workbook.Open(bytes.NewReader(f.Raw), int64(len(f.Raw)))
	if err != nil {
		return Result{}, nil, err
	}
	request, err := a.request(ctx, w, edits)
	if err != nil {
		return Result{}, nil, err
	}
	out := bytes.NewBuffer(make([]byte, 0, len(f.Raw)+64<<10))
	done, err := w.Apply(ctx, request, out)
	if err != nil {
		return Result{}, nil, err
	}
	if err := a.seen(ctx, f, known, done); err != nil {
		return Result{}, nil, err
	}
	for _, t := range done.Warnings {
		call.Warn(t)
	}
	return cellsResult(f.Path, done, most), out.Bytes(), nil
}

// request returns the changes that the arguments ask for.
func (a Args) request(ctx context.Context, w *workbook.Workbook, edits []edit.Edit) (workbook.Request, error) {
	r := workbook.Request{Sheet: -1}
	if a.Sheet != "" || len(a.Append) > 0 || a.InsertRows != "" || a.DeleteRows != "" {
		var err error
		if r.Sheet, err = sheet.Find(w, a.Sheet); err != nil {
			return r, err
		}
	}
	if len(edits) > 0 {
		var texts []workbook.Edit
		for i, e := range edits {
			if linesOnly(e) {
				return r, wrong("/edits/"+strconv.Itoa(i), fault.T("a workbook has no lines: give old_text with occurrence or replace_all, or cells"))
			}
			texts = append(texts, workbook.Edit{Old: e.Old, New: e.New, All: e.ReplaceAll, Occurrence: e.Occurrence, Expected: e.Expected})
		}
		found, err := w.Find(ctx, r.Sheet, texts)
		if err != nil {
			return r, err
		}
		r.Cells = found
	}
	for i, c := range a.Cells {
		cell, err := a.cellOf(w, c, "/cells/"+strconv.Itoa(i))
		if err != nil {
			return r, err
		}
		r.Cells = append(r.Cells, cell)
	}
	for i, row := range a.Append {
		var values []any
		for k, v := range row {
			value, err := valueOf(v, "/append/"+strconv.Itoa(i)+"/"+strconv.Itoa(k))
			if err != nil {
				return r, err
			}
			values = append(values, value)
		}
		r.Append = append(r.Append, values)
	}
	var err error
	if r.Insert, err = rowsOf("/insert_rows", a.InsertRows); err != nil {
		return r, err
	}
	r.Delete, err = rowsOf("/delete_rows", a.DeleteRows)
	return r, err
}

// cellOf returns the change of one cell.
func (a Args) cellOf(w *workbook.Workbook, c Cell, at string) (workbook.Cell, error) {
	name, address := sheet.SplitReference(c.Ref)
	if name == "" {
		name = a.Sheet
	}
	index, err := sheet.Find(w, name)
	if err != nil {
		return workbook.Cell{}, err
	}
	place, ok := sheet.ParseAddress(address)
	if !ok {
		return workbook.Cell{}, schema.Invalid(at+"/ref", fault.T("%q is no cell", c.Ref)).
			WithHint(fault.T(`name one cell, such as "B2" or "Sales!B2"; several in cells`))
	}
	cell := workbook.Cell{Sheet: index, At: place, Formula: strings.TrimPrefix(strings.TrimSpace(c.Formula), "="), Format: c.Format}
	switch {
	case c.Value != nil && c.Formula != "":
		return cell, schema.Invalid(at+"/formula", fault.T("pass either value or formula, not both"))
	case c.Value != nil:
		cell.Value, err = valueOf(*c.Value, at+"/value")
	case c.Formula == "" && c.Format != "":
		cell.Keep = true
	}
	return cell, err
}

// valueOf returns a value as a cell holds it.
func valueOf(s schema.Scalar, at string) (any, error) {
	switch s.Kind {
	case schema.String:
		return s.Text, nil
	case schema.Boolean:
		return s.True, nil
	case schema.Number:
		n, err := strconv.ParseFloat(s.Text, 64)
		if err != nil || math.IsInf(n, 0) {
			return nil, schema.Invalid(at, fault.T("the number %s is too large", s.Text))
		}
		if digits := strings.TrimLeft(s.Text, "-0"); len(digits) > 15 && !strings.ContainsAny(digits, ".eE") {
			return nil, schema.Invalid(at, fault.T("%s has more digits than a cell keeps of a number, which are 15", s.Text)).
				WithHint(fault.T("pass it as a text, in quotes"))
		}
		return n, nil
	}
	return nil, nil
}

// rowsOf reads rows such as "5" or "5:7".
func rowsOf(at, rows string) (sheet.Span, error) {
	if rows == "" {
		return sheet.Span{}, nil
	}
	r, ok := sheet.ParseRange(rows)
	if _, isCell := sheet.ParseAddress(rows); !ok || isCell || r.Right != sheet.MaxColumns-1 || r.Left != 0 || r.Bottom == sheet.MaxRows {
		return sheet.Span{}, schema.Invalid(at, fault.T("%q names no rows", rows)).WithHint(fault.T(`give rows such as "5" or "5:7"`))
	}
	return sheet.Span{First: r.Top, Last: r.Bottom}, nil
}

// seen refuses to change cells that have changed since the session read the workbook.
func (a Args) seen(ctx context.Context, f *textfile.File, known textfile.Knowledge, done *workbook.Result) error {
	if a.ExpectSHA != "" || !known.Known || known.Current {
		return nil
	}
	changed := done.Refs()
	if old := known.Before(); old != nil {
		if before, err := workbook.Open(bytes.NewReader(old), int64(len(old))); err == nil {
			var same bool
			if changed, same = before.Compare(ctx, done); same {
				return nil
			}
		}
	} else if !a.ofRows() {
		return nil // the cells have the text that the caller knows
	}
	return fault.New(fault.Stale, fault.T("%s has changed since this session read it: %s", f.Path, strings.Join(changed[:min(len(changed), 10)], ", "))).
		WithHint(fault.T("read these cells again, then repeat the call if it still fits"))
}

// cellsResult describes changed cells.
func cellsResult(path string, done *workbook.Result, most diff.Limit) Result {
	var before, after strings.Builder
	line := func(b *strings.Builder, ref, text string) {
		b.WriteString("| " + ref + " | " + sheet.InCell(text) + " |\n")
	}
	for _, c := range done.Changed {
		if c.Before != "" || !c.Row {
			line(&before, c.Ref, c.Before)
		}
		if c.After != "" || !c.Row {
			line(&after, c.Ref, c.After)
		}
	}
	d := diff.Unified(diff.Modified(path), before.String(), after.String(), most)
	return Result{
		Replacements: len(done.Changed), Edits: []edit.Applied{}, Diff: d.Text, LinesAdded: done.Inserted, LinesRemoved: done.Deleted,
		Changed: slices.Clip(done.Refs()), Recalculate: done.Recalculate,
	}
}
