package parse

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// open is an open element.
type open struct {
	node   *html.Node
	tag    atom.Atom // 0 for an element of SVG or MathML
	traits traits
}

func opened(n *html.Node) open {
	e := open{node: n, traits: of(n)}
	if e.traits&foreign == 0 {
		e.tag = n.DataAtom
	}
	return e
}

// top returns the current node.
func (b *builder) top() *open { return &b.stack[len(b.stack)-1] }

func (b *builder) current(tag atom.Atom) bool {
	return len(b.stack) > 0 && b.top().tag == tag
}

func (b *builder) pop() { b.stack = b.stack[:len(b.stack)-1] }

// depth returns the index of a node in the stack; -1 for none.
func (b *builder) depth(n *html.Node) int {
	for i, e := range slices.Backward(b.stack) {
		if e.node == n {
			return i
		}
	}
	return -1
}

// scope returns the index in the stack of the innermost element with one of the
// tags, in a scope that ends at elements with one of the traits; -1 for none
// (section 13.2.4.2).
func (b *builder) scope(within traits, tags ...atom.Atom) int {
	for i := len(b.stack) - 1; i >= 0; i-- {
		e := &b.stack[i]
		if e.tag != 0 && slices.Contains(tags, e.tag) {
			return i
		}
		if e.traits&within != 0 {
			break
		}
	}
	return -1
}

func (b *builder) has(within traits, tags ...atom.Atom) bool { return b.scope(within, tags...) >= 0 }

// popScope closes the element in scope, if there is one.
func (b *builder) popScope(within traits, tags ...atom.Atom) bool {
	at := b.scope(within, tags...)
	if at < 0 {
		return false
	}
	b.stack = b.stack[:at]
	return true
}

// closeP closes a p element in button scope. The standard generates implied end
// tags first, which only matters for reporting errors.
func (b *builder) closeP() { b.popScope(buttonScope, atom.P) }

// imply generates implied end tags, except for elements with the tag but (section
// 13.2.6.3).
func (b *builder) imply(but atom.Atom) {
	for b.top().traits&implied != 0 && (but == 0 || b.top().tag != but) {
		b.pop()
	}
}

// clearTo clears the stack back to a context (section 13.2.6.4.9 and following).
func (b *builder) clearTo(tags ...atom.Atom) {
	for {
		switch t := b.top().tag; {
		case t != 0 && slices.Contains(tags, t), t == atom.Template, t == atom.Html:
			return
		}
		b.pop()
	}
}

// templated reports whether a template is open.
func (b *builder) templated() bool { return b.has(anyScope, atom.Template) }

// remove removes an element from the stack.
func (b *builder) remove(n *html.Node) {
	if i := b.depth(n); i >= 0 {
		b.stack = slices.Delete(b.stack, i, i+1)
	}
}
