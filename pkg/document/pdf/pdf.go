// Package pdf reads PDF files: the text of their pages in the order in which people read
// it, their bookmarks and their pictures.
package pdf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/pdf/content"
	"github.com/helve-dev/helve/pkg/document/pdf/layout"
	"github.com/helve-dev/helve/pkg/document/pdf/meta"
	"github.com/helve-dev/helve/pkg/document/pdf/object"
	"github.com/helve-dev/helve/pkg/document/pdf/picture"
	"github.com/helve-dev/helve/pkg/fault"
)

// Document is an open PDF file.
type Document struct {
	file *object.File
	most int // work of one reading
}

// mostWork is the work, in operators, from which on a reading leaves the other pages to the
// next one.
const mostWork = 100_000_000

var (
	_ document.Reader   = (*Document)(nil)
	_ document.Outliner = (*Document)(nil)
)

// Open opens a file. password may be empty. The faults are bad_document,
// encrypted_document, too_large and io_error.
func Open(file io.ReaderAt, size int64, password string) (*Document, error) {
	f, err := object.Open(file, size, password)
	if err != nil {
		return nil, err
	}
	return &Document{f, mostWork}, nil
}

// Info implements [document.Reader].
func (d *Document) Info() document.Info {
	return meta.Info(d.file)
}

// Render implements [document.Reader]. Each page begins with a heading of its number.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	total := d.file.PageCount()
	if total == 0 {
		return fault.New(fault.BadDocument, fault.T("the PDF has no pages")).
			WithHint(fault.T("it may be incomplete: get the file again"))
	}
	pages, err := document.ParsePages(q.Pages, total)
	if err != nil {
		return err
	}
	r := renderer{Document: d, q: q, w: w, content: content.New(d.file, d.hidden())}
	at := 0
	for n := range pages.All {
		if w.Full() {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if at > 0 && r.content.Work() > d.most {
			q.Leave(pages.From(at))
			break
		}
		at++
		q.At(at, pages.Len())
		if err := r.page(ctx, n); err != nil {
			return err
		}
		if at > 1 && d.file.Spent() {
			q.Leave(pages.From(at - 1)) // this one again: it may lack something
			break
		}
	}
	r.warn()
	return nil
}

// renderer writes pages.
type renderer struct {
	*Document
	q       *document.Request
	w       *markdown.Writer
	content *content.Interpreter

	empty    []int // pages without text
	opaque   []int // pages whose text, or much of it, cannot be decoded
	pictures bool  // they have pictures
	broken   []int // pages of which something could not be read
	crowded  []int // pages that hold more than is read
}

// page writes one page. Only the end of the context is an error: what is wrong with a page
// is reported at the end.
func (r *renderer) page(ctx context.Context, n int) error {
	r.w.Heading(2, fmt.Sprintf("Page %d", n))
	p := r.file.Page(n)
	shown, err := r.run(ctx, p)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	failed := r.show(ctx, p, shown)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch {
	case errors.Is(err, content.ErrTooMuch):
		r.crowded = append(r.crowded, n)
	case failed != nil || err != nil:
		r.broken = append(r.broken, n)
	}
	return nil
}

// show writes the text of a page, or the pictures of one that has none.
func (r *renderer) show(ctx context.Context, p *object.Page, shown content.Page) (err error) {
	defer caught(&err)
	links := r.mark(p, shown.Glyphs)
	if blocks := layout.Page(shown.Glyphs); len(blocks) > 0 {
		r.write(blocks, links)
		if shown.Opaque >= leastOpaque && shown.Opaque > len(shown.Glyphs)/opaqueShare {
			r.opaque = append(r.opaque, p.Number)
		}
		return nil
	}
	if shown.Opaque >= leastOpaque {
		r.opaque = append(r.opaque, p.Number)
	} else {
		r.empty = append(r.empty, p.Number)
	}
	if shown.Images > 0 {
		r.pictures = true
		return r.images(ctx, p)
	}
	return nil
}

// A page is said to have text that cannot be decoded from so many glyphs on, and, if it has
// other text, from this part of that on.
const (
	leastOpaque = 3
	opaqueShare = 20
)

// maxPictures limits the pictures shown of a page without text.
const maxPictures = 50

