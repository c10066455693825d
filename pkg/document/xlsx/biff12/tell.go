package biff12

import (
	"math"
	"strconv"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// Types of records (2.3.2).
const (
	rowHeader = 0
	cellBlank = 1
	cellRK    = 2
	cellError = 3
	cellBool  = 4
	cellReal  = 5
	cellText  = 6
	cellIndex = 7
	fmlaText  = 8
	fmlaReal  = 9
	fmlaBool  = 10
	fmlaError = 11

	shortBlank = 12
	shortIndex = 18

	sharedItem   = 19
	definedName  = 39
	numberFormat = 44
	cellStyle    = 47
	columnInfo   = 60
	cellRich     = 62

	beginSheet     = 129
	beginBook      = 131
	beginSheets    = 143
	beginRows      = 145
	endRows        = 146
	dimension      = 148
	bookProperties = 153
	bundledSheet   = 156
	beginShared    = 159
	mergedCells    = 176
	beginStyles    = 278
	beginTable     = 343
	beginColumn    = 347
	sourceOther    = 355
	sourceSelf     = 357
	sourceSame     = 358
	sourceAddIn    = 359
	externalSheets = 362
	sheetFormat    = 485
	hyperlink      = 494
	beginCellXFs   = 617
	endCellXFs     = 618
	beginComments  = 628
	commentAuthor  = 632
	beginComment   = 635
	endComment     = 636
	commentText    = 637
	sourcePlain    = 667
)

// tell tells a record. One that says nothing to a reader of .xlsx is passed over.
func (t *teller) tell(kind int, r record) {
	switch {
	case kind <= shortIndex || kind == cellRich:
		t.cell(kind, r)
		return
	}
	switch kind {
	case beginSheet:
		t.begin("worksheet", ` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`)
	case dimension:
		top, bottom, left, right := r.long(), r.long(), r.long(), r.long()
		t.put(`<dimension ref="` + address(top, left) + ":" + address(bottom, right) + `"/>`)
	case sheetFormat:
		r.skip(8)
		if r.short()&2 != 0 {
			t.put(`<sheetFormatPr zeroHeight="1"/>`)
		}
	case columnInfo:
		first, last := r.long(), r.long()
		r.skip(8)
		if r.short()&1 != 0 {
			t.put(`<cols><col min="` + decimal(first+1) + `" max="` + decimal(last+1) + `" hidden="1"/></cols>`)
		}
	case beginRows:
		t.begin("sheetData", "")
	case endRows:
		t.closeTo("sheetData")
	case mergedCells:
		t.put(`<mergeCells><mergeCell ref="` + r.area() + `"/></mergeCells>`)
	case hyperlink:
		t.put(`<hyperlinks><hyperlink ref="` + r.area() + `"`)
		if id := r.text(); id != "" {
			t.attribute("r:id", id)
		}
		if place := r.text(); place != "" {
			t.attribute("location", place)
		}
		t.put("/></hyperlinks>")
	case sharedItem:
		t.item("si", r.rich())
	case beginShared:
		t.begin("sst", "")
	default:
		t.rest(kind, r)
	}
}

// rest tells what is in parts other than sheets.
func (t *teller) rest(kind int, r record) {
	switch kind {
	case beginStyles:
		t.begin("styleSheet", "")
	case numberFormat:
		id := r.short()
		t.put(`<numFmts><numFmt numFmtId="` + decimal(uint32(id)) + `"`)
		t.attribute("formatCode", r.text())
		t.put("/></numFmts>")
	case beginCellXFs:
		t.inXFs = true
		t.begin("cellXfs", "")
	case endCellXFs:
		t.inXFs = false
		t.closeTo("cellXfs")
	case cellStyle:
		if r.skip(2); t.inXFs {
			t.put(`<xf numFmtId="` + decimal(uint32(r.short())) + `"/>`)
		}
	case beginComments:
		t.begin("comments", "")
	case commentAuthor:
		t.put("<authors><author>")
		t.text(r.text())
		t.put("</author></authors>")
	case beginComment:
		author := r.long()
		top, _, left, _ := r.long(), r.long(), r.long(), r.long()
		t.begin("comment", ` ref="`+address(top, left)+`" authorId="`+decimal(author)+`"`)
	case commentText:
		t.item("text", r.rich())
	case endComment:
		t.closeTo("comment")
	case beginTable:
		t.table(r)
	case beginColumn:
		r.skip(6 * 4)
		id, name := r.text(), r.text()
		if name == "" {
			name = id
		}
		t.put("<tableColumn")
		t.attribute("name", name)
		t.put("/>")
	default:
		t.book(kind, r)
	}
}

// table begins a table.
func (t *teller) table(r record) {
	area := r.area()
	r.skip(8)
	headers, totals := r.long(), r.long()
	r.skip(4 + 6*4 + 4) // flags, styles, the connection
	name, shown := r.text(), r.text()
	if shown == "" {
		shown = name
	}
	t.begin("table", ` ref="`+area+`" headerRowCount="`+decimal(headers)+`" totalsRowCount="`+decimal(totals)+`"`)
	t.out = t.out[:len(t.out)-1]
	t.attribute("name", name)
	t.attribute("displayName", shown)
	t.put(">")
	t.begin("tableColumns", "")
}

// cell tells a row or a cell.
func (t *teller) cell(kind int, r record) {
	if kind == rowHeader {
		t.closeTo("row")
		t.row = r.long()
		r.skip(4 + 2 + 1)
		hidden := ""
		if r.byte()&0x10 != 0 {
			hidden = ` hidden="1"`
		}
		t.begin("row", ` r="`+decimal(t.row+1)+`"`+hidden)
		t.column = math.MaxUint32 // the first short cell is at 0
		return
	}
	if kind >= shortBlank && kind <= shortIndex { // the column is that after the last cell's
		kind -= shortBlank - cellBlank
		t.column++
	} else {
		t.column = r.long()
	}
	style := r.long() & 0xffffff
	if kind == cellBlank {
		return // its style says nothing
	}
	number := func(n float64) {
		t.value("n", style, strconv.FormatFloat(n, 'g', -1, 64))
	}
	switch kind {
	case cellRK:
		number(r.rk())
	case cellReal, fmlaReal:
		if n := math.Float64frombits(r.double()); !math.IsNaN(n) && !math.IsInf(n, 0) {
			number(n)
		}
	case cellError, fmlaError:
		t.value("e", style, sheet.ErrorName(r.byte()))
	case cellBool, fmlaBool:
		t.value("b", style, decimal(uint32(r.byte()&1)))
	case cellIndex:
		t.value("s", style, decimal(r.long()))
	case cellText, fmlaText:
		t.value("str", style, r.text())
	case cellRich:
		t.value("str", style, r.rich())
	}
}

// value tells a cell with a value.
func (t *teller) value(kind string, style uint32, value string) {
	t.put(`<c r="` + address(t.row, t.column) + `" s="` + decimal(style) + `"`)
	if kind != "n" {
		t.put(` t="` + kind + `"`)
	}
	t.put("><v>")
	t.text(value)
	t.put("</v></c>")
}
