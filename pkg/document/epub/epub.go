// Package epub reads e-books: EPUB 2 and 3. Their chapters are pages of HTML, which become
// Markdown one after the other in the order of the spine.
//
// The format is EPUB 3.3 (https://www.w3.org/TR/epub-33/), with what EPUB 2.0.1 adds for
// the table of contents (https://idpf.org/epub/20/spec/OPF_2.0.1_draft.htm).
package epub

import (
	"context"
	"io"
	"path"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// Document is an open e-book.
type Document struct {
	parts *zipped.Package
	info  document.Info
	items []item // of the manifest
	spine []int  // of items, in reading order
	nav   string // the part of the table of contents, "" for none
	ncx   string // that of EPUB 2
	err   error  // of the package document
}

// item is a file of the book.
type item struct {
	id, part, mime, properties string
	encrypted                  bool
}

// Its outline lists its headings, which lead to lines; chapters without headings take
// theirs from the table of contents.
var _ document.Reader = (*Document)(nil)

// Open opens a book. The faults are bad_document, encrypted_document, and
// unsupported_content if the ZIP archive is no book.
func Open(file io.ReaderAt, size int64) (*Document, error) {
	parts, err := zipped.OpenPackage(file, size)
	if err != nil {
		return nil, err
	}
	d := &Document{parts: parts, info: document.Info{Format: "epub"}}
	opf := d.findPackage()
	if opf == "" {
		return nil, fault.New(fault.UnsupportedContent, fault.T("the ZIP archive is no e-book: it has no package document")).
			WithHint(fault.T("it may be incomplete: get the file again"))
	}
	if err := d.readPackage(opf); err != nil {
		return nil, err
	}
	if err := d.readEncryption(); err != nil {
		return nil, err
	}
	d.info.Chapters = len(d.spine)
	if len(d.spine) == 0 {
		if d.err == nil {
			d.err = fault.New(fault.BadDocument, fault.T("the e-book has no chapters")).
				WithHint(fault.T("it may be incomplete: get the file again"))
		}
		return nil, d.err
	}
	return d, nil
}

// Info returns the metadata of the book.
func (d *Document) Info() document.Info { return d.info }

// Render writes chapter after chapter. One that is missing is left out with a warning; the
// fault of a damaged one is returned after the rest was written.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	first := d.err
	toc, err := d.contents()
	if err != nil {
		q.Warning(fault.T("the table of contents: %s", err.Error()))
	}
	b := book{ctx: ctx, d: d, q: q, w: w, titles: titlesOf(toc), labels: map[string]string{}}
	for _, i := range d.spine {
		if w.Full() {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		at := d.items[i]
		if at.part == d.nav && d.nav != "" && len(d.spine) > 1 {
			continue // the headings are the outline
		}
		switch err := b.chapter(at); {
		case err == nil:
		case fault.Is(err, fault.NotFound):
			q.Warning(fault.T("the chapter %s: %s", path.Base(at.part), err.Error()))
		case first == nil:
			first = err
		}
	}
	return first
}
