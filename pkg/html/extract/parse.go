package extract

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/parse"
)

// Limits of the tree of a page.
const (
	// maxNodes limits its nodes; the rest of the page is not read.
	maxNodes = 100_000
	// maxDepth limits the nesting of its elements.
	maxDepth = 512
	// maxMarks limits the formatting elements such as b that are open at once. Each block
	// after one that was closed too early opens them all again.
	maxMarks = 24
	// maxAttributes limits the attributes of all its elements together.
	maxAttributes = 250_000
)

// Parse reads a page as a browser without scripts does: the content of noscript
// elements is part of the tree. cut reports that the page has more nodes than are
// read. Elements that nest too deeply lose their tags only, not their text.
func Parse(text string) (doc *html.Node, cut bool) {
	doc, reached := parse.Document(closeFrames(text), parse.Limits{
		Nodes: maxNodes, Depth: maxDepth, Marks: maxMarks, Attributes: maxAttributes,
	})
	return doc, reached&parse.Nodes != 0
}

// closeFrames closes the frames that noscript elements leave open. Where scripts
// run, noscript is text, and such a frame ends with it; here the frame would
// swallow the page.
func closeFrames(text string) string {
	const open, end = "<noscript", "</noscript"
	var b strings.Builder
	rest := text
	for {
		i := strings.Index(rest, open)
		if i < 0 {
			break
		}
		j := strings.Index(rest[i:], end)
		if j < 0 {
			break
		}
		j += i
		b.WriteString(rest[:j])
		if inner := rest[i:j]; strings.LastIndex(inner, "<iframe") > strings.LastIndex(inner, "</iframe") {
			b.WriteString("</iframe>")
		}
		b.WriteString(end)
		rest = rest[j+len(end):]
	}
	if b.Len() == 0 {
		return text
	}
	b.WriteString(rest)
	return b.String()
}
