package sheet

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document/numfmt"
)

// Values is a way to show the values of cells.
type Values string

// The ways to show values.
const (
	Auto     Values = "auto"    // dates as ISO, numbers with all digits, the rest as displayed
	Display  Values = "display" // as the program displays them
	Raw      Values = "raw"     // numbers as they are stored
	Formulas Values = "formula" // formulas where there are some, else as Auto
)

// mostChars limits the characters shown of a cell.
const mostChars = 2000

// appendValue appends a cell's value as plain text.
func appendValue(dst []byte, c *Cell, values Values, date1904 bool) []byte {
	if len(c.Formula) > 0 && (values == Formulas || c.Content == Empty) {
		dst = append(dst, '=')
		return append(dst, c.Formula...)
	}
	o := numfmt.Options{Date1904: date1904}
	switch c.Content {
	case Number:
		switch {
		case values == Raw:
			return strconv.AppendFloat(dst, c.Number, 'f', -1, 64)
		case values == Display && len(c.Display) > 0:
			return append(dst, c.Display...)
		case values == Display && c.Format == nil:
			return numfmt.AppendGeneral(dst, c.Number)
		case values == Display:
			return c.Format.Append(dst, c.Number, o)
		case c.Format == nil:
			return numfmt.AppendExact(dst, c.Number)
		}
		return c.Format.AppendAuto(dst, c.Number, o)
	case Text:
		if values == Display && c.Format != nil {
			return append(dst, c.Format.TextOf(string(c.Text))...)
		}
		return append(dst, c.Text...)
	case Boolean:
		if c.Number != 0 {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case Error:
		return append(dst, c.Text...)
	}
	return dst
}

// appendCell appends text as it stands in a cell of a Markdown table: on one line, at
// most mostChars characters.
func appendCell(dst, text []byte) []byte {
	text = bytes.TrimSpace(text)
	if len(text) <= mostChars && isPlain(text) {
		return append(dst, text...)
	}
	start := len(dst)
	for n := 0; len(text) > 0; n++ {
		if n == mostChars {
			dst = append(dst, "…(+"...)
			dst = strconv.AppendInt(dst, int64(utf8.RuneCount(text)), 10)
			return append(dst, " chars)"...)
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '|':
			for i := len(dst) - 1; i >= start && dst[i] == '\\'; i-- {
				dst = append(dst, '\\') // else one before it would take back the escape
			}
			dst = append(dst, `\|`...)
		case r == '\r' && len(text) > 1 && text[1] == '\n':
		case r == '\n', r == '\r', r == '\v', r == '\u0085', r == '\u2028', r == '\u2029':
			dst = append(dst, "<br>"...)
		case r == '\t':
			dst = append(dst, ' ')
		case r < ' ', r == 0x7f, r == '\ufffe', r == '\uffff':
		default:
			dst = utf8.AppendRune(dst, r) // U+FFFD for what is no UTF-8
		}
		text = text[size:]
	}
	return dst
}

// isPlain reports whether ASCII text needs no escape.
func isPlain(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c >= 0x7f || c == '|' {
			return false
		}
	}
	return true
}

// Shown returns a cell's value as plain text.
func (c *Cell) Shown(values Values, date1904 bool) string {
	return string(appendValue(nil, c, values, date1904))
}

// InCell returns text as it stands in a cell of a Markdown table.
func InCell(text string) string { return string(appendCell(nil, []byte(text))) }
