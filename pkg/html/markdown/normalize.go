package markdown

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/formula"
	"github.com/helve-dev/helve/pkg/html/layout"
)

const (
	// maxDepth limits the nesting of elements after [Normalize]. The time to write
	// Markdown grows with the depth times the length.
	maxDepth = 80
	// maxPrefixes limits the nesting of quotations and items of lists: each lengthens
	// every line in it.
	maxPrefixes = 10
)

// Normalize brings a tree into a form that Markdown can express: addresses are
// absolute, code names its language, cells hold one line. base is the address of
// the page.
func Normalize(root *html.Node, base *url.URL) {
	flatten(root, 0, 0)
	formula.Replace(root)
	layout.Code(root)
	for _, n := range dom.All(root, atom.Pre) {
		if n.Parent != nil && !dom.Inside(n, atom.Pre) {
			block(n)
		}
	}
	tables(root)
	headings(root)
	footnotes(root)
	lists(root)
	media(root, base)
	links(root, base)
	asides(root)
	formula.Protect(root)
}

// flatten unwraps the elements that nest too deeply. prefixes counts the elements around
// n that lengthen its lines.
func flatten(n *html.Node, depth, prefixes int) {
	for c := n.FirstChild; c != nil; {
		deep := depth >= maxDepth || prefixes >= maxPrefixes && dom.Is(c, atom.Blockquote, atom.Ul, atom.Ol, atom.Li)
		if c.Type == html.ElementNode && deep && c.FirstChild != nil {
			first := c.FirstChild
			dom.Unwrap(c)
			c = first
			continue
		}
		more := 0
		if dom.Is(c, atom.Blockquote, atom.Li) {
			more = 1
		}
		flatten(c, depth+1, prefixes+more)
		c = c.NextSibling
	}
}

// headings removes links from headings to themselves, and empty headings.
func headings(root *html.Node) {
	for _, h := range dom.All(root, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		for _, a := range dom.All(h, atom.A) {
			switch {
			case isAnchor(a):
				dom.Remove(a)
			case strings.HasPrefix(dom.Attr(a, "href"), "#"): // the heading itself
				dom.Unwrap(a)
			}
		}
		if dom.Text(h) == "" && dom.First(h, atom.Img) == nil {
			dom.Remove(h)
			continue
		}
		// A heading is one line.
		for _, n := range dom.All(h, atom.Br) {
			dom.Replace(n, dom.NewText(" "))
		}
		for _, n := range dom.All(h, atom.Div, atom.P, atom.Section, atom.Header, atom.Ul, atom.Ol, atom.Li) {
			n.InsertBefore(dom.NewText(" "), n.FirstChild)
			dom.Rename(n, atom.Span)
		}
	}
}

// isAnchor reports whether a link in a heading or a term only leads to it.
func isAnchor(a *html.Node) bool {
	if dom.First(a, atom.Img) != nil {
		return false
	}
	switch dom.Text(a) {
	case "", "#", "##", "¶", "§", "🔗", "⚓", "Link", "link", "Permalink", "Anchor", "anchor", "Direct link to heading", "Edit", "[edit]", "edit":
		return true
	}
	return dom.HasMark(a, "headerlink", "anchor-link", "hash-link", "anchorjs-link", "mw-editsection") && dom.Text(a) != dom.Text(a.Parent)
}

// lists turns lists of definitions into lists, and puts whatever is directly in a
// list into an item.
func lists(root *html.Node) {
	for _, dt := range dom.All(root, atom.Dt) {
		for _, a := range dom.All(dt, atom.A) {
			if strings.HasPrefix(dom.Attr(a, "href"), "#") && isAnchor(a) {
				dom.Remove(a)
			}
		}
	}
	for _, dl := range dom.All(root, atom.Dl) {
		definitions(dl)
	}
	for _, l := range dom.All(root, atom.Ul, atom.Ol) {
		stray(l)
	}
	for _, l := range dom.All(root, atom.Ol) {
		renumber(l)
	}
	for _, li := range dom.All(root, atom.Li) {
		if li.Parent != nil && !dom.Is(li.Parent, atom.Ul, atom.Ol, atom.Menu) {
			dom.Rename(li, atom.P)
		}
	}
	for _, m := range dom.All(root, atom.Menu) {
		dom.Rename(m, atom.Ul)
	}
}

