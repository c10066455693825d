// Package odf reads OpenDocument: texts (.odt), presentations (.odp), drawings (.odg) and
// spreadsheets (.ods), as packages and as flat XML files (.fodt, .fodp, .fods).
//
// The format is OASIS OpenDocument 1.3: part 2 the packages, part 3 the schema:
// https://docs.oasis-open.org/office/OpenDocument/v1.3/
package odf

import (
	"context"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// Document is an open text, presentation or drawing.
type Document struct {
	parts  *container
	format string
}

var _ document.Reader = (*Document)(nil)

// Open opens a document. It reads little more than what kind of document it is; one that is
// encrypted is opened, too. The faults are bad_document, and unsupported_content if it is
// OpenDocument, but neither a text nor slides nor a drawing.
func Open(file io.ReaderAt, size int64) (*Document, error) {
	parts, err := openContainer(file, size)
	if err != nil {
		return nil, err
	}
	d := &Document{parts: parts, format: parts.format()}
	switch strings.TrimPrefix(d.format, "f") {
	case "odt", "odp", "odg":
		return d, nil
	case "ods":
		return nil, fault.New(fault.UnsupportedContent, fault.T("the document is a spreadsheet")).
			WithHint(fault.T("open it as a spreadsheet"))
	}
	return nil, unknownKind(parts.mimetype)
}

func unknownKind(mime string) error {
	return fault.New(fault.UnsupportedContent, fault.T("documents of the type %q are not read", mime)).
		WithHint(fault.T("convert a copy with: soffice --headless --convert-to pdf FILE"))
}

// Info returns the title, the author and the number of slides. An encrypted document says
// nothing of itself.
func (d *Document) Info() document.Info {
	info := document.Info{Format: d.format}
	info.Title, info.Author = d.parts.properties()
	if d.isSlides() {
		info.Slides = d.parts.countPages()
	}
	return info
}

func (d *Document) isSlides() bool { return !strings.HasSuffix(d.format, "odt") }

// Render writes the document. The notes and comments of a text come at its end.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	parts, err := d.parts.unlocked(q.Password)
	if err != nil {
		return err
	}
	var pages document.Pages
	if d.isSlides() {
		if pages, err = document.ParsePages(q.Pages, parts.countPages()); err != nil {
			return err
		}
	}
	r := newReader(ctx, parts, q)
	r.full = w.Full
	r.pages = pages
	if !parts.flat {
		if err := r.readPart("styles.xml", nil); err != nil && !fault.Is(err, fault.NotFound) {
			q.Warning(fault.T("the styles are damaged: headings and emphasis may be missing"))
		}
	}
	out := toWriter{w}
	err = r.readPart("content.xml", out)
	r.flush(place{sink: out})
	r.writeNotes(w)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// readPart reads the styles of a part and, if there is a sink, its content.
func (r *reader) readPart(part string, to sink) error {
	f, err := r.parts.open(part)
	if err != nil {
		return err
	}
	defer f.Close()
	r.s = xmlscan.New(f)
	for k := r.s.Next(); k != xmlscan.EOF; k = r.s.Next() {
		if k != xmlscan.Start {
			continue
		}
		switch r.s.Name() {
		case "office:styles", "office:automatic-styles", "office:master-styles", "office:font-face-decls":
			r.styles.read(r.s)
		case "office:body":
			if to != nil {
				r.blocks(place{sink: to})
			}
		case "office:meta", "office:settings", "office:scripts":
			r.s.Skip()
		}
		if r.done() {
			break
		}
	}
	if r.failed != nil {
		return r.failed
	}
	if r.done() {
		return nil // whatever comes then is not wanted
	}
	return r.s.Err()
}
