// Package dom has the helpers over trees of HTML that the steps of an extraction
// share. It neither parses nor judges content.
package dom

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Attr returns the value of an attribute; "" for none.
func Attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

// Has reports whether n has the attribute, even if it is empty.
func Has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key && a.Namespace == "" })
}

// SetAttr sets an attribute.
func SetAttr(n *html.Node, key, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
}

// Element returns a new element without attributes.
func Element(a atom.Atom) *html.Node {
	return &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
}

// NewText returns a new text node.
func NewText(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// RawName is the name of the elements that [Raw] returns.
const RawName = "x-raw"

// Raw returns a new element whose text is written as it is in every format, without
// escapes, such as a formula.
func Raw(s string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: RawName}
	n.AppendChild(NewText(s))
	return n
}

// Rename turns n into an element of another kind.
func Rename(n *html.Node, a atom.Atom) { n.DataAtom, n.Data, n.Namespace = a, a.String(), "" }

// Is reports whether n is an element of one of these kinds.
func Is(n *html.Node, atoms ...atom.Atom) bool {
	return n != nil && n.Type == html.ElementNode && n.DataAtom != 0 && slices.Contains(atoms, n.DataAtom)
}

// First returns the first descendant of one of these kinds in document order; nil
// for none.
func First(n *html.Node, atoms ...atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if Is(d, atoms...) {
			return d
		}
	}
	return nil
}

// All returns the descendants of these kinds in document order. The caller may
// change the tree while it goes through them.
func All(n *html.Node, atoms ...atom.Atom) []*html.Node {
	var all []*html.Node
	for d := range n.Descendants() {
		if Is(d, atoms...) {
			all = append(all, d)
		}
	}
	return all
}

// Inside reports whether n lies in an element of one of these kinds.
func Inside(n *html.Node, atoms ...atom.Atom) bool {
	for a := range n.Ancestors() {
		if Is(a, atoms...) {
			return true
		}
	}
	return false
}

// Contains reports whether n is a or lies in it.
func Contains(a, n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == a {
			return true
		}
	}
	return false
}

// OnlyChild returns the one child of n that is not blank text; nil if it has none or several.
func OnlyChild(n *html.Node) *html.Node {
	var found *html.Node
	for c := range n.ChildNodes() {
		if IsBlank(c) {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// Elements returns the children that are elements.
func Elements(n *html.Node) []*html.Node {
	var all []*html.Node
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			all = append(all, c)
		}
	}
	return all
}

// Remove removes n from its tree, if it is in one.
func Remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// Replace puts by in the place of n.
func Replace(n, by *html.Node) {
	if n.Parent == nil {
		return
	}
	Remove(by)
	n.Parent.InsertBefore(by, n)
	n.Parent.RemoveChild(n)
}

// Adopt moves all children of from to the end of to.
func Adopt(to, from *html.Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}

// Unwrap replaces n by its children.
func Unwrap(n *html.Node) {
	p := n.Parent
	if p == nil {
		return
	}
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		p.InsertBefore(c, n)
	}
	p.RemoveChild(n)
}

// Clone returns a copy of n and all that is below it.
func Clone(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	for child := range n.ChildNodes() {
		c.AppendChild(Clone(child))
	}
	return c
}

// Body returns the body of a document; the document itself if it has none.
func Body(doc *html.Node) *html.Node {
	if b := First(doc, atom.Body); b != nil {
		return b
	}
	return doc
}

// HasClass reports whether n has one of these classes, given in lower case.
func HasClass(n *html.Node, classes ...string) bool {
	return hasWord(strings.ToLower(Attr(n, "class")), classes)
}

// HasMark reports whether one of these words, given in lower case, is a class or
// the id of n.
func HasMark(n *html.Node, words ...string) bool { return hasWord(Mark(n), words) }

func hasWord(text string, words []string) bool {
	for w := range strings.FieldsSeq(text) {
		if slices.Contains(words, w) {
			return true
		}
	}
	return false
}

// Span returns the number of rows or columns that a cell spans, by its attribute rowspan
// or colspan: 1 to most.
func Span(cell *html.Node, key string, most int) int {
	n, err := strconv.Atoi(strings.TrimSpace(Attr(cell, key)))
	if err != nil {
		return 1
	}
	return min(max(n, 1), most)
}

// Mark returns the class and the id of n in lower case, as one string of words.
func Mark(n *html.Node) string {
	class, id := Attr(n, "class"), Attr(n, "id")
	switch {
	case class == "" && id == "":
		return ""
	case id == "":
		return strings.ToLower(class)
	}
	return strings.ToLower(class + " " + id)
}
