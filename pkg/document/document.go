// Package document defines the request and the result that the readers of all document formats
// share. Each format is a package below it; package open finds the one for a file. They read
// bytes and write Markdown; they know no tools, open no files by name and save nothing.
package document

import (
	"context"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// Reader is an open document that is read from its beginning to its end. Spreadsheets are
// read as a sheet.Book instead.
type Reader interface {
	// Info returns what is known without reading the content.
	Info() Info
	// Render writes the document in reading order until w is full. What it wrote before an
	// error is good.
	Render(ctx context.Context, q *Request, w *markdown.Writer) error
}

// Outliner is a document with an outline of its own, such as the bookmarks of a PDF. The
// outline of any other is made of its headings.
type Outliner interface {
	Outline(ctx context.Context, q *Request) ([]Entry, error)
}

// Entry is an entry of an outline. Page is 0 if it is not known.
type Entry struct {
	Title string `json:"title"`
	Level int    `json:"level"` // from 1
	Page  int    `json:"page,omitzero"`
}

// Changes is a way to show tracked changes.
type Changes string

// The ways to show tracked changes.
const (
	Accept Changes = "accept" // as if all were accepted
	Reject Changes = "reject" // as it was before
	All    Changes = "all"    // both, marked with <ins> and <del>
)

// Request says which parts of a document to read, and how. The zero value asks for all of it.
type Request struct {
	// Pages are the pages or slides that are wanted, such as "1-5,9"; see [ParsePages].
	Pages    string
	Changes  Changes
	Password string
	// Image is called for each image in reading order. It returns the path under which the
	// image can be read, or "" if it was not saved. It is nil if no images are wanted.
	Image func(Image) (path string)
	// Warn, if not nil, is called with warnings, such as that pages have no text.
	Warn func(fault.Text)
	// Progress, if it is set, is called before each page or slide that is read, with its
	// place among those that are wanted, from 1, and their number.
	Progress func(n, of int)
	// Final says that the caller cannot repeat the call with other options: warnings do
	// not suggest it.
	Final bool

	changed bool   // tracked changes were met
	cut     bool   // the reading ended early
	left    string // the pages that were left, if there are pages
}

// Leave is called where a reading ends although neither the document nor the window does: it
// took as much work as a call may. pages are those left for another; "" if there are none.
func (q *Request) Leave(pages string) {
	q.cut, q.left = true, pages
	switch {
	case pages == "":
		q.Warning(fault.T("the rest of the document is not read: it takes more work than a call may"))
	case q.Final:
		q.Warning(fault.T("the pages %s are not read: they take more work than a call may", pages))
	default:
		q.Warning(fault.T("the pages %s are not read, as a call may take no more work; continue with pages=%s", pages, pages))
	}
}

// Left reports whether a reading ended early, and the pages that it left.
func (q *Request) Left() (pages string, cut bool) { return q.left, q.cut }

// Changed is called where a document has a tracked change. It warns a caller who reads the
// document as if all were accepted, once.
func (q *Request) Changed() {
	switch {
	case q.changed || q.Changes != "" && q.Changes != Accept:
	case q.Final:
		q.Warning(fault.T("there are tracked changes, shown as if they were accepted"))
	default:
		q.Warning(fault.T("there are tracked changes, shown as if they were accepted; track_changes=all marks them, reject takes them back"))
	}
	q.changed = true
}

// At reports that the n-th page or slide of so many is read next, if somebody listens.
func (q *Request) At(n, of int) {
	if q.Progress != nil {
		q.Progress(n, of)
	}
}

// Image is a picture of a document. Data that is nil stands for one that is not in it,
// but at Link.
type Image struct {
	MIME   string
	Data   []byte
	Alt    string
	Anchor string // where it is: "Sheet1!C7", "slide 3", "page 4"; "" in a text
	Link   string
}

// Show saves an image and returns Markdown in its place; "" if images are not wanted.
func (q *Request) Show(i Image) string {
	if q.Image == nil {
		return ""
	}
	if i.Data == nil {
		return markdown.Image(i.Alt, i.Link)
	}
	if path := q.Image(i); path != "" {
		return markdown.Image(i.Alt, path)
	}
	alt := i.Alt
	if alt == "" {
		alt = i.MIME
	}
	return "[image: " + markdown.Escape(alt) + "]"
}

// Warning reports something, if somebody listens.
func (q *Request) Warning(t fault.Text) {
	if q.Warn != nil {
		q.Warn(t)
	}
}

// Info describes a document. Counts that are not known are 0.
type Info struct {
	Format   string `json:"format"` // its usual extension: docx, pdf, …
	Title    string `json:"title,omitzero"`
	Author   string `json:"author,omitzero"`
	Pages    int    `json:"pages,omitzero"`
	Slides   int    `json:"slides,omitzero"`
	Chapters int    `json:"chapters,omitzero"`
}
