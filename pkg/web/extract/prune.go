package extract

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// The shares of the page's text from which on a part is not taken for furniture,
// whatever it is called.
const (
	shareTag   = 0.6 // of what its tag says it is
	shareNamed = 0.3 // of what its class or id says
	shareLinks = 0.5 // how much of a part that is perhaps furniture must be links
)

// enough is how many characters a page has that is worth reading without what
// its readers wrote.
const enough = 500

// pruner removes the furniture of a page: what surrounds the content on every
// page of the site.
type pruner struct {
	total   int
	tallies map[*html.Node]tally
	out     role // what goes
	roles   map[string]role
	removed []removal
}

// removal remembers where a part of the page was.
type removal struct{ node, parent, before *html.Node }

func (p *pruner) remove(n *html.Node) {
	p.removed = append(p.removed, removal{n, n.Parent, n.NextSibling})
	n.Parent.RemoveChild(n)
}

// undo puts everything back.
func (p *pruner) undo() {
	for _, r := range slices.Backward(p.removed) {
		r.parent.InsertBefore(r.node, r.before)
	}
	p.removed = nil
}

func newPruner(out role) *pruner {
	return &pruner{out: out, tallies: map[*html.Node]tally{}, roles: map[string]role{}}
}

func (p *pruner) prune(body *html.Node) {
	p.total = p.measure(body).chars
	p.walk(body)
	p.headed(body)
}

func (p *pruner) measure(n *html.Node) tally {
	t := measure(n, func(n *html.Node, t tally) { p.tallies[n] = t })
	return t
}

func (p *pruner) walk(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		if c.Type == html.ElementNode {
			switch {
			case dom.Is(c, atom.Pre, atom.Code):
			case p.goes(c):
				p.remove(c)
			default:
				p.walk(c)
			}
		}
		c = follows
	}
}

func (p *pruner) share(n *html.Node) float64 {
	return float64(p.tallies[n].chars) / float64(max(p.total, 1))
}

func (p *pruner) goes(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Body, atom.Main:
		return false
	case atom.Nav:
		return p.share(n) < shareTag
	case atom.Footer:
		return p.share(n) < shareNamed && !dom.Inside(n, atom.Blockquote, atom.Article, atom.Li)
	case atom.Aside:
		return p.share(n) < shareNamed && dom.Attr(n, "role") != "note"
	case atom.Header:
		// the page's own, not that of an article
		return p.share(n) < shareNamed && !dom.Inside(n, atom.Main, atom.Article, atom.Section) && dom.First(n, atom.H1) == nil
	case atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Table, atom.H1:
		return false
	}
	switch dom.Attr(n, "role") {
	case "navigation", "complementary", "contentinfo", "banner", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar":
		return p.share(n) < shareTag
	}
	if p.tallies[n].chars <= 40 && p.tallies[n].chars > 0 && n.DataAtom != atom.Li && dom.Heading(n) == 0 && leaf(n) && says(dom.Text(n)) {
		return true
	}
	r := p.role(n)
	switch {
	case r&unseen != 0:
		return p.share(n) < shareNamed
	case r&p.out&remarks != 0:
		return p.total-p.tallies[n].chars > enough
	case r&p.out != 0:
		return p.share(n) < shareTag
	case r&furniture != 0:
		return p.share(n) < shareNamed
	case r&perhaps != 0:
		t := p.tallies[n]
		return p.share(n) < shareNamed && (t.density() > shareLinks || t.prose == 0 || t.chars < 200 && n.DataAtom != atom.P)
	}
	return false
}

// leaf reports whether n is a block that holds no other, or a link or label that
// stands by itself.
func leaf(n *html.Node) bool {
	switch {
	case dom.IsBlock(n):
	case !dom.Is(n, atom.A, atom.Span) || dom.Is(n.Parent, atom.P, atom.Li, atom.Td, atom.Th, atom.Dd, atom.Dt) || dom.Heading(n.Parent) > 0:
		return false
	case beside(n.PrevSibling), beside(n.NextSibling):
		return false
	}
	for d := range n.Descendants() {
		if dom.IsBlock(d) {
			return false
		}
	}
	return true
}

// beside reports whether a sibling is text.
func beside(s *html.Node) bool { return s != nil && s.Type == html.TextNode && !dom.Blank(s.Data) }

func (p *pruner) role(n *html.Node) role {
	return p.lookUp(dom.Attr(n, "class")) | p.lookUp(dom.Attr(n, "id"))
}

func (p *pruner) lookUp(s string) role {
	if s == "" {
		return 0
	}
	r, ok := p.roles[s]
	if !ok {
		r = roleOf(s)
		p.roles[s] = r
	}
	return r
}

// headed removes what stands under headings that announce furniture.
func (p *pruner) headed(body *html.Node) {
	for _, h := range dom.All(body, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		if h.Parent == nil || !dom.Contains(body, h) || !heads(dom.Text(h)) {
			continue
		}
		top := h
		for q := h.Parent; q != nil && !dom.Is(q, atom.Body, atom.Main, atom.Article) && begins(q, top) && p.share(q) < shareNamed; q = q.Parent {
			top = q
		}
		if top != h {
			p.remove(top)
			continue
		}
		// what follows up to the next heading of its rank
		sum := 0
		var under []*html.Node
		for s := h.NextSibling; s != nil; s = s.NextSibling {
			if level := dom.Heading(s); level > 0 && level <= dom.Heading(h) {
				break
			}
			sum += chars(s)
			under = append(under, s)
		}
		if float64(sum) < shareNamed*float64(p.total) && len(under) <= 12 {
			for _, s := range under {
				p.remove(s)
			}
			p.remove(h)
		}
	}
}

// begins reports whether the first text in n is that of first.
func begins(n, first *html.Node) bool {
	for d := range n.Descendants() {
		if d == first {
			return true
		}
		if d.Type == html.TextNode && !dom.Blank(d.Data) {
			return false
		}
	}
	return false
}
