package parse

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// mode is an insertion mode (section 13.2.4.1).
type mode uint8

const (
	initial mode = iota
	beforeHTML
	beforeHead
	inHead
	inHeadNoscript
	afterHead
	inBody
	inText
	inTable
	inCaption
	inColumnGroup
	inTableBody
	inRow
	inCell
	inTemplate
	afterBody
	inFrameset
	afterFrameset
	afterAfterBody
	afterAfterFrameset
)

// rules are the functions that process a token in each mode. They return false if
// the token must be processed again.
var rules = [...]func(*builder, *Token) bool{
	initial:            (*builder).initial,
	beforeHTML:         (*builder).beforeHTML,
	beforeHead:         (*builder).beforeHead,
	inHead:             (*builder).inHead,
	inHeadNoscript:     (*builder).inHeadNoscript,
	afterHead:          (*builder).afterHead,
	inBody:             (*builder).inBody,
	inText:             (*builder).inText,
	inTable:            (*builder).inTable,
	inCaption:          (*builder).inCaption,
	inColumnGroup:      (*builder).inColumnGroup,
	inTableBody:        (*builder).inTableBody,
	inRow:              (*builder).inRow,
	inCell:             (*builder).inCell,
	inTemplate:         (*builder).inTemplate,
	afterBody:          (*builder).afterBody,
	inFrameset:         (*builder).inFrameset,
	afterFrameset:      (*builder).inFrameset,
	afterAfterBody:     (*builder).afterAfter,
	afterAfterFrameset: (*builder).afterAfter,
}

// step processes a token by the rules of the current mode.
func (b *builder) step(t *Token) bool { return rules[b.mode](b, t) }

// again switches to another mode, in which the token is processed again.
func (b *builder) again(m mode) bool {
	b.mode = m
	return false
}

// resetMode sets the mode for the open elements (section 13.2.4.1).
func (b *builder) resetMode() {
	for _, e := range slices.Backward(b.stack) {
		switch e.tag {
		case atom.Td, atom.Th:
			b.mode = inCell
		case atom.Tr:
			b.mode = inRow
		case atom.Tbody, atom.Thead, atom.Tfoot:
			b.mode = inTableBody
		case atom.Caption:
			b.mode = inCaption
		case atom.Colgroup:
			b.mode = inColumnGroup
		case atom.Table:
			b.mode = inTable
		case atom.Template:
			b.mode = b.templates[len(b.templates)-1]
		case atom.Head:
			b.mode = inHead
		case atom.Body:
			b.mode = inBody
		case atom.Frameset:
			b.mode = inFrameset
		case atom.Html:
			b.mode = afterHead
			if b.head == nil {
				b.mode = beforeHead
			}
		default:
			continue
		}
		return
	}
}

// light processes doctypes, comments, and white space at the beginning of a text,
// where the modes outside the body treat them alike. With keep, it keeps that white
// space. It reports whether nothing is left of the token.
func (b *builder) light(t *Token, keep bool) bool {
	switch t.Kind {
	case Doctype:
		return true
	case Comment:
		b.insertComment(t)
		return true
	case Text:
		rest := strings.TrimLeft(t.Data, spaces)
		if white := t.Data[:len(t.Data)-len(rest)]; keep {
			b.insertText(white)
		}
		t.Data = rest
		return rest == ""
	}
	return false
}

func blank(s string) bool { return strings.TrimLeft(s, spaces) == "" }

// whiteOnly returns the white space in a text.
func whiteOnly(s string) string {
	if blank(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(spaces, r) {
			return r
		}
		return -1
	}, s)
}

// take inserts an element that contains text only, and switches to reading it.
func (b *builder) take(t *Token) {
	b.insert(t)
	b.z.read(t.Atom)
	b.original, b.mode = b.mode, inText
}

// inText is the mode in such an element (section 13.2.6.4.8).
func (b *builder) inText(t *Token) bool {
	if t.Kind == Text {
		b.insertText(t.Data)
		return true
	}
	b.pop()
	b.mode = b.original
	return t.Kind == EndTag
}
