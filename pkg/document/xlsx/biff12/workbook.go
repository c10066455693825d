package biff12

import (
	"strings"
)

// maxLinks limits the sheets of other workbooks and of this one that names refer to.
const maxLinks = 1 << 16

// sheetLinks are the sheets that defined names refer to.
type sheetLinks struct {
	names   []string
	sources []bool // of workbooks: it is this one
	sheets  [][2]int32
}

// book tells the workbook's own records.
func (t *teller) book(kind int, r record) {
	switch kind {
	case beginBook:
		t.begin("workbook", ` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`)
	case bookProperties:
		if r.long()&1 != 0 {
			t.put(`<workbookPr date1904="1"/>`)
		}
	case beginSheets:
		t.begin("sheets", "")
	case bundledSheet:
		state := [...]string{"visible", "hidden", "veryHidden"}[min(r.long(), 2)]
		r.skip(4)
		plain := r
		id, name := r.text(), r.text()
		if len(r.b) > 0 { // before the format was settled, there was a number more
			plain.skip(4)
			id, name = plain.text(), plain.text()
		}
		t.links.names = append(t.links.names, name)
		t.put("<sheet")
		t.attribute("name", name)
		t.attribute("state", state)
		t.attribute("r:id", id)
		t.put("/>")
	case sourceSelf, sourceSame, sourceOther, sourceAddIn, sourcePlain:
		if len(t.links.sources) < maxLinks {
			t.links.sources = append(t.links.sources, kind == sourceSelf)
		}
	case externalSheets:
		for n := r.long(); n > 0 && len(r.b) >= 12 && len(t.links.sheets) < maxLinks; n-- {
			source := r.long()
			first, last := int32(r.long()), int32(r.long())
			if int64(source) >= int64(len(t.links.sources)) || !t.links.sources[source] {
				first = -1
			}
			t.links.sheets = append(t.links.sheets, [2]int32{first, last})
		}
	case definedName:
		t.name(r)
	}
}

// name tells a defined name, if it is one of an area.
func (t *teller) name(r record) {
	flags := r.long()
	r.skip(1)
	of := r.long()
	name := r.text()
	size := int(min(r.long(), uint32(len(r.b))))
	refers := t.links.refers(record{r.take(size)})
	if refers == "" || name == "" {
		return
	}
	t.put("<definedNames><definedName")
	t.attribute("name", name)
	if of != 0xFFFFFFFF {
		t.attribute("localSheetId", decimal(of))
	}
	if flags&1 != 0 {
		t.attribute("hidden", "1")
	}
	t.put(">")
	t.text(refers)
	t.put("</definedName></definedNames>")
}

// refers returns a formula that is a reference to cells of a sheet (2.5.97.88, 2.5.97.17); ""
// for any other.
func (l *sheetLinks) refers(formula record) string {
	const reference, area = 0x1A, 0x1B
	token := formula.byte() & 0x1F
	sheet := int(formula.short())
	if sheet >= len(l.sheets) {
		return ""
	}
	first, last := l.sheets[sheet][0], l.sheets[sheet][1]
	if first < 0 || last != first || int(first) >= len(l.names) {
		return ""
	}
	name := "'" + strings.ReplaceAll(l.names[first], "'", "''") + "'!"
	const absolute = 0x3FFF // the bits of a column
	switch {
	case token == reference && len(formula.b) == 6:
		row, column := formula.long(), uint32(formula.short()&absolute)
		return name + address(row, column)
	case token == area && len(formula.b) == 12:
		top, bottom, left, right := formula.long(), formula.long(), uint32(formula.short()&absolute), uint32(formula.short()&absolute)
		return name + address(top, left) + ":" + address(bottom, right)
	}
	return ""
}
