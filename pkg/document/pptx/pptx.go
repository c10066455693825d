// Package pptx reads presentations: .pptx, .pptm, .ppsx and .potx, transitional and strict.
// One slide is held at a time, as what is on it is not stored in the order in which people
// read it.
//
// The format is PresentationML, ECMA-376 part 1, 19:
// https://ecma-international.org/publications-and-standards/standards/ecma-376/
package pptx

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// Document is an open presentation.
type Document struct {
	parts   *ooxml.Package
	slides  []slideRef
	style   listStyle // of text that is in no placeholder
	authors map[string]string
	layouts map[string]*layout // and masters, by part
	lost    int                // so many slides are listed that are not there
	err     error              // of the main part
}

var (
	_ document.Reader   = (*Document)(nil)
	_ document.Outliner = (*Document)(nil)
)

// Open opens a presentation. The faults are those of [ooxml.Open].
func Open(file io.ReaderAt, size int64) (*Document, error) {
	parts, err := ooxml.Open(file, size)
	if err != nil {
		return nil, err
	}
	d := &Document{parts: parts, layouts: map[string]*layout{}}
	d.readPresentation()
	if len(d.slides) == 0 && d.err != nil {
		return nil, d.err
	}
	return d, nil
}

// Info returns the metadata of the presentation.
func (d *Document) Info() document.Info {
	about := d.parts.Properties()
	return document.Info{Format: "pptx", Title: about.Title, Author: about.Author, Slides: len(d.slides)}
}

// Render writes slide after slide. What is damaged is left out; its fault is returned
// after the rest was written.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	pages, err := document.ParsePages(q.Pages, len(d.slides))
	if err != nil {
		return err
	}
	first := d.err
	if d.lost > 0 {
		q.Warning(fault.T("the presentation lists %d slides that it does not have", d.lost))
	}
	section, at := "", 0
	for n := range pages.All {
		if w.Full() || n > len(d.slides) {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		at++
		q.At(at, pages.Len())
		ref := d.slides[n-1]
		if ref.section != section {
			section = ref.section
			w.Heading(1, markdown.Escape(section))
		}
		s, err := d.readSlide(ctx, ref)
		r := renderer{ctx: ctx, d: d, q: q, w: w, number: n}
		r.slide(s)
		for _, err := range []error{err, r.err} {
			switch {
			case err == nil:
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, zipped.ErrLimit) && at > 1:
				q.Leave(pages.From(at - 1)) // this one again: it lacks something
				return first
			case fault.Is(err, fault.NotFound):
				q.Warning(fault.T("slide %d: %s", n, err.Error()))
			case first == nil:
				first = err
			}
		}
	}
	return first
}

// Outline returns the titles of the slides, below those of the sections if there are any.
// It reads no more of a slide than leads to its title.
func (d *Document) Outline(ctx context.Context, q *document.Request) (entries []document.Entry, err error) {
	pages, err := document.ParsePages(q.Pages, len(d.slides))
	if err != nil {
		return nil, err
	}
	section, level := "", 1
	for n := range pages.All {
		if n > len(d.slides) {
			break
		}
		if err := ctx.Err(); err != nil {
			return entries, err
		}
		ref := d.slides[n-1]
		if ref.section != section {
			section, level = ref.section, 2
			entries = append(entries, document.Entry{Title: section, Level: 1, Page: n})
		}
		title, hidden, err := d.title(ref)
		if err != nil && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.BadDocument) {
			return entries, err
		}
		if title == "" {
			title = "Slide " + strconv.Itoa(n)
		}
		if hidden {
			title += " (hidden)"
		}
		entries = append(entries, document.Entry{Title: title, Level: level, Page: n})
	}
	return entries, nil
}

// title returns the title of a slide as plain text.
func (d *Document) title(ref slideRef) (title string, hidden bool, err error) {
	s, file, err := d.parts.Scan(ref.part)
	if err != nil {
		return "", false, err
	}
	defer file.Close()
	for name := range rooted(s) {
		switch name {
		case "p:sld":
			hidden = !s.Bool("show", true)
		case "p:sp":
			if title = titleOf(s); title != "" {
				return title, hidden, nil
			}
		}
	}
	return "", hidden, s.Err()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
