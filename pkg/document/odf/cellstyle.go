package odf

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// cellStyles are the styles of a spreadsheet that say how values are shown.
type cellStyles struct {
	cells   map[string]cellStyle
	numbers map[string]numberStyle
	hidden  map[string]bool // sheets
	known   map[string]*shownAs
}

type cellStyle struct{ parent, number string }

// shownAs is the number format of a cell.
type shownAs struct {
	format  *numfmt.Format // nil is General
	boolean bool
}

func newCellStyles() *cellStyles {
	return &cellStyles{cells: map[string]cellStyle{}, numbers: map[string]numberStyle{}, hidden: map[string]bool{}, known: map[string]*shownAs{}}
}

// readAll reads the styles of a part.
func (t *cellStyles) readAll(s *xmlscan.Scanner) {
	for k := s.Next(); k != xmlscan.EOF; k = s.Next() {
		if k == xmlscan.Start && (s.Name() == "office:styles" || s.Name() == "office:automatic-styles") {
			t.read(s)
		}
	}
}

// read reads the styles within the element that just began.
func (t *cellStyles) read(s *xmlscan.Scanner) {
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			return
		}
		if k != xmlscan.Start {
			continue
		}
		switch name := s.Name(); name {
		case "style:style":
			t.readStyle(s)
		case "number:number-style", "number:currency-style", "number:percentage-style", "number:date-style", "number:time-style",
			"number:boolean-style", "number:text-style":
			id := s.String("style:name")
			if n := readNumberStyle(s); len(t.numbers) < maxStyles {
				t.numbers[id] = n
			}
		default:
			s.Skip()
		}
	}
}

func (t *cellStyles) readStyle(s *xmlscan.Scanner) {
	name := s.String("style:name")
	switch s.String("style:family") {
	case "table-cell":
		if len(t.cells) < maxStyles {
			t.cells[name] = cellStyle{s.String("style:parent-style-name"), s.String("style:data-style-name")}
		}
	case "table":
		for depth := s.Depth(); ; {
			k := s.Next()
			if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
				return
			}
			if k == xmlscan.Start && s.Name() == "style:table-properties" && s.String("table:display") == "false" && len(t.hidden) < maxStyles {
				t.hidden[name] = true
			}
		}
	}
	s.Skip()
}

func (t *cellStyles) hiddenSheet(style string) bool { return t.hidden[style] }

// shown returns how a cell with a style shows its value.
func (t *cellStyles) shown(style []byte) *shownAs {
	if known := t.known[string(style)]; known != nil {
		return known
	}
	as, name := &shownAs{}, string(style)
	for range maxParents {
		c, ok := t.cells[name]
		if !ok {
			break
		}
		if n, ok := t.numbers[c.number]; ok {
			as.boolean = n.boolean
			if code := t.code(n); code != "" {
				as.format = numfmt.Parse(code)
			}
			break
		}
		name = c.parent
	}
	if len(t.known) < maxStyles {
		t.known[string(style)] = as
	}
	return as
}

// numberStyle is a number format (part 3, 16.29) as the code that other spreadsheets have
// for it.
type numberStyle struct {
	code    string
	boolean bool
	maps    []styleMap
}

// styleMap is a style that is used instead where a condition holds.
type styleMap struct{ condition, style string }

// maxCode is the longest code of a format in bytes.
const maxCode = 500

// code joins a style with those that are used instead.
func (t *cellStyles) code(n numberStyle) string {
	var b strings.Builder
	for _, m := range n.maps {
		if other, ok := t.numbers[m.style]; ok && b.Len() < maxCode {
			b.WriteString("[" + m.condition + "]" + other.code + ";")
		}
	}
	if b.Len() == 0 && n.code == "General" {
		return ""
	}
	return b.String() + n.code
}

// readNumberStyle reads the number style that just began.
func readNumberStyle(s *xmlscan.Scanner) numberStyle {
	n := numberStyle{boolean: s.Name() == "number:boolean-style"}
	percent := s.Name() == "number:percentage-style"
	elapsed := s.String("number:truncate-on-overflow") == "false"
	var b strings.Builder
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			break
		}
		if k != xmlscan.Start || b.Len() > maxCode {
			continue
		}
		long := s.String("number:style") == "long"
		switch s.Name() {
		case "number:text", "number:currency-symbol":
			text := string(s.All(100))
			if before, after, ok := strings.Cut(text, "%"); ok && percent {
				b.WriteString(literal(before) + "%" + literal(after))
			} else {
				b.WriteString(literal(text))
			}
		case "number:number":
			b.WriteString(numberCode(s))
		case "number:scientific-number":
			digits, _ := s.Int("number:min-exponent-digits")
			b.WriteString(numberCode(s) + "E+" + zeros(max(digits, 1)))
		case "number:fraction":
			a, _ := s.Int("number:min-numerator-digits")
			c, _ := s.Int("number:min-denominator-digits")
			b.WriteString("# " + strings.Repeat("?", max(1, min(a, 5))) + "/" + strings.Repeat("?", max(1, min(c, 5))))
		case "number:text-content":
			b.WriteByte('@')
		case "number:year":
			b.WriteString(either(long, "yyyy", "yy"))
		case "number:month":
			code := either(long, "mm", "m")
			if s.String("number:textual") == "true" {
				code = either(long, "mmmm", "mmm")
			}
			b.WriteString(code)
		case "number:day":
			b.WriteString(either(long, "dd", "d"))
		case "number:day-of-week":
			b.WriteString(either(long, "dddd", "ddd"))
		case "number:hours":
			b.WriteString(either(elapsed, "[h]", either(long, "hh", "h")))
			elapsed = false
		case "number:minutes":
			b.WriteString(either(elapsed, "[m]", either(long, "mm", "m")))
			elapsed = false
		case "number:seconds":
			b.WriteString(either(elapsed, "[s]", either(long, "ss", "s")))
			elapsed = false
			if n, _ := s.Int("number:decimal-places"); n > 0 {
				b.WriteString("." + zeros(min(n, 3)))
			}
		case "number:am-pm":
			b.WriteString("AM/PM")
		case "style:map":
			condition := strings.TrimPrefix(s.String("style:condition"), "value()")
			if len(n.maps) < 2 && strings.Trim(condition, "<>=!0123456789.-") == "" && condition != "" {
				condition = strings.Replace(condition, "!=", "<>", 1)
				n.maps = append(n.maps, styleMap{condition, s.String("style:apply-style-name")})
			}
		}
	}
	n.code = b.String()
	return n
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// numberCode returns the digits of a number.
func numberCode(s *xmlscan.Scanner) string {
	places, fixed := s.Int("number:decimal-places")
	least, _ := s.Int("number:min-integer-digits")
	if !fixed && s.Name() == "number:number" {
		return "General"
	}
	code := zeros(min(least, 30))
	if s.String("number:grouping") == "true" {
		code = "#,##" + either(least > 0, zeros(min(least, 30)), "#")
	} else if code == "" {
		code = "#"
	}
	if places > 0 {
		code += "." + either(s.String("number:decimal-replacement") != "" || s.String("number:min-decimal-places") == "0",
			strings.Repeat("#", min(places, 30)), zeros(min(places, 30)))
	}
	if factor, ok := s.Int("number:display-factor"); ok {
		for ; factor >= 1000; factor /= 1000 {
			code += ","
		}
	}
	return code
}

func zeros(n int) string { return strings.Repeat("0", max(0, n)) }

// literal returns text as it stands in the code of a format.
func literal(text string) string {
	if text == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(text, `"`, `"\""`) + `"`
}
