package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// placeShadows shows the shadow trees that a page declares (HTML Standard, 4.12.3 and
// 4.12.4) as browsers do: the tree instead of what is in the element, and that in the
// slots of the tree. What has no slot is not shown.
func placeShadows(body *html.Node) {
	var trees []*html.Node
	hosts := map[*html.Node]bool{}
	for _, t := range dom.All(body, atom.Template) {
		mode := strings.ToLower(dom.Attr(t, "shadowrootmode"))
		if (mode == "open" || mode == "closed") && !hosts[t.Parent] { // an element has one tree
			hosts[t.Parent] = true
			trees = append(trees, t)
		}
	}
	// The inner ones first: each slot is then one of the tree that it is reached from.
	for _, t := range slices.Backward(trees) {
		placeShadow(t)
	}
}

// placeShadow shows the tree in a template.
func placeShadow(t *html.Node) {
	host := t.Parent
	light := map[string][]*html.Node{}
	for c := host.FirstChild; c != nil; {
		follows := c.NextSibling
		if c != t {
			host.RemoveChild(c)
			name := ""
			if c.Type == html.ElementNode {
				name = dom.Attr(c, "slot")
			}
			light[name] = append(light[name], c)
		}
		c = follows
	}
	for _, slot := range dom.All(t, atom.Slot) {
		if slot.Parent == nil {
			continue // it was in another's default
		}
		name := dom.Attr(slot, "name")
		if given := light[name]; holds(given) {
			for _, n := range given {
				slot.Parent.InsertBefore(n, slot)
			}
			delete(light, name)
			dom.Remove(slot)
			continue
		}
		dom.Unwrap(slot) // its default
	}
	dom.Unwrap(t)
}

// holds reports whether any of the nodes is more than white space.
func holds(nodes []*html.Node) bool {
	for _, n := range nodes {
		if n.Type == html.ElementNode || n.Type == html.TextNode && !dom.Blank(n.Data) {
			return true
		}
	}
	return false
}
