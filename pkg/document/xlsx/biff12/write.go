package biff12

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

func decimal(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

func (t *teller) put(s string) { t.out = append(t.out, s...) }

// begin opens an element.
func (t *teller) begin(name, attributes string) {
	t.put("<" + name + attributes + ">")
	t.open = append(t.open, name)
}

// closeTo closes the last element of a name, and those in it, if it is open.
func (t *teller) closeTo(name string) {
	if !slices.Contains(t.open, name) {
		return
	}
	for {
		n := len(t.open) - 1
		last := t.open[n]
		t.open = t.open[:n]
		t.put("</" + last + ">")
		if last == name {
			return
		}
	}
}

// end closes all that is open.
func (t *teller) end() {
	if t.ended {
		return
	}
	t.ended = true
	for _, name := range slices.Backward(t.open) {
		t.put("</" + name + ">")
	}
	t.open = nil
}

// item writes an element of a text.
func (t *teller) item(name, text string) {
	t.put("<" + name + `><t xml:space="preserve">`)
	t.text(text)
	t.put("</t></" + name + ">")
}

func (t *teller) attribute(name, value string) {
	t.put(" " + name + `="`)
	t.text(value)
	t.put(`"`)
}

// text writes a text so that it is read as it is: what XML has no characters for, and what would
// be read as such, is written as _xHHHH_ (ECMA-376 part 1, 22.9.2.19).
func (t *teller) text(s string) {
	for i, c := range s {
		switch {
		case c == '<':
			t.put("&lt;")
		case c == '>':
			t.put("&gt;")
		case c == '&':
			t.put("&amp;")
		case c == '"':
			t.put("&quot;")
		case c == '_' && escaped(s[i:]):
			t.put("_x005F_")
		case c < ' ' && c != '\n' && c != '\t', c == 0xFFFE, c == 0xFFFF:
			t.put("_x" + hex(uint32(c)) + "_")
		default:
			t.out = utf8.AppendRune(t.out, c)
		}
	}
}

// escaped reports whether a text begins as an escaped character does.
func escaped(s string) bool {
	if len(s) < 7 || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// hex returns four digits.
func hex(n uint32) string {
	digits := strconv.FormatUint(uint64(n), 16)
	return "0000"[:4-len(digits)] + digits
}
