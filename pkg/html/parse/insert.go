package parse

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// slab is the most nodes, or attributes, that are allocated at once.
const slab = 256

// node returns a new node.
func (b *builder) node(kind html.NodeType, data string) *html.Node {
	if len(b.slab) == 0 {
		b.slab = make([]html.Node, min(max(8, b.nodes), slab))
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	n.Type, n.Data = kind, data
	if b.nodes++; b.most.Nodes > 0 && b.nodes > b.most.Nodes {
		b.reached |= Nodes
	}
	return n
}

// copied returns a copy of attributes, within the limit.
func (b *builder) copied(attrs []html.Attribute) []html.Attribute {
	if b.most.Attributes > 0 && b.attributes+len(attrs) > b.most.Attributes {
		attrs = attrs[:max(0, b.most.Attributes-b.attributes)]
		b.reached |= Attributes
	}
	n := len(attrs)
	if n == 0 {
		return nil
	}
	b.attributes += n
	if n > slab/8 {
		return slices.Clone(attrs)
	}
	if len(b.attrs) < n {
		b.attrs = make([]html.Attribute, min(max(8, b.attributes), slab))
	}
	own := b.attrs[:n:n]
	b.attrs = b.attrs[n:]
	copy(own, attrs)
	return own
}

// element returns a new element of HTML.
func (b *builder) element(a atom.Atom, name string, attrs []html.Attribute) *html.Node {
	n := b.node(html.ElementNode, name)
	n.DataAtom = a
	n.Attr = b.copied(attrs)
	return n
}

// place is a place in the tree: the end of parent, or before one of its children.
type place struct{ parent, before *html.Node }

// placeIn returns the appropriate place for inserting a node into target (section
// 13.2.6.1).
func (b *builder) placeIn(target open) place {
	if !b.fostering || target.traits&fosters == 0 {
		return place{parent: target.node}
	}
	at := len(b.stack) - 1
	for at > 0 && b.stack[at].tag != atom.Table && b.stack[at].tag != atom.Template {
		at--
	}
	switch e := b.stack[at]; {
	case e.tag != atom.Table: // a template or the root
		return place{parent: e.node}
	case e.node.Parent != nil:
		return place{parent: e.node.Parent, before: e.node}
	}
	return place{parent: b.stack[at-1].node}
}

func (p place) put(n *html.Node) {
	if p.before != nil {
		p.parent.InsertBefore(n, p.before)
	} else {
		p.parent.AppendChild(n)
	}
}

// push inserts a new element and opens it.
func (b *builder) push(n *html.Node) {
	if len(b.stack) == 0 {
		b.doc.AppendChild(n)
	} else {
		b.placeIn(*b.top()).put(n)
	}
	b.stack = append(b.stack, opened(n))
}

// insert inserts the element of a start tag and opens it.
func (b *builder) insert(t *Token) *html.Node {
	n := b.element(t.Atom, t.Data, t.Attr)
	b.push(n)
	return n
}

// insertVoid inserts the element of a start tag that has no content.
func (b *builder) insertVoid(t *Token) {
	b.insert(t)
	b.pop()
}

// insertBare inserts an element without a tag in the text.
func (b *builder) insertBare(a atom.Atom) *html.Node {
	n := b.element(a, a.String(), nil)
	b.push(n)
	return n
}

// insertText inserts a text, or appends it to the text in that place.
func (b *builder) insertText(s string) {
	if s == "" {
		return
	}
	p := b.placeIn(*b.top())
	last := p.parent.LastChild
	if p.before != nil {
		last = p.before.PrevSibling
	}
	if last == nil || last.Type != html.TextNode {
		p.put(b.node(html.TextNode, s))
		return
	}
	if b.long == nil {
		b.long = map[*html.Node]*strings.Builder{}
	}
	whole := b.long[last]
	if whole == nil {
		whole = &strings.Builder{}
		whole.WriteString(last.Data)
		b.long[last] = whole
	}
	whole.WriteString(s)
}

func (b *builder) insertComment(t *Token) {
	p := place{parent: b.doc}
	if len(b.stack) > 0 {
		p = b.placeIn(*b.top())
	}
	p.put(b.node(html.CommentNode, t.Data))
}

// addAttributes adds the attributes of a tag that an element does not have. which is
// 0 for the root and 1 for the body.
func (b *builder) addAttributes(n *html.Node, t *Token, which int) {
	if len(t.Attr) == 0 || b.reached&Attributes != 0 {
		return
	}
	names := b.names[which]
	if names == nil {
		names = map[string]struct{}{}
		for _, a := range n.Attr {
			names[a.Key] = struct{}{}
		}
		b.names[which] = names
	}
	for i := range t.Attr {
		key := t.Attr[i].Key
		if _, there := names[key]; !there {
			names[key] = struct{}{}
			n.Attr = append(n.Attr, b.copied(t.Attr[i:i+1])...)
		}
	}
}
