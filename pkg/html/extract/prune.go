package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

const (
	// A part with this share of the page's text is content, although its tag
	// (shareTag) or its class or id (shareNamed) says that it is boilerplate.
	shareTag   = 0.6
	shareNamed = 0.3
	// shareLinks is the share of links from which on a suspect is boilerplate.
	shareLinks = 0.5
	// readable is the number of characters of a page that are worth reading without the rest.
	readable = 500
)

// pruner removes the boilerplate of a page: what surrounds the content on every
// page of the site.
type pruner struct {
	total   int // characters
	prose   int // of these, characters in prose
	tallies map[*html.Node]tally
	out     role // parts that are not content in a page of this kind
	roles   map[string]role
	kinds   map[kind]int       // how often the page has elements of a kind
	title   string             // of the page
	titled  map[*html.Node]int // the parts with a heading that is the title, and its length in bytes
	folded  *html.Node         // the last closed panel that is kept: its content is not judged again
	sheet   *html.Node         // the same for a specification
	removed removals
}

// kind groups the elements that play the same part in each entry of a list.
type kind struct {
	tag           atom.Atom
	class, parent string
}

func kindOf(n *html.Node) kind {
	class, parent := dom.Attr(n, "class"), dom.Attr(n.Parent, "class")
	return kind{n.DataAtom, class[:min(len(class), kindBytes)], parent[:min(len(parent), kindBytes)]}
}

const (
	// kindBytes limits the part of a class that distinguishes kinds.
	kindBytes = 200
	// entries is the fewest elements of a kind that belong to the entries of a list
	// rather than to the page.
	entries = 4
)

// isOfEntry reports whether n is one of many, such as the foot of each card.
func (p *pruner) isOfEntry(n *html.Node) bool { return p.kinds[kindOf(n)] >= entries }

func newPruner(out role, title string) *pruner {
	return &pruner{out: out, title: title, titled: map[*html.Node]int{}, tallies: map[*html.Node]tally{}, roles: map[string]role{}, kinds: map[kind]int{}}
}

// prune removes the boilerplate in a body.
func (p *pruner) prune(body *html.Node) {
	all := p.measure(body)
	p.total, p.prose = all.chars, all.prose
	p.markTitled(body)
	p.walk(body)
	p.pruneSections(body)
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
			case p.isBoilerplate(c):
				if p.out&poster != 0 && p.role(c)&poster != 0 {
					p.keepName(c)
				}
				p.removed.remove(c)
			default:
				p.walk(c)
			}
		}
		c = follows
	}
}

// keepName puts the author's name in front of what a forum shows about the author
// of a post.
func (p *pruner) keepName(n *html.Node) {
	for d := range n.Descendants() {
		if c := p.tallies[d].chars; c > 0 && c < nameChars && isName(d) {
			name := dom.Element(atom.P)
			name.AppendChild(dom.NewText(dom.Text(d)))
			n.Parent.InsertBefore(name, n)
			return
		}
	}
}

// nameChars is the longest name of a person, in characters.
const nameChars = 60

func isName(n *html.Node) bool {
	return dom.Attr(n, "rel") == "author" || dom.Attr(n, "itemprop") == "name" ||
		dom.HasClass(n, "username", "author", "user-name", "author-name", "nickname", "poster", "member", "fn")
}

// share returns the share of the page's text that n has.
func (p *pruner) share(n *html.Node) float64 {
	return float64(p.tallies[n].chars) / float64(max(p.total, 1))
}

// isBoilerplate reports whether n is boilerplate, by its tag, its ARIA role, its
// text, or its class and id, unless it is too large a part of the page.
func (p *pruner) isBoilerplate(n *html.Node) bool {
	if verdict, ok := p.byTag(n); ok {
		return verdict
	}
	switch dom.Attr(n, "role") {
	case "navigation", "complementary", "contentinfo", "banner", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar":
		return p.share(n) < shareTag
	}
	return p.byText(n) || p.byName(n)
}

// byTag judges n by its tag. ok is false if the tag does not decide.
func (p *pruner) byTag(n *html.Node) (verdict, ok bool) {
	switch n.DataAtom {
	case atom.Table:
		return isWikiBox(n) && p.tallies[n].density() > shareLinks && p.share(n) < shareNamed, true
	case atom.Body, atom.Main, atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.H1:
		return false, true
	case atom.Nav:
		return p.share(n) < shareTag || p.total-p.tallies[n].chars > readable, true
	case atom.Footer:
		return p.share(n) < shareNamed && !dom.Inside(n, atom.Blockquote, atom.Article, atom.Li) && !p.isOfEntry(n), true
	case atom.Aside:
		if p.out&poster == 0 || !dom.Inside(n, atom.Article, atom.Blockquote, atom.Li) { // else it is a part of a post
			return p.share(n) < shareNamed && dom.Attr(n, "role") != "note", true
		}
	case atom.Header: // of the page, not of an article
		return p.share(n) < shareNamed && !dom.Inside(n, atom.Main, atom.Article, atom.Section) && dom.First(n, atom.H1) == nil && !p.isOfEntry(n), true
	}
	return false, false
}

// byText reports whether n is the label of a control, the number of a post, or a
// notice.
func (p *pruner) byText(n *html.Node) bool {
	chars := p.tallies[n].chars
	switch {
	case chars > 0 && chars <= controlChars && n.DataAtom != atom.Li && dom.Heading(n) == 0 && leaf(n) && isControl(dom.Text(n)):
		return true
	case p.out&poster != 0 && chars <= numberChars && dom.Is(n, atom.A, atom.Li) && isNumber(dom.Text(n)):
		return true
	}
	return chars > controlChars && chars < noticeChars && p.share(n) < shareNamed && leaf(n) && isNotice(dom.Text(n))
}

