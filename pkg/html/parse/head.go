package parse

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// initial is the first mode (section 13.2.6.4.1).
func (b *builder) initial(t *Token) bool {
	if t.Kind == Doctype {
		n := b.node(html.DoctypeNode, t.Data)
		n.Attr = t.Attr
		b.doc.AppendChild(n)
		b.quirks = quirks(t)
		b.mode = beforeHTML
		return true
	}
	if b.light(t, false) {
		return true
	}
	b.quirks = true
	return b.again(beforeHTML)
}

// beforeHTML is the mode before the root (section 13.2.6.4.2).
func (b *builder) beforeHTML(t *Token) bool {
	if b.light(t, false) {
		return true
	}
	switch t.Kind {
	case StartTag:
		if t.Atom == atom.Html {
			b.insert(t)
			b.mode = beforeHead
			return true
		}
	case EndTag:
		if !implies(t.Atom) {
			return true
		}
	}
	b.insertBare(atom.Html)
	return b.again(beforeHead)
}

// implies reports whether an end tag before the body implies the start tag of the
// element that comes next.
func implies(a atom.Atom) bool {
	return a == atom.Head || a == atom.Body || a == atom.Html || a == atom.Br
}

// beforeHead is the mode before the head (section 13.2.6.4.3).
func (b *builder) beforeHead(t *Token) bool {
	if b.light(t, false) {
		return true
	}
	switch t.Kind {
	case StartTag:
		switch t.Atom {
		case atom.Html:
			return b.inBody(t)
		case atom.Head:
			b.head = b.insert(t)
			b.mode = inHead
			return true
		}
	case EndTag:
		if !implies(t.Atom) {
			return true
		}
	}
	b.head = b.insertBare(atom.Head)
	return b.again(inHead)
}

// inHead is the mode in the head; see also metadata
// (section 13.2.6.4.4).
func (b *builder) inHead(t *Token) bool {
	if b.light(t, true) {
		return true
	}
	switch t.Kind {
	case StartTag:
		switch t.Atom {
		case atom.Html:
			return b.inBody(t)
		case atom.Head:
			return true
		case atom.Noscript:
			b.insert(t)
			b.mode = inHeadNoscript
			return true
		}
		if b.metadata(t) {
			return true
		}
	case EndTag:
		switch t.Atom {
		case atom.Head:
			b.pop()
			b.mode = afterHead
			return true
		case atom.Template:
			b.endTemplate()
			return true
		}
		if !implies(t.Atom) {
			return true
		}
	}
	b.pop()
	return b.again(afterHead)
}

// metadata processes the start tag of an element that belongs into the head but may
// be anywhere. It returns false for any other.
func (b *builder) metadata(t *Token) bool {
	switch t.Atom {
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta:
		b.insertVoid(t)
	case atom.Title, atom.Noframes, atom.Style, atom.Script:
		b.take(t)
	case atom.Template:
		b.insert(t)
		b.addMarker()
		b.noFrames = true
		b.mode = inTemplate
		b.templates = append(b.templates, inTemplate)
	default:
		return false
	}
	return true
}

func (b *builder) endTemplate() {
	if b.popScope(anyScope, atom.Template) {
		b.clearToMarker()
		b.templates = b.templates[:len(b.templates)-1]
		b.resetMode()
	}
}

// inHeadNoscript is the mode in a noscript element in the head (section 13.2.6.4.5).
func (b *builder) inHeadNoscript(t *Token) bool {
	if b.light(t, true) {
		return true
	}
	switch t.Kind {
	case StartTag:
		switch t.Atom {
		case atom.Html:
			return b.inBody(t)
		case atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Style:
			return b.inHead(t)
		case atom.Head, atom.Noscript:
			return true
		}
	case EndTag:
		switch t.Atom {
		case atom.Noscript:
			b.pop()
			b.mode = inHead
			return true
		case atom.Br:
		default:
			return true
		}
	}
	b.pop()
	return b.again(inHead)
}

// afterHead is the mode between the head and the body (section 13.2.6.4.6).
func (b *builder) afterHead(t *Token) bool {
	if b.light(t, true) {
		return true
	}
	switch t.Kind {
	case StartTag:
		switch t.Atom {
		case atom.Html:
			return b.inBody(t)
		case atom.Head:
			return true
		case atom.Body:
			b.insert(t)
			b.noFrames = true
			b.mode = inBody
			return true
		case atom.Frameset:
			b.insert(t)
			b.mode = inFrameset
			return true
		case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Script, atom.Style, atom.Template, atom.Title:
			b.stack = append(b.stack, opened(b.head))
			b.metadata(t)
			b.remove(b.head)
			return true
		}
	case EndTag:
		if t.Atom == atom.Template {
			b.endTemplate()
			return true
		}
		if t.Atom == atom.Head || !implies(t.Atom) {
			return true
		}
	}
	b.insertBare(atom.Body)
	return b.again(inBody)
}
