package xls

import "github.com/helve-dev/helve/pkg/document/sheet"

// formulaParts returns the offsets of the value and of the length in a FORMULA record of
// the version, and the size of the length.
func (b *Book) formulaParts() (value, length, size int) {
	switch b.version {
	case 2:
		return 7, 16, 1
	case 3, 4:
		return 6, 16, 2
	}
	return 6, 20, 2
}

// formulaValue returns the eight bytes of the value of a FORMULA record.
func (b *Book) formulaValue(d []byte) []byte {
	at, _, _ := b.formulaParts()
	if len(d) < at+8 {
		return nil
	}
	return d[at : at+8]
}

// tokens returns the tokens of a formula, and the constants that follow them.
func tokens(d []byte, at, size int) (parsed, rest []byte) {
	if len(d) < at+size {
		return nil, nil
	}
	n := int(d[at])
	if size == 2 {
		n = le16(d[at:])
	}
	d = d[at+size:]
	n = min(n, len(d))
	return d[:n], d[n:]
}

// formula reads the value of a formula, and its text if that is wanted or there is no
// value. The text of a value is in a record of its own.
func (r *rows) formula(c *sheet.Cell, row int, d []byte) {
	value := r.b.formulaValue(d)
	if value == nil {
		return
	}
	isText, noValue := false, false
	switch {
	case le16(value[6:]) != 0xFFFF:
		c.Content, c.Number = sheet.Number, float(value)
	case value[0] == 0:
		isText = true
	case value[0] == 1:
		setBoolErr(c, value[2], false)
	case value[0] == 2:
		setBoolErr(c, value[2], true)
	default:
		c.Content = sheet.Text
		noValue = !r.v.calculated
	}
	if r.w.Formulas || noValue {
		_, at, size := r.b.formulaParts()
		parsed, rest := tokens(d, at, size)
		if text, ok := r.formulaText(row, c.Column, parsed, rest); ok {
			c.Formula = text
			if noValue {
				c.Content = sheet.Empty
			}
		}
	}
	for isBetween(r.s.peek()) && r.s.next() {
	}
	if id := r.s.peek(); isText && (id == recString || id == recString2) && r.s.next() {
		c.Content, c.Text = sheet.Text, r.label(r.s.data, r.b.version == 2)
	}
}

// isBetween reports whether a record may stand between FORMULA and the text of its
// value.
func isBetween(id int) bool {
	switch id {
	case recArray, recArray2, recSharedFmla, recSharedOld, recTable, recTable2, recTable2Two:
		return true
	}
	return false
}

// formulaText returns a formula as text. What several cells share is in another
// record.
func (r *rows) formulaText(row, column int, parsed, rest []byte) ([]byte, bool) {
	f := decompiler{b: r.b, row: row, column: column}
	if len(parsed) >= 4 && (parsed[0] == ptgExp || parsed[0] == ptgTbl) {
		anchor := cellKey{uint16(le16(parsed[1:])), 0}
		if r.b.version > 2 && len(parsed) >= 5 {
			anchor.column = uint16(le16(parsed[3:]))
		} else {
			anchor.column = uint16(parsed[3])
		}
		at, ok := r.v.several[anchor]
		if !ok {
			return nil, false
		}
		if r.far == nil {
			r.far = r.b.scan(at)
		}
		r.far.seek(at)
		if !r.far.next() {
			return nil, false
		}
		// Both records begin with the range of cells, 6 bytes; ARRAY has flags and a
		// calculation chain then, SHRFMLA a count.
		at2 := 8
		if r.far.id == recArray && r.b.version >= 5 {
			at2 = 12
		}
		parsed, rest = tokens(r.far.data, at2, 2)
		if r.far.id == recArray2 && r.b.version == 2 {
			parsed, rest = tokens(r.far.data, 7, 1)
		}
	}
	text, ok := f.decompile(parsed, rest)
	return []byte(text), ok
}
