package odf

import (
	"bytes"
	"strings"
)

// readable returns a formula of OpenFormula (OpenDocument part 4) as spreadsheets show it:
// "of:=SUM([.A1:.A3];2)" is "SUM(A1:A3,2)".
func readable(formula []byte) string {
	if i := bytes.IndexByte(formula, '='); i >= 0 && i < 12 && bytes.IndexByte(formula[:i], '"') < 0 {
		formula = formula[i+1:]
		if len(formula) > 0 && formula[0] == '=' { // "of:==" forces the calculation
			formula = formula[1:]
		}
	}
	var b strings.Builder
	array := false
	for i := 0; i < len(formula); i++ {
		switch c := formula[i]; c {
		case '"', '\'':
			end := bytes.IndexByte(formula[i+1:], c)
			if end < 0 {
				b.Write(formula[i:])
				return b.String()
			}
			b.Write(formula[i : i+end+2])
			i += end + 1
		case '[':
			end := closing(formula[i:])
			if end < 0 {
				b.Write(formula[i:])
				return b.String()
			}
			b.WriteString(reference(string(formula[i+1 : i+end])))
			i += end
		case ';':
			b.WriteByte(',')
		case '|':
			if array {
				c = ';'
			}
			b.WriteByte(c)
		case '{', '}':
			array = c == '{'
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// closing returns where the bracket that a reference begins with closes.
func closing(b []byte) int {
	quoted := false
	for i, c := range b {
		switch {
		case c == '\'':
			quoted = !quoted
		case c == ']' && !quoted:
			return i
		}
	}
	return -1
}

// reference returns the address of cells as other spreadsheets write it: "$Sales.$A$1:.$B$2"
// is "Sales!$A$1:$B$2".
func reference(address string) string {
	first, second, isRange := cutUnquoted(address, ':')
	sheet, cell := splitAddress(first)
	if isRange {
		if _, last := splitAddress(second); last != "" {
			cell += ":" + last
		}
	}
	if sheet == "" {
		return cell
	}
	return sheet + "!" + cell
}

// splitAddress splits "$'My sheet'.A1" at its dot.
func splitAddress(address string) (sheet, cell string) {
	sheet, cell, found := cutUnquoted(address, '.')
	if !found {
		return "", address
	}
	return strings.TrimPrefix(sheet, "$"), cell
}

// cutUnquoted cuts around the first separator that is not between quotes.
func cutUnquoted(text string, separator byte) (before, after string, found bool) {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '\'':
			quoted = !quoted
		case text[i] == separator && !quoted:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}
