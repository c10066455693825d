package read

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Document describes a document that was converted to Markdown. Unknown counts are left
// out.
type Document struct {
	document.Info
	// Headings are the outline that the document itself has, such as the bookmarks of a PDF.
	Headings []document.Entry `json:"headings,omitzero"`
	Sheets   []Sheet          `json:"sheets,omitzero"`
	// Names are defined names and what they refer to: "Tax = Sales!$B$1". What an outline
	// has no room for is counted.
	Names      []string `json:"names,omitzero"`
	MoreSheets int      `json:"more_sheets,omitzero"`
	MoreNames  int      `json:"more_names,omitzero"`
	Shown      *Shown   `json:"shown,omitzero"`
	Total      *Total   `json:"total,omitzero"`
}

// Shown is the part of a document that the content is.
type Shown struct {
	Sheet string `json:"sheet,omitzero"`
	Range string `json:"range,omitzero"` // cells
	Pages string `json:"pages,omitzero"`
}

// Total counts the content of a document. If it is too large to count all of it, Exact is
// false.
type Total struct {
	Entries int   `json:"entries,omitzero"` // of an archive
	Bytes   int64 `json:"bytes,omitzero"`   // of all entries, unpacked
	Rows    int   `json:"rows,omitzero"`    // of a sheet
	Columns int   `json:"columns,omitzero"`
	Exact   bool  `json:"exact"`
}

// converted shows a document as Markdown.
func converted(ctx context.Context, call *tool.Call, f io.ReaderAt, size int64, r Result, a Args) (Result, error) {
	if !open.Paged(r.MIME) {
		f = watch(call, f, size, a.Path)
	}
	d, err := open.Open(ctx, f, size, r.MIME, a.Password)
	if err != nil {
		return Result{}, fault.System(err, a.Path)
	}
	if d.Incomplete {
		call.Warn(fault.T("the file is incomplete; this is what could be read"))
	}
	r.Kind, r.Document = kind.Document, &Document{}
	switch {
	case d.Book != nil:
		err = r.book(ctx, call, d, a)
	default:
		err = r.flow(ctx, call, d, a)
	}
	if r.Content != nil {
		r.Content.Bytes, r.Content.SHA = size, ""
	}
	return r, err
}

// maxSummed is the largest document, in bytes, whose sha a reading reports: a look at a part
// of a large one costs less.
const maxSummed = 8 << 20

// recordDocument records that the session was shown a document that it may change.
func (r *Result) recordDocument(call *tool.Call, f io.ReaderAt, size int64, path string) error {
	if size > maxSummed || r.Content == nil {
		return nil
	}
	raw := make([]byte, size)
	if n, err := f.ReadAt(raw, 0); err != nil && (!errors.Is(err, io.EOF) || int64(n) < size) {
		return fault.System(err, path)
	}
	real, err := realOf(call, path)
	if err != nil {
		return err
	}
	r.Content.SHA = text.Sum(raw)
	textfile.Record(call, real, r.Content.SHA, raw, nil)
	return nil
}

