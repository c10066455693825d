package parse

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// inTable is the mode in a table (sections 13.2.6.4.9 and 13.2.6.4.10).
func (b *builder) inTable(t *Token) bool {
	switch t.Kind {
	case Text:
		switch top := b.top(); {
		case top.traits&fosters != 0, top.tag == atom.Template:
			t.Data = strings.ReplaceAll(t.Data, "\x00", "")
			if blank(t.Data) {
				b.insertText(t.Data)
				return true
			}
		}
	case Comment:
		b.insertComment(t)
		return true
	case Doctype:
		return true
	case StartTag:
		switch t.Atom {
		case atom.Caption:
			b.clearTo(atom.Table)
			b.addMarker()
			b.insert(t)
			b.mode = inCaption
			return true
		case atom.Colgroup:
			b.clearTo(atom.Table)
			b.insert(t)
			b.mode = inColumnGroup
			return true
		case atom.Col:
			b.clearTo(atom.Table)
			b.insertBare(atom.Colgroup)
			return b.again(inColumnGroup)
		case atom.Tbody, atom.Tfoot, atom.Thead:
			b.clearTo(atom.Table)
			b.insert(t)
			b.mode = inTableBody
			return true
		case atom.Td, atom.Th, atom.Tr:
			b.clearTo(atom.Table)
			b.insertBare(atom.Tbody)
			return b.again(inTableBody)
		case atom.Table:
			return !b.endTable()
		case atom.Style, atom.Script, atom.Template:
			return b.metadata(t)
		case atom.Input:
			if hidden(t) {
				b.insertVoid(t)
				return true
			}
		case atom.Form:
			if !b.templated() && b.form == nil {
				b.form = b.insert(t)
				b.pop()
			}
			return true
		}
	case EndTag:
		switch t.Atom {
		case atom.Table:
			b.endTable()
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			return true
		case atom.Template:
			b.endTemplate()
			return true
		}
	}
	b.fostering = true
	done := b.inBody(t)
	b.fostering = false
	return done
}

func (b *builder) endTable() bool {
	if !b.popScope(tableScope, atom.Table) {
		return false
	}
	b.resetMode()
	return true
}

// inCaption is the mode in a caption (section 13.2.6.4.11).
func (b *builder) inCaption(t *Token) bool {
	closes := false
	switch t.Kind {
	case StartTag:
		closes = isTablePart(t.Atom)
	case EndTag:
		switch t.Atom {
		case atom.Caption, atom.Table:
			closes = true
		case atom.Body, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			return true
		}
	}
	if !closes {
		return b.inBody(t)
	}
	if !b.popScope(tableScope, atom.Caption) {
		return true
	}
	b.clearToMarker()
	b.mode = inTable
	return t.Kind == EndTag && t.Atom == atom.Caption
}

// isTablePart reports whether an element belongs into tables only.
func isTablePart(a atom.Atom) bool {
	switch a {
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		return true
	}
	return false
}

// inColumnGroup is the mode in a group of columns (section 13.2.6.4.12).
func (b *builder) inColumnGroup(t *Token) bool {
	if b.light(t, true) {
		return true
	}
	switch t.Kind {
	case StartTag:
		switch t.Atom {
		case atom.Html:
			return b.inBody(t)
		case atom.Col:
			b.insertVoid(t)
			return true
		case atom.Template:
			return b.metadata(t)
		}
	case EndTag:
		switch t.Atom {
		case atom.Colgroup:
			if b.current(atom.Colgroup) {
				b.pop()
				b.mode = inTable
			}
			return true
		case atom.Col:
			return true
		case atom.Template:
			b.endTemplate()
			return true
		}
	case end:
		return b.inBody(t)
	}
	if !b.current(atom.Colgroup) {
		return true
	}
	b.pop()
	return b.again(inTable)
}

// inTableBody is the mode between the rows of a table (section 13.2.6.4.13).
func (b *builder) inTableBody(t *Token) bool {
	switch t.Kind {
	case StartTag:
		switch t.Atom {
		case atom.Tr:
			b.clearTo(atom.Tbody, atom.Tfoot, atom.Thead)
			b.insert(t)
			b.mode = inRow
			return true
		case atom.Td, atom.Th:
			b.clearTo(atom.Tbody, atom.Tfoot, atom.Thead)
			b.insertBare(atom.Tr)
			return b.again(inRow)
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
			return b.endTableBody()
		}
	case EndTag:
		switch t.Atom {
		case atom.Tbody, atom.Tfoot, atom.Thead:
			if b.has(tableScope, t.Atom) {
				b.endTableBody()
			}
			return true
		case atom.Table:
			return b.endTableBody()
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th, atom.Tr:
			return true
		}
	}
	return b.inTable(t)
}

// endTableBody closes the body of a table; it returns true if there is none.
func (b *builder) endTableBody() bool {
	if !b.has(tableScope, atom.Tbody, atom.Thead, atom.Tfoot) {
		return true
	}
	b.clearTo(atom.Tbody, atom.Tfoot, atom.Thead)
	b.pop()
	return b.again(inTable)
}

// inRow is the mode between the cells of a row (section 13.2.6.4.14).
func (b *builder) inRow(t *Token) bool {
	switch t.Kind {
	case StartTag:
		switch t.Atom {
		case atom.Td, atom.Th:
			b.clearTo(atom.Tr)
			b.insert(t)
			b.mode = inCell
			b.addMarker()
			return true
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			return b.endRow()
		}
	case EndTag:
		switch t.Atom {
		case atom.Tr:
			b.endRow()
			return true
		case atom.Table:
			return b.endRow()
		case atom.Tbody, atom.Tfoot, atom.Thead:
			return !b.has(tableScope, t.Atom) || b.endRow()
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th:
			return true
		}
	}
	return b.inTable(t)
}

// endRow closes a row; it returns true if there is none.
func (b *builder) endRow() bool {
	if !b.has(tableScope, atom.Tr) {
		return true
	}
	b.clearTo(atom.Tr)
	b.pop()
	return b.again(inTableBody)
}

// inCell is the mode in a cell (section 13.2.6.4.15).
func (b *builder) inCell(t *Token) bool {
	switch t.Kind {
	case StartTag:
		if isTablePart(t.Atom) {
			return b.endCell(atom.Td, atom.Th)
		}
	case EndTag:
		switch t.Atom {
		case atom.Td, atom.Th:
			b.endCell(t.Atom)
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html:
			return true
		case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			return !b.has(tableScope, t.Atom) || b.endCell(atom.Td, atom.Th)
		}
	}
	return b.inBody(t)
}

// endCell closes a cell; it returns true if there is none.
func (b *builder) endCell(tags ...atom.Atom) bool {
	if !b.popScope(tableScope, tags...) {
		return true
	}
	b.clearToMarker()
	return b.again(inRow)
}
