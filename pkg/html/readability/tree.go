package readability

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// next returns the node after n in document order, which may be its child.
func next(n *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	return after(n)
}

// after returns the node after n and all that is below it.
func after(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

// drop removes n and returns the node after it.
func drop(n *html.Node) *html.Node {
	follows := after(n)
	dom.Remove(n)
	return follows
}

// empty reports whether n holds nothing but line breaks.
func empty(n *html.Node) bool {
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode && !dom.Blank(d.Data):
			return false
		case d.Type == html.ElementNode && d.Parent == n && d.DataAtom != atom.Br && d.DataAtom != atom.Hr:
			return false
		}
	}
	return true
}

// hasText reports whether n has a child that is text.
func hasText(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode && !dom.Blank(c.Data) {
			return true
		}
	}
	return false
}

// blocky reports whether a division that holds n is more than a paragraph.
func blocky(n *html.Node) bool {
	return dom.Is(n, atom.Blockquote, atom.Dl, atom.Div, atom.Img, atom.Ol, atom.P, atom.Pre, atom.Table, atom.Ul)
}

func holdsBlock(n *html.Node) bool {
	for d := range n.Descendants() {
		if blocky(d) {
			return true
		}
	}
	return false
}

// phrasing reports whether n can be part of a paragraph.
func phrasing(n *html.Node) bool {
	if n.Type == html.TextNode {
		return true
	}
	switch n.DataAtom {
	case atom.Abbr, atom.Audio, atom.B, atom.Bdo, atom.Br, atom.Button, atom.Cite, atom.Code, atom.Data, atom.Datalist,
		atom.Dfn, atom.Em, atom.Embed, atom.I, atom.Img, atom.Input, atom.Kbd, atom.Label, atom.Mark, atom.Math, atom.Meter,
		atom.Noscript, atom.Object, atom.Output, atom.Progress, atom.Q, atom.Ruby, atom.Samp, atom.Script, atom.Select,
		atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Textarea, atom.Time, atom.Var, atom.Wbr:
		return true
	case atom.A, atom.Del, atom.Ins:
		for c := range n.ChildNodes() {
			if !phrasing(c) {
				return false
			}
		}
		return true
	}
	return false
}

// spacing reports whether n is white space: blank text or a line break.
func spacing(n *html.Node) bool {
	return dom.IsBlank(n) || dom.Is(n, atom.Br)
}

// gather puts each run of phrases that are children of a division into a paragraph.
func gather(div *html.Node) {
	var p *html.Node
	finish := func() {
		for p != nil && p.LastChild != nil && spacing(p.LastChild) {
			p.RemoveChild(p.LastChild)
		}
		p = nil
	}
	for c := div.FirstChild; c != nil; {
		follows := c.NextSibling
		switch {
		case !phrasing(c):
			finish()
		case p != nil:
			div.RemoveChild(c)
			p.AppendChild(c)
		case !spacing(c):
			p = dom.Element(atom.P)
			dom.Replace(c, p)
			p.AppendChild(c)
		}
		c = follows
	}
	finish()
}

// joinLines turns texts between two or more line breaks into paragraphs.
func joinLines(body *html.Node) {
	for _, br := range dom.All(body, atom.Br) {
		if br.Parent == nil {
			continue
		}
		double := false
		for n := behind(br); dom.Is(n, atom.Br); n = behind(br) {
			double = true
			dom.Remove(n)
		}
		if !double {
			continue
		}
		p := dom.Element(atom.P)
		dom.Replace(br, p)
		for n := p.NextSibling; n != nil && phrasing(n); n = p.NextSibling {
			if dom.Is(n, atom.Br) && dom.Is(behind(n), atom.Br) {
				break
			}
			dom.Remove(n)
			p.AppendChild(n)
		}
		for p.LastChild != nil && spacing(p.LastChild) {
			p.RemoveChild(p.LastChild)
		}
		if dom.Is(p.Parent, atom.P) {
			dom.Rename(p.Parent, atom.Div)
		}
	}
}

// behind returns the next sibling that is not blank text.
func behind(n *html.Node) *html.Node {
	for n = n.NextSibling; n != nil && dom.IsBlank(n); {
		n = n.NextSibling
	}
	return n
}
