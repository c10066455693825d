package epub

import (
	"context"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/document"
	"github.com/helve-dev/helve/pkg/files/document/markdown"
	"github.com/helve-dev/helve/pkg/files/document/xmlscan"
	"github.com/helve-dev/helve/pkg/web/dom"
	webmarkdown "github.com/helve-dev/helve/pkg/web/markdown"
	"github.com/helve-dev/helve/pkg/web/parse"
)

// Limits of a chapter.
const (
	maxChapter    = 16 << 20 // bytes
	maxNodes      = 500_000
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

// chapter writes a chapter.
func (b *book) chapter(it item) error {
	b.err = nil
	if !isPage(it) {
		if strings.HasPrefix(it.mime, "image/") {
			b.w.Paragraph(b.show(it.part, ""))
			return b.err
		}
		b.q.Warning(fault.T("the chapter %s is of a type that cannot be read: %s", "章节 %s 的类型无法读取：%s", path.Base(it.part), it.mime))
		return nil
	}
	text, err := b.d.text(it.part)
	if err != nil && text == "" {
		return err
	}
	if len(text) == maxChapter {
		b.q.Warning(fault.T("the chapter %s is read up to %d bytes", "章节 %s 只读取前 %d 字节", path.Base(it.part), maxChapter))
	}
	doc, reached := parse.Document(expand(text), parse.Limits{Nodes: maxNodes, Depth: maxDepth, Marks: maxMarks, Attributes: maxAttributes})
	if reached&parse.Nodes != 0 {
		b.q.Warning(fault.T("the chapter %s has more elements than are read", "章节 %s 的元素过多，未全部读取", path.Base(it.part)))
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
		return fault.New(fault.BadDocument, fault.T("a chapter cannot be written as Markdown: %s", "无法将章节写为 Markdown：%s", err.Error())).
			WithHint(fault.T("read the chapter itself: unpack the book with unzip", "请用 unzip 解包后直接读取该章节")).Because(err)
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

// heading gives a chapter without a heading the title that the table of contents has for
// it.
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

// prepare replaces pictures by what shows them, and links within the book by their words.
func (b *book) prepare(root *html.Node, part string) {
	for _, n := range dom.All(root, atom.Img, atom.Image, atom.Object) {
		src := dom.Attr(n, "src")
		switch n.DataAtom {
		case atom.Image: // of SVG
			for _, a := range n.Attr { // with a prefix or without
				if a.Key == "href" {
					src = a.Val
				}
			}
		case atom.Object:
			if src = dom.Attr(n, "data"); !strings.HasPrefix(dom.Attr(n, "type"), "image/") {
				continue
			}
		}
		place := n
		for a := range n.Ancestors() {
			if dom.Is(a, atom.Svg) {
				place = a
			}
		}
		if place.Parent == nil {
			continue // another picture of the same drawing
		}
		alt := dom.Collapse(dom.Attr(n, "alt"))
		if shown := b.show(b.address(part, src), alt); shown != "" {
			dom.Replace(place, dom.Raw(shown))
		} else {
			dom.Remove(place)
		}
	}
	for _, n := range dom.All(root, atom.Svg) {
		dom.Remove(n) // a drawing has no text in order
	}
	for _, a := range dom.All(root, atom.A) {
		if !external(dom.Attr(a, "href")) {
			dom.Unwrap(a)
		}
	}
}

// address returns the part that an address on a page names, or the address if it leads
// out of the book.
func (b *book) address(part, address string) string {
	if external(strings.TrimSpace(address)) {
		return strings.TrimSpace(address)
	}
	return b.d.resolve(path.Dir(part), address)
}

// show returns Markdown that shows a picture. One that cannot be read is told as an error
// of the chapter.
func (b *book) show(part, alt string) string {
	switch {
	case part == "" || b.q.Image == nil || strings.HasPrefix(part, "data:"):
		return ""
	case external(part):
		return b.q.Show(document.Image{Alt: alt, Link: part})
	}
	mime := ""
	for _, it := range b.d.items {
		if strings.EqualFold(it.part, part) {
			if mime = it.mime; it.encrypted {
				return "[image: " + markdown.Escape(alt) + "]"
			}
			break
		}
	}
	data, err := b.d.parts.Read(part)
	if err != nil {
		if b.err == nil {
			b.err = err
		}
		return ""
	}
	return b.q.Show(document.Image{MIME: mime, Data: data, Alt: alt})
}

// expand gives elements that XHTML may leave empty an end tag, as HTML wants it: in HTML,
// <title/> or <a id="x"/> has no end.
func expand(page string) string {
	if !strings.Contains(page, "/>") {
		return page
	}
	var b strings.Builder
	b.Grow(len(page) + len(page)/16)
	for {
		i := strings.IndexByte(page, '<')
		if i < 0 {
			break
		}
		b.WriteString(page[:i])
		page = page[i:]
		end := tagEnd(page)
		tag := page[:end]
		page = page[end:]
		name := tag[1:]
		if j := strings.IndexAny(name, " \t\r\n/>"); j >= 0 {
			name = name[:j]
		}
		if !strings.HasSuffix(tag, "/>") || name == "" || !isLetter(name[0]) || isVoid(name) {
			b.WriteString(tag)
			continue
		}
		b.WriteString(strings.TrimSuffix(tag, "/>") + "></" + name + ">")
	}
	b.WriteString(page)
	return b.String()
}

// tagEnd returns the length of the tag or comment at the beginning of a text.
func tagEnd(text string) int {
	if strings.HasPrefix(text, "<!--") {
		if i := strings.Index(text, "-->"); i >= 0 {
			return i + len("-->")
		}
		return len(text)
	}
	if len(text) < 2 || !isLetter(text[1]) && text[1] != '/' && text[1] != '!' && text[1] != '?' {
		return 1
	}
	var quote byte
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return 1 // a quote that nothing ends
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isVoid reports whether an element never has an end tag in HTML.
func isVoid(name string) bool {
	switch strings.ToLower(name) {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}
