// Package readability finds the article of a page by the algorithm of Mozilla's
// Readability, the reader view of Firefox: each paragraph scores for the elements
// around it, the element with the best score wins, and what does not look like
// prose is removed from it. It does not say whether a page has an article.
//
// It is no port of a library. Those compile regular expressions whenever the
// program starts, and read lengths off the tree again and again; here, lengths are
// summed in one pass. go-shiori/go-readability judges it in the tests.
package readability

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// The thresholds of the original.
const (
	minArticle    = 500  // characters of an article that needs no further attempt
	minParagraph  = 25   // characters of a paragraph that scores
	candidates    = 5    // elements with the best scores that are compared
	alternatives  = 3    // how many of those must share an ancestor for it to win
	alikeShare    = 0.75 // of the best score, which those must have
	scoreAncestor = 5    // ancestors that a paragraph scores for
)

// attempt is the rules of one attempt. Each is more lenient than the one before.
type attempt struct {
	stripUnlikely, weighClasses, cleanConditionally bool
}

// Options configure the search for an article.
type Options struct {
	Title   string // of the page; a heading that repeats it is not part of the article
	Bylines bool   // keep the names of authors, as in a discussion
	Remarks bool   // what is named a comment may be content, as in a discussion

	// Entry reports whether an element is a part of an entry of a list, so that its name
	// does not say where on the page it is. It may be nil.
	Entry func(*html.Node) bool
}

// Article returns the article in a body as a tree of its own; nil if there is none.
// It does not change the body.
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

// grab returns the article of one attempt.
func (r *run) grab(body *html.Node) *html.Node {
	joinLines(body)
	top := r.best(body, r.candidates(r.paragraphs(body)))
	article := r.siblings(top)
	r.clean(article)
	return article
}

// best returns the element that holds the article.
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

// common returns the ancestor that the winner shares with enough elements of almost
// the same score, which are parts of one article; else the winner.
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

// rising returns the first ancestor with a better score, if scores do not fall too
// far before it.
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

// single goes up while the candidate is an only child.
func (r *run) single(top *html.Node) *html.Node {
	for p := top.Parent; inside(p) && only(p) != nil; p = p.Parent {
		top = p
	}
	r.initial(top)
	return top
}

func inside(n *html.Node) bool { return n != nil && n.Parent != nil && n.DataAtom != atom.Body }

// only returns the one child of n that is an element; nil if it has none or several.
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
