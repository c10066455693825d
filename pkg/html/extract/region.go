package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// tally counts what a part of the page holds.
type tally struct {
	chars, links int // characters in all, and in links
	anchors      int // links
	prose        int // characters in longer paragraphs
	headings     int // below the first level
	titles       int // headings that are links
}

func (t *tally) add(o tally) {
	t.chars += o.chars
	t.links += o.links
	t.anchors += o.anchors
	t.prose += o.prose
	t.headings += o.headings
	t.titles += o.titles
}

func (t tally) density() float64 { return float64(t.links) / float64(max(t.chars, 1)) }

// proseChars is the shortest text, in characters, that counts as prose.
const proseChars = 80

// measure counts what n holds, and calls each with the tally of every element.
func measure(n *html.Node, each func(*html.Node, tally)) tally {
	if n.Type == html.TextNode {
		t := tally{chars: dom.Length(n.Data)}
		if t.chars >= proseChars {
			t.prose = t.chars
		}
		return t
	}
	if dom.Silent(n) {
		return tally{}
	}
	var t tally
	for c := range n.ChildNodes() {
		t.add(measure(c, each))
	}
	t.enter(n)
	if n.Type == html.ElementNode {
		each(n, t)
	}
	return t
}

// enter counts n itself, once what is in it has been counted.
func (t *tally) enter(n *html.Node) {
	switch n.DataAtom {
	case atom.A:
		t.links, t.anchors, t.prose, t.titles = t.chars, 1, 0, t.headings
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		t.headings, t.titles = 1, min(t.anchors, 1)
	case atom.P:
		if t.chars >= proseChars && t.density() < 0.5 {
			t.prose = t.chars
		}
	}
}

// region returns the part of the page that its author marked as the main one,
// without the blocks that are little but links. kinds counts the elements of the page.
// It takes the body apart.
func region(body *html.Node, kinds map[kind]int) *html.Node {
	root := mainOf(body)
	s := sifter{total: chars(root), kinds: kinds}
	left := s.sift(root)
	if left.prose < readable && left.chars*2 < s.total {
		// The page is a directory: its links are the content.
		s.removed.undo(func(r removal) bool { return dom.Inside(r.node, atom.Nav) })
	}
	return root
}

// More prose than this outside the marked main part means that the mark is wrong:
// so many characters, and so many times the prose inside.
const (
	outside      = 1000
	outsideTimes = 4
)

// mainOf returns the element that the author marked as the main one, or the body
// if that element holds too little of the page.
func mainOf(body *html.Node) *html.Node {
	var best *html.Node
	var most, all tally
	all = measure(body, func(n *html.Node, t tally) {
		if (n.DataAtom == atom.Main || dom.Attr(n, "role") == "main") && t.chars > most.chars {
			best, most = n, t
		}
	})
	if best != nil && most.chars*4 > all.chars && all.prose-most.prose < max(outsideTimes*most.prose, outside) {
		return best
	}
	return body
}

// sifter removes blocks that are mostly short links.
type sifter struct {
	total   int // characters
	kinds   map[kind]int
	removed removals
}

func (s *sifter) sift(n *html.Node) tally {
	if n.Type == html.TextNode {
		return measure(n, nil)
	}
	var t tally
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		inner := s.sift(c)
		if isLinkList(c, inner, s.total) && inner.titles*linksEach < inner.anchors && !isCredit(c, inner) && !s.isPhrase(c) {
			s.removed.remove(c)
		} else {
			t.add(inner)
		}
		c = follows
	}
	t.enter(n)
	return t
}

// linksEach is the most links for each entry of a list whose titles are
// headings.
const linksEach = 6

// isLinkList reports whether n is a block of short links.
func isLinkList(n *html.Node, t tally, total int) bool {
	if !dom.Is(n, atom.Div, atom.Ul, atom.Ol, atom.Section, atom.Nav, atom.Dl, atom.Table) || t.anchors < 3 {
		return false
	}
	if float64(t.chars) > 0.3*float64(total) {
		return false
	}
	return t.density() > 0.8 && t.links/t.anchors < 25
}

// isPhrase reports whether n is a phrase that each entry of a list has: links with commas
// between them, such as the names of the authors.
func (s *sifter) isPhrase(n *html.Node) bool {
	if s.kinds[kindOf(n)] < entries || dom.HoldsBlock(n) {
		return false
	}
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode && strings.ContainsAny(c.Data, ",;、，") {
			return true
		}
	}
	return false
}
