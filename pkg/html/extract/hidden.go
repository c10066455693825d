package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// removeHidden removes what a browser does not show, except panels that a control
// of the page opens.
func removeHidden(n *html.Node, panels map[string]bool) {
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		switch {
		case c.Type != html.ElementNode:
		case isHidden(c) && !canOpen(c) && !panels[dom.Attr(c, "id")]:
			n.RemoveChild(c)
		default:
			removeHidden(c, panels)
		}
		c = follows
	}
}

// openable returns the ids of the hidden parts that a reader can open in their
// places: the panels of tabs and accordions, but not menus and dialogs.
func openable(body *html.Node) map[string]bool {
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
		if n.Type != html.ElementNode || !isOpener(n) || dom.Inside(n, atom.Nav, atom.Header) {
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
					dom.SetAttr(n, "aria-expanded", "false") // see keepLabel
				}
			}
		}
	}
	return ids
}

// isOpener reports whether n is a control that can open a part of the page.
func isOpener(n *html.Node) bool {
	switch {
	case dom.Has(n, "aria-haspopup"), strings.EqualFold(dom.Attr(n, "data-toggle")+dom.Attr(n, "data-bs-toggle"), "modal"):
		return false
	case dom.Is(n, atom.Button) && dom.Has(n, "aria-controls"), dom.Has(n, "aria-expanded"), dom.Has(n, "data-toggle"), dom.Has(n, "data-bs-toggle"):
		return true
	}
	return dom.Attr(n, "role") == "tab"
}

// isOverlay reports whether n is shown over the page rather than in it.
func isOverlay(n *html.Node) bool {
	switch dom.Attr(n, "role") {
	case "dialog", "alertdialog", "menu", "listbox", "tooltip":
		return true
	}
	return dom.Has(n, "aria-modal") || dom.ContainsAny(dom.Mark(n), "modal", "drawer", "popup", "offcanvas", "lightbox", "overlay", "tooltip")
}

// unveil shows the largest part of a page that is hidden until scripts have run,
// if there is almost nothing beside it.
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
	if most >= minContent && shown < minContent {
		unhide(veiled)
	}
}

// unhide removes the attributes of an element that hide it.
func unhide(n *html.Node) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" || a.Key == "aria-hidden" || a.Key == "style" })
}

// isHidden reports whether the attributes of n say that it is not laid out, style among
// them. For sheets and for what is laid out and not seen, see removeConcealed.
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
		}
	}
	return false
}

// canOpen reports whether a reader can open n: it is a panel of tabs or of an
// accordion, by its name or because another of its kind beside it is shown.
func canOpen(n *html.Node) bool {
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
	return dom.ContainsAny(joined, "tabpane", "tabcontent", "tabscontent", "accordion", "collaps", "faq", "spoiler") || class != "" && isPanel(n, class)
}

const (
	panelChars    = 100 // characters that a panel has at least
	panelSiblings = 20  // neighbours that a part is compared with
	panelNodes    = 500 // nodes that are read for the text of a panel
)

// isPanel reports whether n is one of a row of parts of which one is shown.
func isPanel(n *html.Node, class string) bool {
	if n.Parent == nil || !hasChars(n, panelChars) {
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
		if s.Data == n.Data && dom.Attr(s, "class") == class && !isHidden(s) && hasChars(s, panelChars) {
			return true
		}
	}
	return false
}

// hasChars reports whether n has at least so many characters. It stops counting
// there.
func hasChars(n *html.Node, least int) bool {
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
