package epub

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/omml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/html/dom"
)

// prepare replaces the parts of HTML that Markdown lacks: pictures by Markdown that shows
// them, drawings by their words, equations by LaTeX, links within the book by their words.
func (b *book) prepare(root *html.Node, part string) {
	for _, n := range slices.Collect(root.Descendants()) {
		if isHidden(n) {
			dom.Remove(n)
		}
	}
	b.pictures(root, part)
	for _, n := range dom.All(root, atom.Svg) {
		p := dom.Element(atom.P)
		p.AppendChild(dom.NewText(drawn(n)))
		dom.Replace(n, p)
	}
	for _, n := range dom.All(root, atom.Math) {
		equation(n)
	}
	for _, n := range dom.All(root, atom.Sup, atom.Sub) {
		raised(n)
	}
	for _, n := range dom.All(root, atom.Ruby) {
		ruby(n)
	}
	for _, a := range dom.All(root, atom.A) {
		if !external(dom.Attr(a, "href")) {
			dom.Unwrap(a)
		}
	}
}

// isHidden reports whether an element says itself that it does not show. Style sheets are
// not read.
func isHidden(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	style := strings.ToLower(strings.Join(strings.Fields(dom.Attr(n, "style")), ""))
	return dom.Has(n, "hidden") || strings.Contains(";"+style, ";display:none")
}

// drawn returns the words in a drawing.
func drawn(svg *html.Node) string {
	var words []string
	for n := range svg.Descendants() {
		if n.Type == html.ElementNode && n.Data == "text" {
			words = append(words, dom.Collapse(dom.RawText(n)))
		}
	}
	return strings.Join(words, " ")
}

// equation replaces MathML by LaTeX.
func equation(n *html.Node) {
	var source strings.Builder
	if err := html.Render(&source, n); err != nil {
		return // it stays unchanged
	}
	s := xmlscan.New(strings.NewReader(source.String()))
	if s.Next() != xmlscan.Start {
		return
	}
	mark := "$"
	if dom.Attr(n, "display") == "block" {
		mark = "$$"
	}
	if tex := omml.MathML(s); tex != "" {
		dom.Replace(n, dom.Raw(mark+tex+mark))
	}
}

// raised keeps superscripts and subscripts: 10<sup>2</sup> is not 102.
func raised(n *html.Node) {
	if dom.Text(n) == "" || n.Parent == nil {
		return
	}
	n.Parent.InsertBefore(dom.Raw("<"+n.Data+">"), n)
	n.Parent.InsertBefore(dom.Raw("</"+n.Data+">"), n.NextSibling)
	dom.Unwrap(n)
}

// ruby puts the reading of words in parentheses, if the page does not do that.
func ruby(n *html.Node) {
	if dom.First(n, atom.Rp) != nil {
		return
	}
	for _, rt := range dom.All(n, atom.Rt) {
		rt.InsertBefore(dom.NewText("("), rt.FirstChild)
		rt.AppendChild(dom.NewText(")"))
	}
}

// pictures replaces pictures by Markdown that shows them.
func (b *book) pictures(root *html.Node, part string) {
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
}

// address returns the part that an address on a page names, or the address if it leads
// out of the book.
func (b *book) address(part, address string) string {
	if external(strings.TrimSpace(address)) {
		return strings.TrimSpace(address)
	}
	return b.d.resolve(path.Dir(part), address)
}

// show returns Markdown that shows a picture. One that cannot be read is reported as an
// error of the chapter.
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
