package extract

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// keepLabel removes a button, but keeps its words if they are the title of a part of the
// page, which it says that it opens or is known to be above, or if it stands in a heading.
func keepLabel(n *html.Node, title bool) {
	opens := dom.Has(n, "aria-expanded") && !dom.Has(n, "aria-haspopup")
	if (title || opens || dom.Inside(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Summary, atom.Dt)) && !dom.Inside(n, atom.Nav, atom.Header) {
		dom.Rename(n, atom.Div)
		n.Attr = nil
		return
	}
	dom.Remove(n)
}

const (
	panelTitleChars = 8  // characters that the title of a panel has at least
	panelTextChars  = 40 // characters that a panel below its title has at least
	panelsAlike     = 2  // such buttons that make titles
	titleClimb      = 3  // elements around a button that may hold nothing else
)

// panelTitles returns the buttons that are titles, as the questions above their answers
// are: several of a kind, each with words of its own and with text below. The labels of
// controls repeat.
func panelTitles(body *html.Node) map[*html.Node]bool {
	rows := map[kind][]*html.Node{}
	for _, n := range dom.All(body, atom.Button) {
		if isAbovePanel(n) {
			rows[kindOf(n)] = append(rows[kindOf(n)], n)
		}
	}
	titles := map[*html.Node]bool{}
	for _, row := range rows {
		texts := map[string]bool{}
		for _, n := range row {
			texts[dom.Text(n)] = true
		}
		if len(row) < panelsAlike || len(texts) < len(row) {
			continue
		}
		for _, n := range row {
			titles[n] = true
		}
	}
	return titles
}

// isAbovePanel reports whether a button has words, and a block of text below it.
func isAbovePanel(n *html.Node) bool {
	if dom.Has(n, "aria-haspopup") || !hasChars(n, panelTitleChars) || isControl(dom.Text(n)) {
		return false
	}
	for range titleClimb {
		if next := following(n); next != nil {
			return dom.Is(next, atom.Div, atom.Section, atom.P, atom.Dd) && hasChars(next, panelTextChars) && dom.First(next, atom.Button, atom.Form) == nil
		}
		if n = n.Parent; dom.Is(n, atom.Body, atom.Main) {
			return false
		}
	}
	return false
}

// following returns the element after n, nil if there is none or text stands before it.
func following(n *html.Node) *html.Node {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		switch {
		case s.Type == html.ElementNode:
			return s
		case s.Type == html.TextNode && !dom.Blank(s.Data):
			return nil
		}
	}
	return nil
}
