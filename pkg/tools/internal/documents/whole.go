package documents

import (
	"bytes"
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/archive"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
)

// TextBytes limits the text of a whole document.
const TextBytes = 8 << 20

// Text is a whole document as text.
type Text struct {
	Info    document.Info
	Content string // Markdown; of an archive, a line for each entry
	Lines   bool   // it is no Markdown
	Entries int    // of an archive
	Sheets  []string
	// Warnings describe problems, such as pages without text. Cut says that the document
	// is longer.
	Warnings []fault.Text
	Cut      bool
}

// Reads reports whether [Whole] reads files of a kind.
func Reads(k kind.Kind) bool {
	return k.Class == kind.Notebook || archive.Reads(k.MIME) || k.Class == kind.Document && open.Reads(k.MIME)
}

// Whole returns the text of a document, up to [TextBytes] of it. An image is one line. Of
// what is damaged it returns what can be read, with a warning. The faults are those of
// package open and of package archive.
func Whole(ctx context.Context, raw []byte, k kind.Kind, name string) (*Text, error) {
	t := &Text{}
	switch {
	case k.Class == kind.Notebook:
		return t, t.notebook(raw)
	case archive.Reads(k.MIME):
		return t, t.archive(ctx, raw, k.MIME, name)
	}
	d, err := open.Open(ctx, bytes.NewReader(raw), int64(len(raw)), k.MIME, "")
	if err != nil {
		return nil, err
	}
	if d.Incomplete {
		t.warn(fault.T("the file is incomplete; this is what could be read"))
	}
	if d.Book != nil {
		err = t.book(ctx, d.Book)
		t.Info = d.Book.Info()
	} else {
		err = t.flow(ctx, d.Text)
		t.Info = d.Text.Info() // reading it may have told more
	}
	if err == nil {
		return t, nil
	}
	if t.Content == "" || ctx.Err() != nil {
		return nil, err
	}
	t.warn(fault.T("%s; this is what could be read", fault.As(err).Message))
	return t, nil
}

func (t *Text) warn(w fault.Text) { t.Warnings = append(t.Warnings, w) }

// flow reads a document from its beginning to its end.
func (t *Text) flow(ctx context.Context, r document.Reader) error {
	w := markdown.NewWriter(markdown.Window{Bytes: TextBytes})
	q := document.Request{Final: true, Warn: t.warn, Image: func(document.Image) string { return "" }}
	err := open.Render(ctx, r, &q, w)
	_, left := q.Left()
	t.Content, t.Cut = string(w.Bytes()), w.Full() || left
	return err
}

// book reads the sheets of a spreadsheet.
func (t *Text) book(ctx context.Context, b sheet.Book) error {
	page, err := open.Show(ctx, b, sheet.Query{MaxBytes: TextBytes, Warn: t.warn})
	if page != nil {
		t.Content, t.Cut = page.Markdown, page.NextOffset > 0 || page.NextRange != ""
	}
	if w, ok := b.(sheet.Warner); ok {
		t.Warnings = append(t.Warnings, w.Warnings()...)
	}
	for _, s := range b.Sheets() {
		t.Sheets = append(t.Sheets, s.Name)
	}
	return err
}

// notebook reads the cells of a notebook.
func (t *Text) notebook(raw []byte) (err error) {
	t.Info.Format = "ipynb"
	t.Content, err = notebook.Render(raw, func(notebook.Image) string { return "[image]" })
	return err
}

// archive lists the entries of an archive.
func (t *Text) archive(ctx context.Context, raw []byte, mime, name string) error {
	a, err := archive.Open(ctx, bytes.NewReader(raw), int64(len(raw)), mime, name)
	if err != nil {
		return err
	}
	l, err := a.List(ctx)
	switch {
	case err != nil && (len(l.Entries) == 0 || !fault.Is(err, fault.BadDocument)):
		return err
	case err != nil:
		t.warn(fault.T("%s; the entries before that are listed", fault.As(err).Message))
	case !l.Exact:
		t.warn(fault.T("the archive is too large to list completely"))
	}
	t.Info.Format, t.Entries, t.Lines = string(a.Format), len(l.Entries), true
	t.Content = archive.Lines(l.Entries)
	if len(t.Content) > TextBytes {
		cut := strings.LastIndexByte(t.Content[:TextBytes], '\n') + 1
		t.Content, t.Cut = t.Content[:cut], true
	}
	return nil
}
