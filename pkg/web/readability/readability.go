// Package readability finds the article of a page by the algorithm of Mozilla's
// Readability, the reader view of Firefox: paragraphs score for the elements
// that hold them, and what surrounds the winner is cleaned of what is no prose.
// It is no judge of pages that hold no article.
//
// It is written anew rather than taken from a library because those compile
// their regular expressions whenever the program starts, and because lengths are
// summed once here instead of being read off the tree again and again.
package readability

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// The thresholds of the original.
const (
	minArticle    = 500 // characters below which another attempt is made
	minParagraph  = 25  // characters below which a paragraph does not count
	candidates    = 5   // how many of the best are compared
	alternatives  = 3   // how many of those must share an ancestor for it to win
	alikeShare    = 0.75
	scoreAncestor = 5 // how many ancestors a paragraph scores for
)

// attempt is one way to look at the page, each more lenient than the one before.
type attempt struct {
	stripUnlikely, weighClasses, cleanConditionally bool
}

// Options say what an article is found by.
type Options struct {
	Title   string // of the page; a heading that repeats it is not part of the article
	Bylines bool   // keep the names of authors, as in a discussion
}

// Article gives the article of the page whose body is given, as a tree of its
// own; nil if there is none. The body is left as it is.
func Article(body *html.Node, o Options) *html.Node {
	verdicts := map[string]verdict{}
	var best *html.Node
	longest := 0
	for _, a := range [...]attempt{{true, true, true}, {false, true, true}, {false, false, true}, {}} {
		r := &run{attempt: a, Options: o, verdicts: verdicts, scores: map[*html.Node]float64{}}
		article := r.grab(dom.Clone(body))
		n := measure(article).chars
		if n >= minArticle {
			return article
		}
		if n > longest {
			best, longest = article, n
		}
	}
	return best
}

// run is one attempt at one page.
type run struct {
	attempt
	Options
	verdicts map[string]verdict // by class or id
	scores   map[*html.Node]float64
	scored   []*html.Node // the keys of scores, in the order in which they came
	data     map[*html.Node]bool
}

func (r *run) grab(body *html.Node) *html.Node {
	joinLines(body)
	top := r.best(body, r.candidates(r.paragraphs(body)))
	article := r.siblings(top)
	r.clean(article)
	return article
}

// best is the element that holds the article.
func (r *run) best(body *html.Node, ranked []*html.Node) *html.Node {
	if len(ranked) == 0 || ranked[0].DataAtom == atom.Body {
		all := dom.Element(atom.Div)
		dom.Adopt(all, body)
		body.AppendChild(all)
		r.initial(all)
		return all
	}
	return r.single(r.rising(r.common(ranked)))
}

// common is the ancestor that the runners-up share with the winner, if enough of
// them are about as good: an article in several parts.
func (r *run) common(ranked []*html.Node) *html.Node {
	top := ranked[0]
	var alike []*html.Node
	for _, n := range ranked[1:] {
		if r.scores[n] >= alikeShare*r.scores[top] {
			alike = append(alike, n)
		}
	}
	if len(alike) < alternatives {
		return top
	}
	for p := top.Parent; inside(p); p = p.Parent {
		shared := 0
		for _, n := range alike {
			if n != p && dom.Contains(p, n) {
				shared++
			}
		}
		if shared >= alternatives {
			r.initial(p)
			return p
		}
	}
	return top
}

// rising follows the parents up as long as that finds a better one.
func (r *run) rising(top *html.Node) *html.Node {
	r.initial(top)
	last := r.scores[top]
	least := last / 3
	for p := top.Parent; inside(p); p = p.Parent {
		score, ok := r.scores[p]
		switch {
		case !ok:
			continue
		case score < least:
			return top
		case score > last:
			return p
		}
		last = score
	}
	return top
}

// single goes up while there is nothing beside the candidate.
func (r *run) single(top *html.Node) *html.Node {
	for p := top.Parent; inside(p) && only(p) != nil; p = p.Parent {
		top = p
	}
	r.initial(top)
	return top
}

func inside(n *html.Node) bool { return n != nil && n.Parent != nil && n.DataAtom != atom.Body }

// only is the one element that n holds; nil if there are more or none.
func only(n *html.Node) *html.Node {
	var found *html.Node
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}
