package change

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xlsx"
	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of a cell.
const (
	maxText    = 32767 // UTF-16 code units
	maxFormula = 8192
)

// value returns what a cell is to hold: nil, a bool, a float64 or a string. A text that a
// cell with the format of dates can hold as a date becomes one.
func (c *changes) value(cell *Cell, f *numfmt.Format, was *sheet.Cell) (any, error) {
	if len(cell.Formula) > maxFormula {
		return nil, fault.New(fault.TooLarge, fault.T("the formula has more than %d characters", maxFormula)).
			WithHint(fault.T("put parts of it into cells of their own"))
	}
	text, ok := cell.Value.(string)
	if !ok {
		return cell.Value, nil
	}
	if len(utf16.Encode([]rune(text))) > maxText {
		return nil, fault.New(fault.TooLarge, fault.T("the text has more than %d characters, which a cell holds at most", maxText)).
			WithHint(fault.T("divide it among several cells"))
	}
	class := numfmt.General
	if f != nil {
		class = f.Class()
	}
	if class == numfmt.Text {
		return text, nil
	}
	if class.IsDate() || class == numfmt.Elapsed {
		n, ok := dateOf(text, class, c.Date1904())
		switch {
		case ok:
			return n, nil
		case text == "":
			return nil, nil
		case was.Content == sheet.Number && cell.seen:
			return nil, fault.New(fault.InvalidArguments, fault.T("%s holds a date or a time, and %q is none", cell.At.String(), text)).
				WithHint(fault.T("write it as 2026-03-01, 2026-03-01 14:05:00 or 14:05:00; to put text there pass cells"))
		}
		c.result.Warnings = append(c.result.Warnings, fault.T("%s has the format of a date or a time, and now holds the text %q", cell.At.String(), text))
		return text, nil
	}
	if cell.seen && text == "" {
		return nil, nil
	}
	switch was.Content {
	case sheet.Number:
		if n, ok := numberOf(text, f, c.Date1904()); ok {
			return n, nil
		}
	case sheet.Boolean:
		if strings.EqualFold(text, "true") || strings.EqualFold(text, "false") {
			return strings.EqualFold(text, "true"), nil
		}
	}
	return text, nil
}

// dateOf reads a date, a time of day or a duration.
func dateOf(text string, class numfmt.Class, date1904 bool) (float64, bool) {
	text = strings.TrimSpace(text)
	if class == numfmt.Elapsed {
		sum, unit := 0.0, 24.0
		for i, part := range strings.Split(text, ":") {
			n, err := strconv.ParseFloat(part, 64)
			if err != nil || i > 2 || n < 0 {
				return 0, false
			}
			sum += n / unit
			unit *= 60
		}
		return sum, strings.Contains(text, ":")
	}
	return xlsx.ParseDate(text, date1904)
}

// numberOf reads a number as a format shows it, or as it is.
func numberOf(text string, f *numfmt.Format, date1904 bool) (float64, bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) && !strings.ContainsAny(text, "xXpP_") {
		return n, true
	}
	if f == nil {
		return 0, false
	}
	digits := strings.TrimFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != '-' })
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	if err != nil {
		return 0, false
	}
	o := numfmt.Options{Date1904: date1904}
	if f.Class() == numfmt.Percent && strings.HasSuffix(text, "%") {
		return n / 100, true
	}
	for _, n := range [...]float64{n, -n} {
		if plain(string(f.AppendAuto(nil, n, o))) == plain(text) {
			return n, true
		}
	}
	return 0, false
}

// plain returns a text without white space.
func plain(s string) string { return strings.Join(strings.Fields(s), "") }

// stored returns a formula as files have it: functions that are younger than the format
// have a prefix.
func stored(formula string) string {
	formula = strings.TrimPrefix(formula, "=")
	var b strings.Builder
	quoted := byte(0)
	for i := 0; i < len(formula); {
		ch := formula[i]
		switch {
		case quoted != 0:
			if ch == quoted {
				quoted = 0
			}
		case ch == '"' || ch == '\'':
			quoted = ch
		case isNameStart(ch):
			n := 1
			for i+n < len(formula) && isName(formula[i+n]) {
				n++
			}
			word := formula[i : i+n]
			if i+n < len(formula) && formula[i+n] == '(' && !strings.Contains(word, "_xl") {
				b.WriteString(functionPrefix(strings.ToUpper(word)))
			}
			b.WriteString(word)
			i += n
			continue
		}
		b.WriteByte(ch)
		i++
	}
	return b.String()
}

func isNameStart(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func isName(c byte) bool { return isNameStart(c) || c >= '0' && c <= '9' || c == '.' }

// functionPrefix returns the prefix of a function that came after the format ([MS-XLSX], 2.2.2).
func functionPrefix(name string) string {
	switch name {
	case "FILTER", "SORT":
		return "_xlfn._xlws."
	case "XLOOKUP", "XMATCH", "UNIQUE", "SORTBY", "SEQUENCE", "RANDARRAY", "TEXTJOIN", "CONCAT", "IFS", "SWITCH", "MAXIFS", "MINIFS", "IFNA", "XOR",
		"DAYS", "ISOWEEKNUM", "NUMBERVALUE", "UNICHAR", "UNICODE", "FORMULATEXT", "SHEET", "SHEETS", "BASE", "DECIMAL", "ARABIC", "CEILING.MATH",
		"FLOOR.MATH", "STDEV.S", "STDEV.P", "VAR.S", "VAR.P", "PERCENTILE.INC", "PERCENTILE.EXC", "QUARTILE.INC", "QUARTILE.EXC", "RANK.EQ", "RANK.AVG",
		"MODE.SNGL", "MODE.MULT", "NORM.DIST", "NORM.INV", "NORM.S.DIST", "NORM.S.INV", "FORECAST.LINEAR", "TEXTBEFORE", "TEXTAFTER", "TEXTSPLIT",
		"VSTACK", "HSTACK", "TAKE", "DROP", "CHOOSECOLS", "CHOOSEROWS", "TOCOL", "TOROW", "WRAPROWS", "WRAPCOLS", "EXPAND", "ARRAYTOTEXT", "VALUETOTEXT":
		return "_xlfn."
	}
	return ""
}
