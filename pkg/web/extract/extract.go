// Package extract finds the content of a web page amid what surrounds it. It
// fetches nothing and writes no Markdown.
package extract

import (
	"net/url"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
	"github.com/helve-dev/helve/pkg/web/metadata"
	"github.com/helve-dev/helve/pkg/web/readability"
)

// How the content of a page was found.
const (
	ByReadability = "readability" // the article
	ByMain        = "main"        // the main part, without what surrounds it
	ByData        = "data"        // what the page carries for its scripts to show
	Whole         = "full"        // all that is visible
)

// Content is what a page has to say.
type Content struct {
	Node *html.Node // a tree of its own
	By   string     // how it was found
	Wall Wall       // what keeps the reader out
	Cut  bool       // the text is longer than what is looked at

	Complaint Complaint // what the page says instead of what was asked for
	// Odd counts the characters that nobody sees and that are left out of texts.
	Odd int
}

// MaxText is how much text of a page is read, in bytes.
const MaxText = 3 << 20

// tooLittle is how many characters a page has at least whose content is believed
// to be all there is.
const tooLittle = 200

// Find finds the content of the page that lies at the address. The document is used up.
// With whole, all that is visible is content.
func Find(doc *html.Node, m *metadata.Metadata, address *url.URL, whole bool) Content {
	s := look(doc)
	data := carried(doc, m)
	body := dom.Body(doc)
	var c Content
	prepare(body)
	apart(body)
	c.Odd = washed(body)
	c.Cut = shortened(body, MaxText)
	if whole {
		c.Node, c.By = body, Whole
	} else {
		c.Node, c.By = main(body, m, address)
	}
	if chars(c.Node) < tooLittle {
		if tree := asTree(data); chars(tree) > max(chars(c.Node), tooLittle) {
			washed(tree)
			c.Node, c.By = tree, ByData
		}
	}
	if c.By == ByData {
		return c
	}
	c.Wall = s.wall(dom.Text(c.Node))
	if c.Wall == NoWall && m.Kind != metadata.Discussion && m.Kind != metadata.Product { // which people write of errors in
		c.Complaint = complaintOf(s.title, c.Node)
	}
	return c
}

// main is the content without what surrounds it. The body is used up.
func main(body *html.Node, m *metadata.Metadata, address *url.URL) (*html.Node, string) {
	dedupe(body)
	repeatedTitles(body)
	visible := chars(body)
	p := newPruner(drops(m.Kind))
	p.prune(body)
	switch left := chars(body); {
	case left < tooLittle && visible < 2*tooLittle && 2*left < visible:
		p.removed.undo(nothing) // so little that none of it is in the way
		return body, Whole
	case left < tooLittle && left*4 < visible, left*20 < visible:
		// what looked like furniture was the house
		if m := dom.First(body, atom.Main); (m == nil || !p.restore(m)) && !p.house() {
			p.removed.undo(nothing)
		}
	}
	if m.Kind == metadata.Discussion {
		shortenQuotes(body)
	}
	article := weigh(readability.Article(body, readability.Options{Title: m.Title, Bylines: m.Kind == metadata.Discussion}))
	rest := weigh(region(body))
	if article.node != nil && prefersArticle(article, rest, m.Kind, address.String()) {
		return article.node, ByReadability
	}
	return rest.node, ByMain
}

// drops is what does not belong to the content of a page of that kind.
func drops(kind metadata.Kind) role {
	switch kind {
	case metadata.Discussion:
		return poster
	case metadata.Product:
		return remarks | reviews
	}
	return remarks
}
