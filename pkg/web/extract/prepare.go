package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// Tidy removes from a piece of HTML what is not shown.
func Tidy(body *html.Node) {
	prepare(body)
	washed(body)
}

// prepare turns the tree of a page into what its reader would see: late parts
// come to their places, and what is not shown goes.
func prepare(body *html.Node) {
	reveal(body)
	unwrapNoscript(body)
	keepFormulas(body)
	keepBoxes(body)
	unveil(body)
	removeHidden(body, opened(body))
	for _, n := range dom.All(body, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Link, atom.Meta, atom.Svg, atom.Canvas,
		atom.Input, atom.Select, atom.Textarea, atom.Option, atom.Optgroup, atom.Datalist, atom.Dialog, atom.Object, atom.Embed, atom.Applet, atom.Map, atom.Title) {
		dom.Remove(n)
	}
	for _, n := range dom.All(body, atom.Button) {
		button(n)
	}
	removeComments(body)
}

// keepFormulas turns the TeX that scripts are to show into text.
func keepFormulas(body *html.Node) {
	for _, s := range dom.All(body, atom.Script) {
		kind := strings.ToLower(dom.Attr(s, "type"))
		if !strings.HasPrefix(kind, "math/tex") || s.FirstChild == nil {
			continue
		}
		mark := "$"
		if strings.Contains(kind, "display") {
			mark = "$$"
		}
		dom.Replace(s, dom.Raw(mark+strings.TrimSpace(s.FirstChild.Data)+mark))
	}
}

// keepBoxes turns the boxes of a list of tasks into text.
func keepBoxes(body *html.Node) {
	for _, box := range dom.All(body, atom.Input) {
		if !strings.EqualFold(dom.Attr(box, "type"), "checkbox") || !dom.Has(box, "disabled") || !dom.Inside(box, atom.Li) {
			continue
		}
		text := "[ ] "
		if dom.Has(box, "checked") {
			text = "[x] "
		}
		dom.Replace(box, dom.Raw(text))
	}
}

func removeComments(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		if c.Type == html.CommentNode {
			n.RemoveChild(c)
		} else {
			removeComments(c)
		}
		c = follows
	}
}

// button keeps the words of a button that opens a part of the page, which are
// that part's heading, and of one that stands in a heading.
func button(n *html.Node) {
	if dom.Has(n, "aria-expanded") && !dom.Has(n, "aria-haspopup") || dom.Inside(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Summary, atom.Dt) {
		if !dom.Inside(n, atom.Nav, atom.Header) {
			dom.Rename(n, atom.Div)
			n.Attr = nil
			return
		}
	}
	dom.Remove(n)
}

// reveal moves what React streamed after the page to the places that wait for
// it: <div hidden id="S:1"> belongs where <template id="B:1"> stands.
func reveal(body *html.Node) {
	places := map[string]*html.Node{}
	for _, t := range dom.All(body, atom.Template) {
		if id, ok := strings.CutPrefix(dom.Attr(t, "id"), "B:"); ok {
			places[id] = t
		}
	}
	if len(places) == 0 {
		return
	}
	for _, d := range dom.All(body, atom.Div) {
		id, ok := strings.CutPrefix(dom.Attr(d, "id"), "S:")
		if !ok || !dom.Has(d, "hidden") {
			continue
		}
		if t := places[id]; t != nil && t.Parent != nil && !dom.Contains(d, t) {
			d.Attr = nil
			dom.Replace(t, d)
		}
	}
}

// The share of the page's text, and the characters, from which on what is in
// noscript is the page itself and not a note to the reader.
const (
	noscriptShare = 1.0 / 3
	noscriptChars = 400
)

func unwrapNoscript(body *html.Node) {
	visible := -1
	for _, n := range dom.All(body, atom.Noscript) {
		inner := chars(n)
		if inner < noscriptChars {
			continue
		}
		if visible < 0 {
			visible = chars(body)
		}
		if float64(inner) > noscriptShare*float64(visible-inner) {
			dom.Rename(n, atom.Div)
		}
	}
}

// chars is how many characters a reader of n is shown.
func chars(n *html.Node) int {
	switch {
	case n.Type == html.TextNode:
		return dom.Length(n.Data)
	case dom.Silent(n):
		return 0
	}
	sum := 0
	for c := range n.ChildNodes() {
		sum += chars(c)
	}
	return sum
}
