package parse

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// inBody is the mode in the body (section 13.2.6.4.7).
func (b *builder) inBody(t *Token) bool {
	switch t.Kind {
	case Text:
		if strings.IndexByte(t.Data, 0) >= 0 {
			if t.Data = strings.ReplaceAll(t.Data, "\x00", ""); t.Data == "" {
				return true
			}
		}
		b.reconstruct()
		b.insertText(t.Data)
		b.noFrames = b.noFrames || !blank(t.Data)
	case Comment:
		b.insertComment(t)
	case StartTag:
		return b.startInBody(t)
	case EndTag:
		return b.endInBody(t)
	case end:
		if len(b.templates) > 0 {
			return b.inTemplate(t)
		}
	}
	return true
}

// startInBody processes a start tag in the body.
func (b *builder) startInBody(t *Token) bool {
	switch t.Atom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl,
		atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P,
		atom.Search, atom.Section, atom.Summary, atom.Ul:
		b.closeP()
		b.insert(t)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		b.closeP()
		if isHeading(b.top().tag) {
			b.pop()
		}
		b.insert(t)
	case atom.Pre, atom.Listing:
		b.closeP()
		b.insert(t)
		b.skipLF = true
		b.noFrames = true
	case atom.Li, atom.Dd, atom.Dt:
		b.item(t)
	case atom.A:
		if old := b.lastFormatting(atom.A); old != nil {
			b.adopt(&Token{Kind: EndTag, Atom: t.Atom, Data: t.Data})
			b.forget(old)
			b.remove(old)
		}
		b.reconstruct()
		b.format(t)
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		b.reconstruct()
		b.format(t)
	case atom.Nobr:
		b.reconstruct()
		if b.has(elementScope, atom.Nobr) {
			b.adopt(&Token{Kind: EndTag, Atom: t.Atom, Data: t.Data})
			b.reconstruct()
		}
		b.format(t)
	case atom.Applet, atom.Marquee, atom.Object:
		b.reconstruct()
		b.insert(t)
		b.addMarker()
		b.noFrames = true
	case atom.Area, atom.Br, atom.Embed, atom.Img, atom.Keygen, atom.Wbr:
		b.reconstruct()
		b.insertVoid(t)
		b.noFrames = true
	case atom.Image:
		t.Atom, t.Data = atom.Img, "img"
		return false
	case atom.Param, atom.Source, atom.Track:
		b.insertVoid(t)
	case atom.Hr:
		b.closeP()
		if b.has(elementScope, atom.Select) {
			b.imply(0)
		}
		b.insertVoid(t)
		b.noFrames = true
	case atom.Table:
		if !b.quirks {
			b.closeP()
		}
		b.insert(t)
		b.noFrames = true
		b.mode = inTable
	case atom.Button:
		b.popScope(elementScope, atom.Button)
		b.reconstruct()
		b.insert(t)
		b.noFrames = true
	case atom.Form, atom.Input, atom.Textarea, atom.Select, atom.Option, atom.Optgroup:
		b.control(t)
	case atom.Xmp:
		b.closeP()
		b.reconstruct()
		b.noFrames = true
		b.take(t)
	case atom.Iframe:
		b.noFrames = true
		b.take(t)
	case atom.Noembed:
		b.take(t)
	case atom.Plaintext:
		b.closeP()
		b.insert(t)
		b.z.read(t.Atom)
	case atom.Rb, atom.Rtc:
		if b.has(elementScope, atom.Ruby) {
			b.imply(0)
		}
		b.insert(t)
	case atom.Rp, atom.Rt:
		if b.has(elementScope, atom.Ruby) {
			b.imply(atom.Rtc)
		}
		b.insert(t)
	case atom.Math, atom.Svg:
		b.reconstruct()
		b.insertForeign(t, t.Data)
	case atom.Caption, atom.Col, atom.Colgroup, atom.Frame, atom.Head, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
	case atom.Html:
		if !b.templated() {
			b.addAttributes(b.stack[0].node, t, 0)
		}
	case atom.Body:
		if len(b.stack) > 1 && b.stack[1].tag == atom.Body && !b.templated() {
			b.noFrames = true
			b.addAttributes(b.stack[1].node, t, 1)
		}
	case atom.Frameset:
		if len(b.stack) > 1 && b.stack[1].tag == atom.Body && !b.noFrames {
			b.stack[0].node.RemoveChild(b.stack[1].node)
			b.stack = b.stack[:1]
			b.insert(t)
			b.mode = inFrameset
		}
	default:
		if !b.metadata(t) {
			b.reconstruct()
			b.insert(t)
		}
	}
	return true
}

// item opens an item of a list, and closes the item before.
func (b *builder) item(t *Token) {
	b.noFrames = true
	for i := len(b.stack) - 1; i >= 0; i-- {
		e := &b.stack[i]
		if e.tag == t.Atom && t.Atom == atom.Li || t.Atom != atom.Li && (e.tag == atom.Dd || e.tag == atom.Dt) {
			b.stack = b.stack[:i]
			break
		}
		if e.traits&special != 0 && e.tag != atom.Address && e.tag != atom.Div && e.tag != atom.P {
			break
		}
	}
	b.closeP()
	b.insert(t)
}

// control opens a form or a form control.
func (b *builder) control(t *Token) {
	switch t.Atom {
	case atom.Form:
		inTemplate := b.templated()
		if b.form != nil && !inTemplate {
			return
		}
		b.closeP()
		if n := b.insert(t); !inTemplate {
			b.form = n
		}
	case atom.Input:
		b.popScope(elementScope, atom.Select)
		b.reconstruct()
		b.insertVoid(t)
		b.noFrames = b.noFrames || !hidden(t)
	case atom.Textarea:
		b.take(t)
		b.skipLF = true
		b.noFrames = true
	case atom.Select:
		if b.popScope(elementScope, atom.Select) {
			return
		}
		b.reconstruct()
		b.insert(t)
		b.noFrames = true
	default: // option, optgroup
		if b.has(elementScope, atom.Select) {
			except := atom.Atom(0)
			if t.Atom == atom.Option {
				except = atom.Optgroup
			}
			b.imply(except)
		} else if b.current(atom.Option) {
			b.pop()
		}
		b.reconstruct()
		b.insert(t)
	}
}

// hidden reports whether the type of an input is hidden.
func hidden(t *Token) bool {
	for _, a := range t.Attr {
		if a.Key == "type" {
			return equalFold(a.Val, "hidden")
		}
	}
	return false
}
