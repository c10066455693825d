package extract

import (
	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/web/parse"
)

// Parse reads a page as browsers do, except that it is parsed as if scripts were
// off, so that what stands in noscript is part of the tree. cut reports that the
// page is larger than what is looked at. Of what nests too deeply only the tags
// are left out, so that nothing to read is lost.
func Parse(text string) (doc *html.Node, cut bool) {
	doc, reached := parse.Document(text, parse.Limits{
		Nodes: limit.PageNodes, Depth: limit.PageDepth, Marks: limit.PageMarks, Attributes: limit.PageAttributes,
	})
	return doc, reached&parse.Nodes != 0
}
