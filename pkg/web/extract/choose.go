package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
	"github.com/helve-dev/helve/pkg/web/metadata"
	"github.com/helve-dev/helve/pkg/web/readability"
)

// candidate is one answer to what the content is.
type candidate struct {
	node  *html.Node
	tally tally
	// what prose alone does not show
	code, cells, headings int
}

func weigh(n *html.Node) candidate {
	c := candidate{node: n}
	if n == nil {
		return c
	}
	c.tally = measure(n, func(n *html.Node, _ tally) {
		switch n.DataAtom {
		case atom.H2, atom.H3, atom.H4:
			c.headings++
		case atom.Pre:
			c.code++
		case atom.Table:
			if readability.IsData(n) {
				c.cells += len(dom.All(n, atom.Td, atom.Th))
			}
		}
	})
	return c
}

// An article that has lost more than this share of the region's headings is not
// all there is, unless it is much shorter, and the region is full of other things.
const (
	keptHeadings = 0.5
	similarSize  = 0.75
	alike        = .9
)

// prefersArticle reports whether the article that was found is a better answer
// than the main region. The region is safe: it leaves little out. The article is
// cleaner, if it is all there is to read.
func prefersArticle(a, r candidate, kind metadata.Kind, address string) bool {
	if a.tally.chars < 250 {
		return r.tally.chars <= a.tally.chars
	}
	if a.code < r.code && (r.code > 1 || 2*a.tally.chars > r.tally.chars) || float64(a.cells) < 0.7*float64(r.cells) {
		return false
	}
	share := float64(a.tally.chars) / float64(max(r.tally.chars, 1))
	prose := float64(a.tally.prose) / float64(max(r.tally.prose, 1))
	pure := float64(a.tally.prose) / float64(a.tally.chars)
	switch {
	case float64(a.headings) < keptHeadings*float64(r.headings) && r.headings > 2 && (share > alike || kind != metadata.Article && share > similarSize):
		return false
	case a.headings*10 < r.headings && r.headings > 20 && share > 0.3:
		return false
	case isDocumentation(address):
		return prose > 0.97
	case kind == metadata.Article:
		return share > 0.18
	case prose > 0.97 && pure > 0.95 && a.tally.chars > 500:
		return true
	}
	return share > 0.6 && prose > 0.85
}

// isDocumentation reports whether an address is one of a manual.
func isDocumentation(address string) bool {
	address = strings.ToLower(address)
	for _, part := range [...]string{"//docs.", "//doc.", "//developer.", "//devdocs.", "//wiki.", "/docs/", "/doc/", "/documentation/", "/manual/", "/reference/", "/guide/", "/guides/", "/wiki/", "/api/", "readthedocs.", "gitbook.io", "/tutorial", "/man/"} {
		if strings.Contains(address, part) {
			return true
		}
	}
	return false
}