// definitions turns the terms of a list and their definitions into items.
func definitions(dl *html.Node) {
	for _, group := range dom.Elements(dl) {
		if dom.Is(group, atom.Div) {
			dom.Unwrap(group)
		}
	}
	var item *html.Node
	said := false
	for c := dl.FirstChild; c != nil; {
		follows := c.NextSibling
		switch {
		case dom.Is(c, atom.Dt):
			if item == nil || said {
				item, said = dom.Element(atom.Li), false
				dl.InsertBefore(item, c)
			} else {
				item.AppendChild(dom.NewText(", "))
			}
			term := dom.Element(atom.Span)
			if dom.First(c, atom.Code) == nil { // else the code stands out
				term = dom.Element(atom.Strong)
			}
			dom.Adopt(term, c)
			plain(term)
			item.AppendChild(term)
			dl.RemoveChild(c)
		case dom.Is(c, atom.Dd):
			if item == nil {
				item = dom.Element(atom.Li)
				dl.InsertBefore(item, c)
			} else if said {
				item.AppendChild(dom.Element(atom.Br))
			} else {
				item.AppendChild(dom.NewText(": "))
			}
			said = true
			dl.RemoveChild(c)
			if p := dom.OnlyChild(c); dom.Is(p, atom.P) {
				dom.Unwrap(p)
			}
			dom.Adopt(item, c)
		case dom.IsBlank(c), c.Type == html.CommentNode:
			dl.RemoveChild(c)
		}
		c = follows
	}
	dom.Rename(dl, atom.Ul)
}

// plain unwraps the blocks and the bold type in n.
func plain(n *html.Node) {
	for _, d := range dom.All(n, atom.Strong, atom.B, atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		dom.Unwrap(d)
	}
}

// stray puts what is in a list but in no item into one.
func stray(l *html.Node) {
	for c := l.FirstChild; c != nil; {
		follows := c.NextSibling
		switch {
		case dom.Is(c, atom.Li):
			if dom.Text(c) == "" && dom.First(c, atom.Img, atom.Pre) == nil {
				l.RemoveChild(c)
			}
		case dom.IsBlank(c), c.Type == html.CommentNode:
			l.RemoveChild(c)
		case dom.Is(c, atom.Ul, atom.Ol) && dom.Is(c.PrevSibling, atom.Li):
			previous := c.PrevSibling
			l.RemoveChild(c)
			previous.AppendChild(c)
		default:
			li := dom.Element(atom.Li)
			dom.Replace(c, li)
			li.AppendChild(c)
		}
		c = follows
	}
}

// asides marks summaries and captions, and removes the titles of notes that say their
// kinds.
func asides(root *html.Node) {
	for _, n := range dom.All(root, atom.Summary) {
		strong(n)
	}
	for _, n := range dom.All(root, atom.Figcaption) {
		if dom.Text(n) == "" {
			dom.Remove(n)
			continue
		}
		dom.Rename(n, atom.P)
	}
	for _, n := range dom.All(root, atom.Blockquote) {
		if dom.Has(n, layout.CalloutKey) {
			if t := layout.TitleOf(n); t != nil {
				dom.Remove(t)
			}
		}
	}
}

// strong turns n into a paragraph in bold type.
func strong(n *html.Node) {
	dom.Rename(n, atom.P)
	if dom.First(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) != nil {
		dom.Rename(n, atom.Div)
		return
	}
	s := dom.Element(atom.Strong)
	dom.Adopt(s, n)
	plain(s)
	n.AppendChild(s)
}
