// Package open finds the reader for a document by what it is, and keeps to itself what a
// damaged one may do to it.
package open

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// Document is an open document: either a text that is read from its beginning to its end,
// or a spreadsheet.
type Document struct {
	Format Format
	Text   document.Reader
	Book   sheet.Book
	// Incomplete says that the file ends too early; what there is can be read.
	Incomplete bool
}

// Format is a document format, and what can be asked of it.
type Format struct {
	Name string // its usual extension
	// Pages says that there are pages or slides, Changes that changes may be tracked,
	// Password that it may be encrypted in a way that can be undone.
	Pages, Changes, Password bool
}

// Reads reports whether documents of a media type can be read.
func Reads(mime string) bool { return formatOf(mime) != nil }

// Paged reports whether documents of a media type are read by pages or slides.
func Paged(mime string) bool {
	f := formatOf(mime)
	return f != nil && f.Pages
}

// Open opens a document of a media type. The faults are bad_document, encrypted_document,
// unsupported_content and too_large.
func Open(ctx context.Context, file io.ReaderAt, size int64, mime, password string) (d Document, err error) {
	f := formatOf(mime)
	if f == nil {
		return d, unsupported(mime)
	}
	if size > f.most {
		return d, fault.New(fault.TooLarge, fault.T("the document has %d bytes; the limit is %d", size, f.most)).
			WithHint(fault.T("split it, or convert it to text with another program"))
	}
	d.Format = f.Format
	err = guarded(func() error { return f.open(ctx, &d, file, size, password) })
	if err == nil && isPackage(mime) {
		_, damaged := zipped.Open(file, size)
		d.Incomplete = damaged != nil
	}
	return d, err
}

func unsupported(mime string) error {
	return fault.New(fault.UnsupportedContent, fault.T("documents of the type %s cannot be read", mime)).
		WithHint(Converting(mime))
}

// Converting says how to read content of a type that has no reader: which program makes one
// that has.
func Converting(mime string) fault.Text {
	switch mime {
	case kind.VisioMIME, kind.PublisherMIME, kind.PowerPointMIME:
		return fault.T("convert a copy, then read that: soffice --headless --convert-to pdf FILE")
	case "image/emf", "image/wmf":
		return fault.T("convert a copy, then look at that: soffice --headless --convert-to png FILE")
	}
	return fault.T("convert it to text or Markdown with another program, then read that")
}

// Render writes a text. What was written before an error is good. Readers bound the work that
// a document takes, never the time, so that the same bytes always give the same text.
func Render(ctx context.Context, r document.Reader, q *document.Request, w *markdown.Writer) error {
	err := inTime(ctx, func() error { return r.Render(ctx, q, w) })
	if errors.Is(err, zipped.ErrLimit) && len(w.Bytes()) > 0 {
		q.Leave("")
		return nil
	}
	return err
}

// Outline returns the outline that a document has of its own; ok is false if it has none.
func Outline(ctx context.Context, r document.Reader, q *document.Request) (entries []document.Entry, ok bool, err error) {
	o, ok := r.(document.Outliner)
	if !ok {
		return nil, false, nil
	}
	err = inTime(ctx, func() (err error) {
		entries, err = o.Outline(ctx, q)
		return err
	})
	return entries, true, err
}

// Show shows a part of a spreadsheet.
func Show(ctx context.Context, b sheet.Book, q sheet.Query) (page *sheet.Page, err error) {
	err = inTime(ctx, func() (err error) {
		page, err = sheet.Show(ctx, b, q)
		return err
	})
	return page, err
}

// Sheets lists what is in a spreadsheet.
func Sheets(ctx context.Context, b sheet.Book) (o *sheet.Outline, err error) {
	err = inTime(ctx, func() (err error) {
		o, err = sheet.OutlineOf(ctx, b)
		return err
	})
	return o, err
}

// inTime reads until the context ends. If it does, that is the error, whatever else there is:
// what was read until then depends on the machine.
func inTime(ctx context.Context, read func() error) error {
	err := guarded(read)
	switch {
	case err == nil || ctx.Err() == nil:
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fault.New(fault.Timeout, fault.T("reading the document took longer than the call may take")).
			WithHint(fault.T("ask for a part of it: pages, sheet or a range"))
	}
	return ctx.Err()
}

// guarded turns a panic into a fault of the document: a reader that does not expect what
// is in a file must not end the program.
func guarded(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.New(fault.BadDocument, fault.T("the document is damaged in a way that its reader does not expect")).
				WithHint(fault.T("it may be incomplete: get the file again, or convert it with another program")).
				Because(fmt.Errorf("panic: %v", p))
		}
	}()
	return read()
}
