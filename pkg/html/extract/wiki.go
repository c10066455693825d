package extract

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// tidyWiki removes the marks that MediaWiki puts into a text for its authors: links to
// edit a section, marks that a source is missing, links back from a note to where it is
// cited, and forms of coordinates that its style sheets hide. The mark of a note stays as
// in print, [1], and is no link: notes have their numbers.
func tidyWiki(body *html.Node) {
	var out, marks []*html.Node
	for n := range body.Descendants() {
		switch {
		case n.Type != html.ElementNode || !dom.Has(n, "class"):
		case dom.HasClass(n, "mw-editsection", "mw-editsection-like", "mw-cite-backlink", "cite-accessibility-label", "mw-jump-link", "geo-nondefault", "geo-multi-punct"),
			n.DataAtom == atom.Sup && dom.HasClass(n, "inline-template", "noprint"):
			out = append(out, n)
		case n.DataAtom == atom.Sup && dom.HasClass(n, "reference", "mw-ref"):
			marks = append(marks, n)
		}
	}
	for _, n := range out {
		dom.Remove(n)
	}
	for _, n := range marks {
		if mark := dom.Collapse(dom.RawText(n)); mark != "" && len(mark) <= markBytes {
			dom.Replace(n, dom.NewText(mark))
		}
	}
}

// markBytes is the longest mark of a note, such as [note 12].
const markBytes = 24

// isWikiBox reports whether a table is one of MediaWiki's boxes beside the text: a
// collection of links to other pages, or a note to the writers.
func isWikiBox(t *html.Node) bool {
	return dom.HasClass(t, "navbox", "vertical-navbox", "sidebar", "ambox", "tmbox", "mbox-small", "sistersitebox", "navbox-inner", "navbox-subgroup")
}
