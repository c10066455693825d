package extract

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// tally is what a part of the page holds.
type tally struct {
	chars, links int // characters; those in links
	anchors      int // links
	prose        int // characters in paragraphs of some length
}

func (t *tally) add(o tally) {
	t.chars += o.chars
	t.links += o.links
	t.anchors += o.anchors
	t.prose += o.prose
}

func (t tally) density() float64 { return float64(t.links) / float64(max(t.chars, 1)) }

// proseChars is how long a text must be, in characters, to count as prose.
const proseChars = 80

// measure counts what n holds and tells each the sums of every element.
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
		t.links, t.anchors, t.prose = t.chars, 1, 0
	case atom.P:
		if t.chars >= proseChars && t.density() < 0.5 {
			t.prose = t.chars
		}
	}
}

// region is the part of the page that its author marked as the main one, without
// what is little but links. The body is used up.
func region(body *html.Node) *html.Node {
	root := mainOf(body)
	total := chars(root)
	sift(root, total)
	return root
}

// mainOf is the element that the author marked as the main one, if it holds enough.
func mainOf(body *html.Node) *html.Node {
	var best *html.Node
	var most, all tally
	all = measure(body, func(n *html.Node, t tally) {
		if (n.DataAtom == atom.Main || dom.Attr(n, "role") == "main") && t.chars > most.chars {
			best, most = n, t
		}
	})
	if best != nil && most.chars*4 > all.chars {
		return best
	}
	return body
}

// sift removes the blocks that are mostly short links.
func sift(n *html.Node, total int) tally {
	if n.Type == html.TextNode {
		return tally{chars: dom.Length(n.Data)}
	}
	var t tally
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		inner := sift(c, total)
		if linky(c, inner, total) {
			n.RemoveChild(c)
		} else {
			t.add(inner)
		}
		c = follows
	}
	t.enter(n)
	return t
}

func linky(n *html.Node, t tally, total int) bool {
	if !dom.Is(n, atom.Div, atom.Ul, atom.Ol, atom.Section, atom.Nav, atom.Dl, atom.Table) || t.anchors < 3 {
		return false
	}
	if float64(t.chars) > 0.3*float64(total) {
		return false
	}
	return t.density() > 0.8 && t.links/t.anchors < 25
}
