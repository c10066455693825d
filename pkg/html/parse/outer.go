package parse

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inTemplate is the mode in a template until its content sets another mode (section
// 13.2.6.4.16).
func (b *builder) inTemplate(t *Token) bool {
	switch t.Kind {
	case StartTag:
		m := inBody
		switch t.Atom {
		case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Script, atom.Style, atom.Template, atom.Title:
			return b.metadata(t)
		case atom.Caption, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
			m = inTable
		case atom.Col:
			m = inColumnGroup
		case atom.Tr:
			m = inTableBody
		case atom.Td, atom.Th:
			m = inRow
		}
		b.templates[len(b.templates)-1] = m
		return b.again(m)
	case EndTag:
		if t.Atom == atom.Template {
			b.endTemplate()
		}
		return true
	case end:
		if !b.templated() {
			return true
		}
		b.endTemplate()
		return false
	}
	return b.inBody(t)
}

// afterBody is the mode after the end tag of the body (section 13.2.6.4.17).
func (b *builder) afterBody(t *Token) bool {
	switch t.Kind {
	case Text:
		if blank(t.Data) {
			return b.inBody(t)
		}
	case Comment:
		b.stack[0].node.AppendChild(b.node(html.CommentNode, t.Data))
		return true
	case Doctype, end:
		return true
	case StartTag:
		if t.Atom == atom.Html {
			return b.inBody(t)
		}
	case EndTag:
		if t.Atom == atom.Html {
			b.mode = afterAfterBody
			return true
		}
	}
	return b.again(inBody)
}

// inFrameset is the mode in and after a frameset (sections 13.2.6.4.18 and
// 13.2.6.4.19).
func (b *builder) inFrameset(t *Token) bool {
	switch t.Kind {
	case Text:
		b.insertText(whiteOnly(t.Data))
	case Comment:
		b.insertComment(t)
	case StartTag:
		switch {
		case t.Atom == atom.Html:
			return b.inBody(t)
		case t.Atom == atom.Noframes:
			return b.metadata(t)
		case b.mode == afterFrameset:
		case t.Atom == atom.Frameset:
			b.insert(t)
		case t.Atom == atom.Frame:
			b.insertVoid(t)
		}
	case EndTag:
		switch {
		case b.mode == afterFrameset && t.Atom == atom.Html:
			b.mode = afterAfterFrameset
		case b.mode == inFrameset && t.Atom == atom.Frameset && len(b.stack) > 1:
			b.pop()
			if !b.current(atom.Frameset) {
				b.mode = afterFrameset
			}
		}
	}
	return true
}

// afterAfter is the mode after the end tag of the root, which has a body or a
// frameset (sections 13.2.6.4.20 and 13.2.6.4.21).
func (b *builder) afterAfter(t *Token) bool {
	switch t.Kind {
	case Comment:
		b.doc.AppendChild(b.node(html.CommentNode, t.Data))
		return true
	case Doctype, end:
		return true
	case StartTag:
		if t.Atom == atom.Html {
			return b.inBody(t)
		}
	}
	if b.mode == afterAfterBody {
		if t.Kind == Text && blank(t.Data) {
			return b.inBody(t)
		}
		return b.again(inBody)
	}
	switch {
	case t.Kind == Text:
		if t.Data = whiteOnly(t.Data); t.Data != "" {
			return b.inBody(t)
		}
	case t.Kind == StartTag && t.Atom == atom.Noframes:
		return b.metadata(t)
	}
	return true
}