// images shows the pictures of a page.
func (r *renderer) images(ctx context.Context, p *object.Page) error {
	if r.q.Image == nil {
		return nil
	}
	var failed error
	for _, drawn := range picture.OnPage(r.file, p, maxPictures) {
		if err := ctx.Err(); err != nil {
			return err
		}
		made, err := picture.Of(r.file, drawn.Stream, drawn.Resources)
		if err != nil {
			failed = err
			continue
		}
		anchor := fmt.Sprintf("page %d", p.Number)
		r.w.Paragraph(r.q.Show(document.Image{MIME: made.MIME, Data: made.Data, Alt: anchor, Anchor: anchor}))
	}
	return failed
}

// caught turns a panic over unexpected data into an error: one page must not end the others.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v", p)
	}
}

func (r *renderer) run(ctx context.Context, p *object.Page) (content.Page, error) {
	data, failed := r.file.Contents(p)
	page, err := r.content.Run(ctx, p.Resources, data, base(p), r.annotations(p))
	page.Glyphs = inside(page.Glyphs, p)
	return page, cmp.Or(err, failed)
}

// base transforms a page's user space into the page as shown: upright, its lower left corner
// at 0, 0.
func base(p *object.Page) content.Matrix {
	box := p.MediaBox
	switch p.Rotate {
	case 90:
		return content.Matrix{0, -1, 1, 0, -box.Y0, box.X1}
	case 180:
		return content.Matrix{-1, 0, 0, -1, box.X1, box.Y1}
	case 270:
		return content.Matrix{0, 1, -1, 0, box.Y1, -box.X0}
	}
	return content.Matrix{1, 0, 0, 1, -box.X0, -box.Y0}
}

// inside drops the glyphs that are not on the page.
func inside(glyphs []layout.Glyph, p *object.Page) []layout.Glyph {
	width, height := p.MediaBox.X1-p.MediaBox.X0, p.MediaBox.Y1-p.MediaBox.Y0
	if p.Rotate%180 != 0 {
		width, height = height, width
	}
	kept := glyphs[:0]
	for _, g := range glyphs {
		if g.X > -g.Size && g.X < width && g.Y > -g.Size && g.Y < height+g.Size {
			kept = append(kept, g)
		}
	}
	return kept
}

// warn reports what could not be read.
func (r *renderer) warn() {
	if r.file.Rebuilt() {
		r.q.Warning(fault.T("bad_document: the PDF is damaged; its objects were looked for, and some may be missing"))
	}
	if _, cut := r.q.Left(); r.file.Exhausted() && !cut {
		r.q.Warning(fault.T("bad_document: reading the objects of the PDF takes too much work, and those that were not reached are missing; have another program write it anew, for example: qpdf FILE COPY"))
	}
	if len(r.crowded) > 0 {
		r.q.Warning(fault.T("bad_document: these pages hold more text than pages do, and the rest of it was left out: %s", list(r.crowded)))
	}
	if len(r.broken) > 0 {
		r.q.Warning(fault.T("bad_document: something on the following pages is damaged and was left out: %s", list(r.broken)))
	}
	if len(r.opaque) > 0 {
		r.q.Warning(fault.T("no_text_layer: these pages have text that cannot be decoded, as its fonts do not say what their glyphs mean: %s; have a program for OCR add text", list(r.opaque)))
	}
	if len(r.empty) == 0 {
		return
	}
	if r.pictures {
		r.q.Warning(fault.T("no_text_layer: these pages are pictures without text: %s; look at the pictures, or have a program for OCR add text", list(r.empty)))
		return
	}
	r.q.Warning(fault.T("no_text_layer: these pages have no text: %s", list(r.empty)))
}

// list returns numbers as ranges: "1-3, 5".
func list(pages []int) string {
	const maxRanges = 20
	text, ranges := "", 0
	for i := 0; i < len(pages); {
		j := i
		for j+1 < len(pages) && pages[j+1] == pages[j]+1 {
			j++
		}
		if text != "" {
			text += ", "
		}
		if ranges++; ranges > maxRanges {
			return text + "…"
		}
		text += fmt.Sprint(pages[i])
		if j > i {
			text += fmt.Sprintf("-%d", pages[j])
		}
		i = j + 1
	}
	return text
}
