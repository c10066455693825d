package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/formula"
	"github.com/helve-dev/helve/pkg/html/layout"
)

// Tidy removes what is not shown from a piece of HTML.
func Tidy(body *html.Node) {
	prepare(body)
	removeInvisible(body)
}

// prepare turns the tree of a page into what a reader sees: it moves parts that
// are sent late to their places, removes what is not shown, and turns tables that
// only lay out the page into blocks. It returns how many characters were in their places
// and yet not to be seen.
func prepare(body *html.Node) (hidden int) {
	placeShadows(body)
	placeStreamed(body)
	unwrapNoscript(body)
	formula.Replace(body)
	tidyWiki(body)
	layout.Embedded(body, func(text string) *html.Node {
		doc, _ := Parse(text)
		return dom.Body(doc)
	})
	keepBoxes(body)
	rewrite(body)
	unveil(body)
	panels := openable(body)
	removeHidden(body, panels)
	hidden = removeConcealed(body, panels)
	for _, n := range dom.All(body, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Link, atom.Meta, atom.Svg, atom.Canvas,
		atom.Input, atom.Select, atom.Textarea, atom.Option, atom.Optgroup, atom.Datalist, atom.Dialog, atom.Object, atom.Embed, atom.Applet, atom.Map, atom.Title) {
		dom.Remove(n)
	}
	titles := panelTitles(body)
	for _, n := range dom.All(body, atom.Button) {
		keepLabel(n, titles[n])
	}
	removeComments(body)
	layout.Callouts(body)
	for _, n := range dom.All(body, atom.Xmp, atom.Listing, atom.Plaintext) { // pre, as it was once written
		dom.Rename(n, atom.Pre)
	}
	layout.Code(body)
	layout.Unwrap(body)
	return hidden
}

// keepBoxes turns the check boxes of a task list into text.
func keepBoxes(body *html.Node) {
	for _, box := range dom.All(body, atom.Input) {
		task := dom.Has(box, "disabled") || dom.ContainsAny(dom.Mark(box), "task-list-item", "todo")
		if !strings.EqualFold(dom.Attr(box, "type"), "checkbox") || !task || !dom.Inside(box, atom.Li) {
			continue
		}
		text := "[ ] "
		if dom.Has(box, "checked") {
			text = "[x] "
		}
		dom.Replace(box, dom.Raw(text))
	}
}

// rewrite turns elements into those that say the same to every reader of the tree: the
// images of AMP, and the readings of characters, in brackets.
func rewrite(body *html.Node) {
	for n := range body.Descendants() {
		switch {
		case n.Data == "amp-img" || n.Data == "amp-anim":
			for c := n.FirstChild; c != nil; c = n.FirstChild { // what is shown in its place
				n.RemoveChild(c)
			}
			dom.Rename(n, atom.Img)
		case n.DataAtom == atom.Rt && n.FirstChild != nil && !dom.Is(n.PrevSibling, atom.Rp) && !dom.Is(n.Parent, atom.Rp):
			n.InsertBefore(dom.NewText("("), n.FirstChild)
			n.AppendChild(dom.NewText(")"))
		}
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

// placeStreamed moves what React sent after the page to its place: <div hidden
// id="S:1"> belongs where <template id="B:1"> is.
func placeStreamed(body *html.Node) {
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

// From this share of the page's text and this many characters on, a noscript
// element holds the page itself and not a note to the reader.
const (
	noscriptShare = 1.0 / 3
	noscriptChars = 400
)

// unwrapNoscript shows the noscript elements that hold the page.
func unwrapNoscript(body *html.Node) {
	visible := -1
	for _, n := range dom.All(body, atom.Noscript) {
		inner := chars(n)
		if visible < 0 {
			visible = chars(body)
		}
		if inner < noscriptChars && inner < visible { // what is all that there is, is shown
			continue
		}
		if float64(inner) > noscriptShare*float64(visible-inner) {
			dom.Rename(n, atom.Div)
		}
	}
}

// chars returns how many characters of n a reader sees.
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