// flow shows a document that is read from its beginning to its end.
func (r *Result) flow(ctx context.Context, call *tool.Call, d open.Document, a Args) error {
	if err := checkUses(&a, r.MIME, usesOf(d)); err != nil {
		return err
	}
	r.Document.Info = d.Text.Info()
	q := document.Request{Pages: a.Pages, Changes: document.Changes(a.Changes), Password: a.Password, Warn: call.Warn}
	if d.Format.Pages {
		q.Progress = turning(call, r.Document.Info, a.Path)
	}
	if a.Outline {
		entries, own, err := open.Outline(ctx, d.Text, &q)
		if err != nil || own && len(entries) > 0 {
			r.Document.Headings, r.Truncated = fitting(entries)
			return err
		}
	}
	window := markdown.Window{From: a.Offset, Lines: a.Offset + a.Limit - 1, Bytes: a.MaxBytes}
	last, bounded := text.LastLine(a.Range)
	switch {
	case a.Outline, a.Symbol != "", a.Offset < 0, a.Range != "" && !bounded:
		window = markdown.Window{}
	case a.Range != "":
		window = markdown.Window{Lines: last}
	}
	w := markdown.NewWriter(window)
	var g *gallery
	if !a.Outline {
		g = newGallery(call, a.Images, w.Lines)
		defer g.close()
		q.Image = g.adder()
	}
	err := open.Render(ctx, d.Text, &q, w)
	switch {
	case err != nil && (len(w.Bytes()) == 0 || ctx.Err() != nil):
		return fault.System(err, a.Path)
	case err != nil:
		call.Warn(fault.T("%s; this is what could be read", fault.As(err).Message))
	}
	r.Document.Info = d.Text.Info() // reading it may have told more
	if a.Pages != "" {
		r.Document.Shown = &Shown{Pages: a.Pages}
	}
	all := w.Bytes()
	if len(all) == 0 && err == nil && len(call.Warnings()) == 0 {
		call.Warn(fault.T("the document has no text"))
	}
	if a.Outline || a.Symbol != "" {
		if done, err := r.section(ctx, &a, all); done || err != nil {
			return err
		}
	}
	if err := r.turn(ctx, all, a); err != nil {
		return err
	}
	if err := r.whole(ctx, w, all, a); err != nil {
		return err
	}
	if pages, cut := q.Left(); cut && !r.Truncated {
		r.Truncated, r.NextPages = true, pages
	}
	r.Language, r.Recommend = "Markdown", nil
	r.Media = g.hang(r.Content.Content, r.StartLine, r.EndLine)
	return nil
}

// section lists the headings of a document, or turns the one that is wanted into a range
// of lines.
func (r *Result) section(ctx context.Context, a *Args, all []byte) (done bool, err error) {
	r.Language = "Markdown"
	s, err := parse(ctx, bytes.NewReader(all), int64(len(all)), r, a, nil)
	if err != nil {
		return false, err
	}
	if a.Outline {
		a.MaxBytes = min(a.MaxBytes, outlineBytes)
		s.list(r, a)
		return true, nil
	}
	a.Range, err = s.rangeOf(r, a)
	return false, err
}

// whole ends the page before a block that goes on after it, and says where it goes on.
func (r *Result) whole(ctx context.Context, w *markdown.Writer, all []byte, a Args) error {
	if w.Full() {
		r.TotalLines = nil
	}
	if a.Range != "" || a.Offset < 0 || len(r.LinesCut) > 0 || !r.Truncated && !w.Full() {
		return nil
	}
	end := w.End(r.StartLine, r.EndLine)
	if end < r.EndLine {
		a.Limit = end - r.StartLine + 1
		total := r.TotalLines
		if err := r.turn(ctx, all, a); err != nil {
			return err
		}
		r.TotalLines = total
	}
	r.Truncated, r.NextOffset = true, r.EndLine+1
	return nil
}

// contentsText shows the outline of a document that has no lines.
func (r *Result) contentsText(v screen.View) string {
	var b strings.Builder
	for _, h := range r.Document.Headings {
		page := ""
		if h.Page > 0 {
			page = v.Text(screen.Number, strconv.Itoa(h.Page)) + " "
		}
		b.WriteString(strings.Repeat("  ", max(h.Level-1, 0)) + page + screen.Line(h.Title) + "\n")
	}
	b.WriteString(r.listed)
	if r.Truncated {
		b.WriteString("[" + v.Say(fault.T("there is more; read the document itself")) + "]\n")
	}
	return b.String()
}

// outlineBytes limits the outline of a document: a look at a book should not cost as much
// as a chapter.
const outlineBytes = 2 << 10

// fitting returns as many entries as an outline has room for: those of all levels, or, if
// they are too many, of the upper ones.
func fitting(entries []document.Entry) (fit []document.Entry, cut bool) {
	const beside = 30 // bytes of an entry beside its title
	deepest := 0
	for _, e := range entries {
		deepest = max(deepest, e.Level)
	}
	for level := deepest; ; level-- {
		fit = nil
		left := outlineBytes
		for _, e := range entries {
			if e.Level > level && level > 1 {
				continue
			}
			if left -= len(e.Title) + beside; left < 0 && (level > 1 || len(fit) > 0) {
				break
			}
			fit = append(fit, e)
		}
		if left >= 0 || level <= 1 {
			return fit, len(fit) < len(entries)
		}
	}
}
