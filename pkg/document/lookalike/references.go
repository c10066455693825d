package lookalike

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// limited returns text, or as much of it as a cell can hold.
func limited(s string) string {
	if len(s) <= sheet.MaxText {
		return s
	}
	end := sheet.MaxText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// toA1 turns the references of a formula from rows and columns (R1C1, R[-2]C) into
// addresses (A1, B$3), as they are seen from a cell, counted from 0. What stands in
// quotes stays.
func toA1(formula string, row, column int) string {
	var b strings.Builder
	for i := 0; i < len(formula); {
		switch c := formula[i]; {
		case c == '"' || c == '\'':
			end := strings.IndexByte(formula[i+1:], c)
			if end < 0 {
				b.WriteString(formula[i:])
				return b.String()
			}
			b.WriteString(formula[i : i+end+2])
			i += end + 2
		case isWord(c):
			if to, n := reference(formula[i:], row, column); n > 0 {
				b.WriteString(to)
				i += n
				continue
			}
			n := 1
			for i+n < len(formula) && isWord(formula[i+n]) {
				n++
			}
			b.WriteString(formula[i : i+n])
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

func isWord(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c >= utf8.RuneSelf
}

// reference reads a reference that s begins with: its address, and how long it is; 0 if
// it is none.
func reference(s string, row, column int) (string, int) {
	rowPart, hasRow, n := axis(s, 'R', row, sheet.MaxRows, strconv.Itoa, 1)
	columnPart, hasColumn, m := axis(s[n:], 'C', column, sheet.MaxColumns, sheet.ColumnName, 0)
	n += m
	if n == 0 || n < len(s) && (isWord(s[n]) || s[n] == '(') {
		return "", 0
	}
	switch {
	case hasRow && hasColumn:
		return columnPart + rowPart, n
	case hasRow:
		return rowPart + ":" + rowPart, n
	case hasColumn:
		return columnPart + ":" + columnPart, n
	}
	return "", 0
}

// axis reads one half of a reference: R5 is row 5, R[-2] two rows up, R this row.
func axis(s string, letter byte, here, most int, name func(int) string, first int) (part string, ok bool, n int) {
	if s == "" || s[0]&^0x20 != letter {
		return "", false, 0
	}
	n = 1
	switch {
	case n < len(s) && s[n] == '[':
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return "", false, 0
		}
		offset, err := strconv.Atoi(s[n+1 : end])
		if err != nil || offset <= -most || offset >= most {
			return "", false, 0
		}
		return name((here+offset+most)%most + first), true, end + 1
	case n < len(s) && s[n] >= '0' && s[n] <= '9':
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		number, err := strconv.Atoi(s[1:n])
		if err != nil || number < 1 || number > most {
			return "", false, 0
		}
		return "$" + name(number-1+first), true, n
	}
	return name(max(0, min(here, most-1)) + first), true, n
}
