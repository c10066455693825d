package extract

import (
	"slices"
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

// removeHidden removes what a browser does not show, except what a control of
// the page opens.
func removeHidden(n *html.Node, panels map[string]bool) {
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		switch {
		case c.Type != html.ElementNode:
		case isHidden(c) && !folds(c) && !panels[dom.Attr(c, "id")]:
			n.RemoveChild(c)
		default:
			removeHidden(c, panels)
		}
		c = follows
	}
}

// opened are the ids of the parts that a reader can open in their places: the
// panels of tabs and of accordions, but not menus and dialogs.
func opened(body *html.Node) map[string]bool {
	closed := map[string]bool{}
	for n := range body.Descendants() {
		if n.Type == html.ElementNode && dom.Has(n, "id") && isHidden(n) && !isOverlay(n) {
			closed[dom.Attr(n, "id")] = true
		}
	}
	ids := map[string]bool{}
	if len(closed) == 0 {
		return ids
	}
	for n := range body.Descendants() {
		if n.Type != html.ElementNode || !opens(n) || dom.Inside(n, atom.Nav, atom.Header) {
			continue
		}
		for _, key := range [...]string{"aria-controls", "data-target", "data-bs-target", "href"} {
			value := dom.Attr(n, key)
			if key != "aria-controls" && !strings.HasPrefix(value, "#") {
				continue
			}
			for id := range strings.FieldsSeq(value) {
				if id = strings.TrimPrefix(id, "#"); closed[id] {
					ids[id] = true
					dom.SetAttr(n, "aria-expanded", "false") // see button
				}
			}
		}
	}
	return ids
}

// opens reports whether n is a control that may open a part of the page.
func opens(n *html.Node) bool {
	switch {
	case dom.Has(n, "aria-haspopup"), strings.EqualFold(dom.Attr(n, "data-toggle")+dom.Attr(n, "data-bs-toggle"), "modal"):
		return false
	case dom.Is(n, atom.Button) && dom.Has(n, "aria-controls"), dom.Has(n, "aria-expanded"), dom.Has(n, "data-toggle"), dom.Has(n, "data-bs-toggle"):
		return true
	}
	return dom.Attr(n, "role") == "tab"
}

// isOverlay reports whether n is shown over the page, and not in it.
func isOverlay(n *html.Node) bool {
	switch dom.Attr(n, "role") {
	case "dialog", "alertdialog", "menu", "listbox", "tooltip":
		return true
	}
	return dom.Has(n, "aria-modal") || has(dom.Mark(n), "modal", "drawer", "popup", "offcanvas", "lightbox", "overlay", "tooltip")
}

// unveil shows the part of a page that is hidden until scripts have run, if there
// is next to nothing beside it.
func unveil(body *html.Node) {
	root := body
	if m := dom.First(body, atom.Main); m != nil {
		root = m
	}
	var veiled *html.Node
	most, shown := 0, 0
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			shown += dom.Length(n.Data)
			return
		case dom.Silent(n), dom.Is(n, atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Dialog, atom.Noscript):
			return
		case n.Type == html.ElementNode && isHidden(n):
			if c := chars(n); c > most {
				veiled, most = n, c
			}
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(root)
	if most >= tooLittle && shown < tooLittle {
		show(veiled)
	}
}

// show takes from an element what hides it.
func show(n *html.Node) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" || a.Key == "aria-hidden" || a.Key == "style" })
}

func isHidden(n *html.Node) bool {
	if dom.Has(n, "hidden") && dom.Attr(n, "hidden") != "until-found" {
		return true
	}
	if dom.Attr(n, "aria-hidden") == "true" && !strings.Contains(dom.Attr(n, "class"), "fallback-image") {
		return true
	}
	style := dom.Attr(n, "style")
	if style == "" {
		return false
	}
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		key, value, _ := strings.Cut(declaration, ":")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		switch strings.TrimSpace(key) {
		case "display":
			if value == "none" {
				return true
			}
		case "visibility":
			if value == "hidden" {
				return true
			}
		case "font-size":
			if value == "0" || value == "0px" {
				return true
			}
		}
	}
	return false
}

// folds reports whether a reader can open n: a panel of tabs or of an accordion,
// by what it is called or as it is hidden beside one of its kind that is shown.
func folds(n *html.Node) bool {
	if dom.Attr(n, "role") == "tabpanel" {
		return true
	}
	class := dom.Attr(n, "class")
	joined := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, strings.ToLower(class))
	return has(joined, "tabpane", "tabcontent", "tabscontent", "accordion", "collaps", "faq", "spoiler") || class != "" && isPanel(n, class)
}

// panelChars is how long a part of a page is at least, in characters, that
// stands for another.
const panelChars = 100

// panelSiblings is how many of its neighbours a part is compared with.
const panelSiblings = 20

// isPanel reports whether n is of a row of parts of which only one is shown.
func isPanel(n *html.Node, class string) bool {
	if n.Parent == nil || !holds(n, panelChars) {
		return false
	}
	looked := 0
	for s := range n.Parent.ChildNodes() {
		if s == n || s.Type != html.ElementNode {
			continue
		}
		if looked++; looked > panelSiblings {
			return false
		}
		if s.Data == n.Data && dom.Attr(s, "class") == class && !isHidden(s) && holds(s, panelChars) {
			return true
		}
	}
	return false
}

// panelNodes is how many nodes are looked at for the text of a panel.
const panelNodes = 500

// holds reports whether n has so many characters, without counting them all.
func holds(n *html.Node, least int) bool {
	sum, nodes := 0, 0
	for d := range n.Descendants() {
		if nodes++; nodes > panelNodes {
			return false
		}
		if d.Type == html.TextNode && !dom.Silent(d.Parent) {
			if sum += dom.Length(d.Data); sum >= least {
				return true
			}
		}
	}
	return false
}
