package extract

import (
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
	kinds   map[kind]int // how often the page has elements of a kind
	removed removals
}

// kind is what the elements have in common that play the same part in an entry
// each of a list.
type kind struct {
	tag           atom.Atom
	class, parent string
}

func kindOf(n *html.Node) kind {
	class, parent := dom.Attr(n, "class"), dom.Attr(n.Parent, "class")
	return kind{n.DataAtom, class[:min(len(class), kindBytes)], parent[:min(len(parent), kindBytes)]}
}

// kindBytes is how much of a class is read to tell kinds apart.
const kindBytes = 200

// entries is how often the page has elements of a kind that belong to entries of
// a list, and not to the page.
const entries = 4

// isOfEntry reports whether n is one of many, such as the foot of each card.
func (p *pruner) isOfEntry(n *html.Node) bool { return p.kinds[kindOf(n)] >= entries }

func newPruner(out role) *pruner {
	return &pruner{out: out, tallies: map[*html.Node]tally{}, roles: map[string]role{}, kinds: map[kind]int{}}
}

func (p *pruner) prune(body *html.Node) {
	p.total = p.measure(body).chars
	p.walk(body)
	p.headed(body)
}

func (p *pruner) measure(n *html.Node) tally {
	t := measure(n, func(n *html.Node, t tally) {
		p.tallies[n] = t
		if n.Parent != nil && t.chars > 0 {
			p.kinds[kindOf(n)]++
		}
	})
	return t
}

func (p *pruner) walk(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		if c.Type == html.ElementNode {
			switch {
			case dom.Is(c, atom.Pre, atom.Code):
			case p.goes(c):
				if p.out&poster != 0 && p.role(c)&poster != 0 {
					p.sign(c)
				}
				p.removed.remove(c)
			default:
				p.walk(c)
			}
		}
		c = follows
	}
}

// sign leaves of what a forum says about who wrote a post the name.
func (p *pruner) sign(n *html.Node) {
	for d := range n.Descendants() {
		if c := p.tallies[d].chars; c > 0 && c < nameChars && isName(d) {
			name := dom.Element(atom.P)
			name.AppendChild(dom.NewText(dom.Text(d)))
			n.Parent.InsertBefore(name, n)
			return
		}
	}
}

// nameChars is how long the name of a person is at most.
const nameChars = 60

func isName(n *html.Node) bool {
	return dom.Attr(n, "rel") == "author" || dom.Attr(n, "itemprop") == "name" ||
		dom.HasClass(n, "username", "author", "user-name", "author-name", "nickname", "poster", "member", "fn")
}

func (p *pruner) share(n *html.Node) float64 {
	return float64(p.tallies[n].chars) / float64(max(p.total, 1))
}

func (p *pruner) goes(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Body, atom.Main:
		return false
	case atom.Nav:
		return p.share(n) < shareTag || p.total-p.tallies[n].chars > enough
	case atom.Footer:
		return p.share(n) < shareNamed && !dom.Inside(n, atom.Blockquote, atom.Article, atom.Li) && !p.isOfEntry(n)
	case atom.Aside:
		if p.out&poster == 0 || !dom.Inside(n, atom.Article, atom.Blockquote, atom.Li) { // a part of a post
			return p.share(n) < shareNamed && dom.Attr(n, "role") != "note"
		}
	case atom.Header:
		// the page's own, not that of an article
		return p.share(n) < shareNamed && !dom.Inside(n, atom.Main, atom.Article, atom.Section) && dom.First(n, atom.H1) == nil && !p.isOfEntry(n)
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
	if p.out&poster != 0 && p.tallies[n].chars <= 8 && dom.Is(n, atom.A, atom.Li) && isNumber(dom.Text(n)) {
		return true
	}
	if c := p.tallies[n].chars; c > 40 && c < noticeChars && p.share(n) < shareNamed && leaf(n) && isNotice(dom.Text(n)) {
		return true
	}
	r := p.role(n)
	if r&(furniture|perhaps) != 0 && dom.Inside(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		r &= unseen // the words of a heading, be they a link back to the contents
	}
	if r&placed != 0 && p.isOfEntry(n) {
		r &^= placed | perhaps
	}
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
	return !dom.HoldsBlock(n)
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
		if h.Parent == nil || !dom.Contains(body, h) || !heads(brief(h)) {
			continue
		}
		top := h
		for q := h.Parent; q != nil && !dom.Is(q, atom.Body, atom.Main, atom.Article) && begins(q, top) && p.share(q) < shareNamed; q = q.Parent {
			top = q
		}
		if top != h {
			p.removed.remove(top)
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
				p.removed.remove(s)
			}
			p.removed.remove(h)
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