// byName judges n by its class and id.
func (p *pruner) byName(n *html.Node) bool {
	r := p.role(n)
	if r&(boilerplate|suspect) != 0 && dom.Inside(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		r &= unseen // these are words of a heading, perhaps with a link back to the contents
	}
	if r&placed != 0 && p.isOfEntry(n) {
		r &^= placed | suspect
	}
	if r&(boilerplate|suspect) != 0 && (p.holdsTitle(n) || r&boilerplate == 0 && p.isSheet(n)) {
		r &^= boilerplate | suspect
	}
	switch {
	case r&unseen != 0:
		return p.share(n) < shareNamed && !p.isFolded(n)
	case r&p.out&remarks != 0 && p.isOfEntry(n): // what a list says of each entry
		return false
	case r&p.out&remarks != 0:
		return p.total-p.tallies[n].chars > readable
	case r&p.out != 0:
		return p.share(n) < shareTag
	case r&boilerplate != 0:
		return p.share(n) < shareNamed
	case r&suspect != 0:
		t := p.tallies[n]
		return p.share(n) < shareNamed && (t.density() > shareLinks || t.prose == 0 || t.chars < 200 && n.DataAtom != atom.P)
	}
	return false
}

const (
	titleBytes = 8 // of the shortest heading that can be recognised as the title
	titleShare = 3 // one part in so many of the title that the heading is
	titleTimes = 4 // how much longer a part is than the heading that is the title
)

// markTitled finds the parts that hold a heading that is most of the title of the page.
func (p *pruner) markTitled(body *html.Node) {
	for _, h := range dom.All(body, atom.H1, atom.H2) {
		heading := beginning(h)
		if len(heading) < titleBytes || titleShare*len(heading) < len(p.title) || !strings.Contains(p.title, heading) {
			continue
		}
		for a := h.Parent; a != nil && p.titled[a] < len(heading); a = a.Parent {
			p.titled[a] = len(heading)
		}
	}
}

// holdsTitle reports whether n has the title of the page, and more to say.
func (p *pruner) holdsTitle(n *html.Node) bool {
	heading := p.titled[n]
	return heading > 0 && p.tallies[n].chars > titleTimes*heading
}

// foldedChars is the least prose of a closed panel, in characters.
const foldedChars = 200

// isFolded reports whether n, whose class says that it is not shown, is a panel that a
// click opens: it has prose, as neither a label for screen readers nor a message has.
func (p *pruner) isFolded(n *html.Node) bool {
	if p.folded != nil && dom.Contains(p.folded, n) {
		return true
	}
	t := p.tallies[n]
	if t.prose < foldedChars || t.density() >= shareLinks || isForScreenReaders(n) || n.DataAtom == atom.Form || dom.First(n, atom.Form) != nil {
		return false
	}
	p.folded = n
	return true
}

// sheetRows is the fewest rows that make a specification.
const sheetRows = 3

// isSheet reports whether n is little but rows of a label and a value, such as the
// measurements of a product.
func (p *pruner) isSheet(n *html.Node) bool {
	if p.sheet != nil && dom.Contains(p.sheet, n) {
		return true
	}
	rows := 0
	for d := range n.Descendants() {
		switch {
		case dom.Is(d, atom.A, atom.Form):
			return false
		case dom.Is(d, atom.Dd, atom.Td), d.Type == html.TextNode && strings.HasSuffix(strings.TrimSpace(d.Data), ":"):
			rows++
		}
	}
	if rows < sheetRows {
		return false
	}
	p.sheet = n
	return true
}

// leaf reports whether n is a block without blocks in it, or a link or label without text
// next to it.
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

// pruneSections removes the sections whose headings announce boilerplate.
func (p *pruner) pruneSections(body *html.Node) {
	for _, h := range dom.All(body, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		if h.Parent == nil || !dom.Contains(body, h) {
			continue
		}
		announced, sure := announcesBoilerplate(beginning(h))
		if !announced {
			continue
		}
		top := h
		for q := h.Parent; q != nil && !dom.Is(q, atom.Body, atom.Main, atom.Article) && begins(q, top) && p.share(q) < shareNamed; q = q.Parent {
			top = q
		}
		if top != h {
			if sure || !isPassage(top) {
				p.removed.remove(top)
			}
			continue
		}
		// The section ends at the next heading of its level.
		sum := 0
		var under []*html.Node
		var prose bool
		for s := h.NextSibling; s != nil; s = s.NextSibling {
			if level := dom.Heading(s); level > 0 && level <= dom.Heading(h) {
				break
			}
			sum += chars(s)
			under = append(under, s)
			prose = prose || !sure && isPassage(s)
		}
		if !prose && float64(sum) < shareNamed*float64(p.total) && len(under) <= 12 {
			for _, s := range under {
				p.removed.remove(s)
			}
			p.removed.remove(h)
		}
	}
}

// isPassage reports whether n is text and not a list of other pages: "Related work" and
// "Recommended settings" are headings of content, too.
func isPassage(n *html.Node) bool {
	t := measure(n, func(*html.Node, tally) {})
	return t.prose > 0 && t.anchors == 0 || t.density() < 0.15 && t.chars > 80
}

// begins reports whether no text in n stands before first.
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
