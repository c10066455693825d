package parse

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// endInBody processes an end tag in the body (section 13.2.6.4.7).
func (b *builder) endInBody(t *Token) bool {
	switch t.Atom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Button, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div,
		atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Listing, atom.Main, atom.Menu,
		atom.Nav, atom.Ol, atom.Pre, atom.Search, atom.Section, atom.Select, atom.Summary, atom.Ul, atom.Dd, atom.Dt:
		b.popScope(elementScope, t.Atom)
	case atom.P:
		if !b.has(buttonScope, atom.P) {
			b.insertBare(atom.P)
		}
		b.closeP()
	case atom.Li:
		b.popScope(itemScope, atom.Li)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		b.popScope(elementScope, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt,
		atom.U:
		b.adopt(t)
	case atom.Applet, atom.Marquee, atom.Object:
		if b.popScope(elementScope, t.Atom) {
			b.clearToMarker()
		}
	case atom.Form:
		b.endForm()
	case atom.Br:
		b.reconstruct()
		b.insertBare(atom.Br)
		b.pop()
		b.noFrames = true
	case atom.Body, atom.Html:
		if b.has(elementScope, atom.Body) {
			b.mode = afterBody
			return t.Atom == atom.Body
		}
	case atom.Template:
		b.endTemplate()
	default:
		b.endOther(t)
	}
	return true
}

func (b *builder) endForm() {
	if b.templated() {
		b.popScope(elementScope, atom.Form)
		return
	}
	form := b.form
	b.form = nil
	if form == nil {
		return
	}
	at := b.depth(form)
	if at < 0 || slices.ContainsFunc(b.stack[at+1:], func(e open) bool { return e.traits&boundary != 0 }) {
		return
	}
	b.imply(0)
	b.remove(form)
}

// endOther closes an element without rules of its own, unless it is outside the
// innermost special element.
func (b *builder) endOther(t *Token) {
	for i := len(b.stack) - 1; i >= 0; i-- {
		e := &b.stack[i]
		if e.traits&foreign == 0 && e.node.Data == t.Data {
			b.stack = b.stack[:i]
			return
		}
		if e.traits&special != 0 {
			return
		}
	}
}
