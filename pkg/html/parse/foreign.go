package parse

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inForeign processes a token in SVG or MathML (section 13.2.6.5). It returns false
// if the token belongs to HTML.
func (b *builder) inForeign(t *Token) bool {
	switch t.Kind {
	case Text:
		b.insertText(replaceNUL(t.Data))
		b.noFrames = b.noFrames || !blank(strings.ReplaceAll(t.Data, "\x00", ""))
	case Comment:
		b.insertComment(t)
	case StartTag:
		if leaves(t) {
			b.leave()
			return false
		}
		b.insertForeign(t, b.top().node.Namespace)
	case EndTag:
		if t.Atom == atom.Br || t.Atom == atom.P {
			b.leave()
			return false
		}
		return b.endForeign(t)
	case end:
		return false
	}
	return true
}

// leave closes elements up to one that may contain HTML.
func (b *builder) leave() {
	for {
		if t := b.top().traits; t&foreign == 0 || t&(mathText|htmlPoint) != 0 {
			return
		}
		b.pop()
	}
}

// insertForeign inserts the element of a start tag in a namespace.
func (b *builder) insertForeign(t *Token, namespace string) {
	a, name := t.Atom, t.Data
	if namespace == "svg" {
		if adjusted := adjust(svgElements[:], name); adjusted != name {
			a, name = atom.Lookup([]byte(adjusted)), adjusted
		}
	}
	n := b.element(a, name, t.Attr)
	n.Namespace = namespace
	for i := range n.Attr {
		adjustAttribute(&n.Attr[i], namespace)
	}
	b.push(n)
	if t.SelfClosing {
		b.pop()
	}
}

// endForeign closes the element of an end tag. It returns false if the tag must be
// processed by the rules of HTML.
func (b *builder) endForeign(t *Token) bool {
	for i := len(b.stack) - 1; i > 0; i-- {
		e := &b.stack[i]
		if e.traits&foreign == 0 {
			return false
		}
		if equalFold(e.node.Data, t.Data) {
			b.stack = b.stack[:i]
			return true
		}
	}
	return true
}

// leaves reports whether a start tag in SVG or MathML belongs to HTML and ends them.
func leaves(t *Token) bool {
	switch t.Atom {
	case atom.B, atom.Big, atom.Blockquote, atom.Body, atom.Br, atom.Center, atom.Code, atom.Dd, atom.Div, atom.Dl, atom.Dt, atom.Em,
		atom.Embed, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head, atom.Hr, atom.I, atom.Img, atom.Li, atom.Listing,
		atom.Menu, atom.Meta, atom.Nobr, atom.Ol, atom.P, atom.Pre, atom.Ruby, atom.S, atom.Small, atom.Span, atom.Strong, atom.Strike,
		atom.Sub, atom.Sup, atom.Table, atom.Tt, atom.U, atom.Ul, atom.Var:
		return true
	case atom.Font:
		for _, a := range t.Attr {
			if a.Key == "color" || a.Key == "face" || a.Key == "size" {
				return true
			}
		}
	}
	return false
}

// adjustAttribute sets the spelling and the namespace of an attribute of SVG or
// MathML.
func adjustAttribute(a *html.Attribute, namespace string) {
	switch namespace {
	case "svg":
		a.Key = adjust(svgAttributes[:], a.Key)
	case "math":
		if a.Key == "definitionurl" {
			a.Key = "definitionURL"
		}
	}
	switch a.Key {
	case "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type", "xml:lang", "xml:space",
		"xmlns:xlink":
		a.Namespace, a.Key, _ = strings.Cut(a.Key, ":")
	}
}
