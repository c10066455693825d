package epub

import (
	"context"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/dom"
	webmarkdown "github.com/helve-dev/helve/pkg/html/markdown"
	"github.com/helve-dev/helve/pkg/html/parse"
)

// Limits of a chapter.
const (
	maxChapter    = 16 << 20 // bytes
	maxNodes      = 300_000
	maxDepth      = 512
	maxMarks      = 24
	maxAttributes = 250_000
)

// book writes a book.
type book struct {
	ctx    context.Context
	d      *Document
	q      *document.Request
	w      *markdown.Writer
	titles map[string]tocEntry
	labels map[string]string // of notes, by where they are: part#id
	err    error             // of a picture; the first in a chapter
}

func (b *book) chapter(it item) error {
	b.err = nil
	if !isPage(it) {
		if strings.HasPrefix(it.mime, "image/") {
			b.w.Paragraph(b.show(it.part, ""))
			return b.err
		}
		b.q.Warning(fault.T("the chapter %s is of a type that cannot be read: %s", path.Base(it.part), it.mime))
		return nil
	}
	text, err := b.d.text(it.part)
	if err != nil && text == "" {
		return err
	}
	if len(text) == maxChapter {
		b.q.Warning(fault.T("the chapter %s is read up to %d bytes", path.Base(it.part), maxChapter))
	}
	doc, reached := parse.Document(expand(text), parse.Limits{Nodes: maxNodes, Depth: maxDepth, Marks: maxMarks, Attributes: maxAttributes})
	if reached&parse.Nodes != 0 {
		b.q.Warning(fault.T("the chapter %s has more elements than are read", path.Base(it.part)))
	}
	body := dom.Body(doc)
	notes := b.notes(body, it.part)
	b.heading(body, it.part)
	b.prepare(body, it.part)
	if failed := b.write(body); err == nil {
		err = failed
	}
	for _, n := range notes {
		b.note(n, it.part)
	}
	if err == nil {
		err = b.err
	}
	return err
}

// text returns a page in UTF-8, at most [maxChapter] of it. It may come with an error.
func (d *Document) text(part string) (string, error) {
	file, err := d.parts.Open(part)
	if err != nil {
		return "", err
	}
	defer file.Close()
	r, err := xmlscan.Decoded(file)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	_, err = io.Copy(&text, io.LimitReader(r, maxChapter))
	return text.String(), err
}

// write writes a tree block by block.
func (b *book) write(n *html.Node) error {
	webmarkdown.Normalize(n, nil)
	text, err := webmarkdown.Of(n)
	if err != nil {
		return fault.New(fault.BadDocument, fault.T("a chapter cannot be written as Markdown: %s", err.Error())).
			WithHint(fault.T("read the chapter itself: unpack the book with unzip")).Because(err)
	}
	for block := range blocks(text) {
		b.w.Block(block)
	}
	return nil
}

// blocks iterates over the blocks of Markdown: what has blank lines around it and is no
// code.
func blocks(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		fence, from, at := "", 0, 0
		for at < len(text) {
			end := strings.IndexByte(text[at:], '\n') + 1
			if end == 0 {
				end = len(text) - at
			}
			line := strings.TrimRight(text[at:at+end], "\n")
			if line == "" && fence == "" {
				if strings.TrimSpace(text[from:at]) != "" && !yield(text[from:at]) {
					return
				}
				from = at + end
			}
			fence = webmarkdown.Fence(fence, line)
			at += end
		}
		if strings.TrimSpace(text[from:]) != "" {
			yield(text[from:])
		}
	}
}

// heading adds the title from the table of contents to a chapter without a heading.
func (b *book) heading(body *html.Node, part string) {
	entry, ok := b.titles[strings.ToLower(part)]
	if !ok || dom.First(body, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) != nil {
		return
	}
	levels := [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
	level := levels[max(1, min(entry.level, len(levels)))-1]
	for n := range body.Descendants() { // the title may be there as a paragraph
		if dom.IsBlock(n) && !dom.HoldsBlock(n) && dom.Text(n) != "" {
			if strings.EqualFold(dom.Text(n), entry.title) {
				dom.Rename(n, level)
				return
			}
			break
		}
	}
	h := dom.Element(level)
	h.AppendChild(dom.NewText(entry.title))
	body.InsertBefore(h, body.FirstChild)
}
