package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
	"github.com/helve-dev/helve/pkg/html/readability"
)

// candidate is a tree that may be the content, with what it holds.
type candidate struct {
	node                  *html.Node
	tally                 tally
	code, cells, headings int
}

func newCandidate(n *html.Node) candidate {
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

// ratio compares the article with the region.
type ratio struct {
	size  float64 // characters
	prose float64 // characters in prose
	pure  float64 // how much of the article is prose
	own   float64 // characters outside of links
}

// The bounds were tuned on labelled pages of seven kinds; see scripts/bench web.
const (
	leastArticle = 250  // characters that an article has at least
	keptCells    = 0.7  // share of the region's data cells that the article must have
	keptHeadings = 0.5  // share of the region's headings that the article must have
	sameSize     = 0.75 // size from which on lost headings count: the region holds little else
	equalSize    = 0.9  // the same, for a page that says that it is an article
	saidArticle  = 0.18 // least size of the article of such a page
	allProse     = 0.97
	mostProse    = 0.85
	mostSize     = 0.6
	mostOwn      = 0.82 // of a page that does not say what it is: short texts count there
)

// prefersArticle reports whether the article a is better content than the region
// r. The region is safe: it leaves little out. The article is cleaner, if nothing
// to read lies outside it.
func prefersArticle(a, r candidate, kind metadata.Kind, address string) bool {
	if a.tally.chars < leastArticle {
		return r.tally.chars <= a.tally.chars
	}
	k := ratio{
		size:  float64(a.tally.chars) / float64(max(r.tally.chars, 1)),
		prose: float64(a.tally.prose) / float64(max(r.tally.prose, 1)),
		pure:  float64(a.tally.prose) / float64(a.tally.chars),
		own:   float64(a.tally.chars-a.tally.links) / float64(max(r.tally.chars-r.tally.links, 1)),
	}
	switch {
	case lostParts(a, r, k), lostHeadings(a, r, k, kind), kind != metadata.Discussion && lostOwnHeadings(a.node, r.node):
		return false
	case isDocumentation(address):
		return k.prose > allProse
	case kind == metadata.Article:
		return k.size > saidArticle
	case k.prose > allProse && k.pure > 0.95 && a.tally.chars > readable:
		return true
	}
	return k.size > mostSize && k.prose > mostProse && (kind != metadata.Unknown || k.own > mostOwn)
}

// lostParts reports whether the article lacks code or tables of the region. A
// single lost block of code counts only if the region is not much larger.
func lostParts(a, r candidate, k ratio) bool {
	return a.code < r.code && (r.code > 1 || k.size > 0.5) || float64(a.cells) < keptCells*float64(r.cells)
}

// lostHeadings reports whether the article lacks headings of the region that are
// its own: the region holds little else, or has prose under them.
func lostHeadings(a, r candidate, k ratio, kind metadata.Kind) bool {
	size := sameSize
	if kind == metadata.Article {
		size = equalSize
	}
	if r.headings > 2 && float64(a.headings) < keptHeadings*float64(r.headings) && k.size > size {
		return true
	}
	return r.headings > 20 && a.headings*10 < r.headings && k.size > 0.3 && k.prose < 0.8
}

const (
	firstChars    = 40 // characters at the beginning of a text that identify it
	fewHeadings   = 3  // lost headings that are too many
	shareHeadings = 4  // one lost heading in so many is too many
)

// lostOwnHeadings reports whether texts of the region are in the article and the
// headings right above them are not.
func lostOwnHeadings(article, region *html.Node) bool {
	has := map[string]bool{}
	underHeadings(article, func(_, text string) { has[text] = true })
	for d := range article.Descendants() {
		if dom.Heading(d) > 1 {
			has[beginning(d)] = true
		}
	}
	lost, kept := 0, 0
	underHeadings(region, func(heading, text string) {
		switch {
		case heading == "" || !has[text]:
		case has[heading]:
			kept++
		default:
			lost++
		}
	})
	return lost >= fewHeadings && lost*shareHeadings > lost+kept
}

// underHeadings calls each with the beginning of every longer text in n, and with
// the heading right above it, "" for none.
func underHeadings(n *html.Node, each func(heading, text string)) {
	heading := ""
	for d := range n.Descendants() {
		switch {
		case dom.Heading(d) > 1:
			heading = beginning(d)
		case d.Type == html.TextNode && len(d.Data) >= firstChars:
			if text := strings.TrimSpace(d.Data); len(text) >= firstChars && text != heading {
				each(heading, text[:firstChars])
				heading = ""
			}
		}
	}
}

// isDocumentation reports whether an address looks like that of a manual.
func isDocumentation(address string) bool {
	return dom.ContainsAny(strings.ToLower(address), "//docs.", "//doc.", "//developer.", "//devdocs.", "//wiki.", "/docs/", "/doc/", "/documentation/",
		"/manual/", "/reference/", "/guide/", "/guides/", "/wiki/", "/api/", "readthedocs.", "gitbook.io", "/tutorial", "/man/")
}
