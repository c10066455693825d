// Package docx reads Word documents: .docx, .docm, .dotx and .dotm in both conformance
// classes, transitional and strict. It streams the document's main part and writes what it
// finds at once; only styles, numbering definitions and what is written at the end (notes
// and comments) are held.
//
// The format is WordprocessingML, ECMA-376 part 1, 17:
// https://ecma-international.org/publications-and-standards/standards/ecma-376/
package docx

import (
	"context"
	"io"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/fault"
)

// Document is an open document.
type Document struct{ parts *ooxml.Package }

var _ document.Reader = (*Document)(nil)

// Open opens a document. The faults are those of [ooxml.Open].
func Open(file io.ReaderAt, size int64) (*Document, error) {
	parts, err := ooxml.Open(file, size)
	if err != nil {
		return nil, err
	}
	return &Document{parts}, nil
}

// Info returns the metadata of the document.
func (d *Document) Info() document.Info {
	about := d.parts.Properties()
	return document.Info{Format: "docx", Title: about.Title, Author: about.Author}
}

// Render writes the text, then the notes and the comments that it refers to. Headers and
// footers are not part of it. A damaged document is written as far as it can be read, and
// the fault is returned.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	r := &renderer{ctx: ctx, q: q, parts: d.parts, main: d.parts.Main()}
	rels := d.parts.Relations(r.main)
	r.styles = readStyles(d.parts, rels)
	r.numbering = readNumbering(d.parts, rels, r.styles)
	s, closer, err := d.parts.Scan(r.main)
	if err != nil {
		return err
	}
	defer closer.Close()
	r.enter(r.main)
	f := &flow{to: w, top: true}
	found := false
	for r.find(s, "w:body") {
		found = true
		r.blocks(s, f)
	}
	r.end(f)
	if err = s.Err(); err == nil && !found {
		err = fault.New(fault.BadDocument, fault.T("%s is no text document: it has no body", r.main)).
			WithHint(fault.T("it may be incomplete: get the file again"))
	}
	if r.err != nil {
		return r.err
	}
	if !w.Full() {
		r.writeNotes(w)
		r.writeComments(w)
	}
	if r.err != nil {
		return r.err
	}
	return err
}
