package approval

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible returns a text that hides nothing from its reader and does nothing to a
// terminal: control characters, characters that turn the direction of text, those
// without width, letters that pass for Latin ones, and invalid bytes are written as
// \u{…} and \x{…}. Newlines and tabs stay.
func Visible(s string) string {
	return marked(s, func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) })
}

// VisibleJSON is [Visible] for a JSON text, which keeps its value.
func VisibleJSON(text []byte) []byte {
	return []byte(marked(string(text), func(r rune) string {
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	}))
}

// marked writes what is hidden, and what passes for something else, as mark says.
func marked(s string, mark func(rune) string) string {
	if strings.IndexFunc(s, func(r rune) bool { return (r < ' ' || r >= 0x7f) && r != '\n' && r != '\t' }) < 0 {
		return s
	}
	written := scripts(s)
	var b strings.Builder
	for len(s) > 0 {
		n := word(s)
		passes := n > 0 && passesForLatin(s[:n], written)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s)
		}
		for part := s[:n]; part != ""; {
			r, k := utf8.DecodeRuneInString(part)
			switch {
			case r == utf8.RuneError && k == 1:
				fmt.Fprintf(&b, `\x{%02x}`, part[0])
			case hidden(r) && r != '\n' && r != '\t', passes && looksLatin(r):
				b.WriteString(mark(r))
			default:
				b.WriteString(part[:k])
			}
			part = part[k:]
		}
		s = s[n:]
	}
	return b.String()
}

// word returns the length of the word that a text begins with, 0 for none. What is hidden
// in it does not end it.
func word(s string) int {
	inWord := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r >= utf8.RuneSelf && r != utf8.RuneError && hidden(r)
	}
	if n := strings.IndexFunc(s, func(r rune) bool { return !inWord(r) }); n >= 0 {
		return n
	}
	return len(s)
}

// passesForLatin reports whether a word is read as one of Latin letters and is none: it
// has letters that look like them beside Latin ones, or nothing else in a text that is
// not written in their script.
func passesForLatin(word string, written []*unicode.RangeTable) bool {
	latin, alike, other := false, 0, false
	for _, r := range word {
		switch {
		case looksLatin(r):
			alike++
			other = other || unicode.In(r, written...)
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.IsLetter(r):
			other = true
		}
	}
	return alike > 0 && (latin || alike > 1 && !other)
}

// scripts returns the scripts with letters that look Latin in which the text has others,
// too, so that it really is written in them.
func scripts(s string) (all []*unicode.RangeTable) {
	for _, script := range []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian} {
		if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(script, r) && !looksLatin(r) }) >= 0 {
			all = append(all, script)
		}
	}
	return all
}

// looksLatin reports whether a letter of another script looks like a Latin one: a part of
// the confusable characters of Unicode's UTS #39.
func looksLatin(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return false
	case r >= 0x1d400 && r <= 0x1d7ff, r >= 0xff21 && r <= 0xff3a, r >= 0xff41 && r <= 0xff5a, r >= 0x2160 && r <= 0x217f: // styled, wide, numerals
		return true
	}
	return strings.ContainsRune("\u0251\u0261"+ // Latin letters of phonetics
		"\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u04cf\u0501\u051b\u051d\u0475"+ // Cyrillic
		"\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408\u04ae\u04c0\u050c\u051a\u051c"+
		"\u03b1\u03b9\u03bd\u03bf\u03c1\u03c5\u03f2\u03f3\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"+ // Greek
		"\u0566\u0570\u0578\u057d\u0581\u0585", r) // Armenian
}

// hidden reports whether a character is invisible or moves others. Variation
// selectors and tags, which Unicode counts as marks or leaves unassigned, can carry
// a text of their own.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), unicode.Is(unicode.Co, r):
		return true
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x2800: // letters and signs that show nothing
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0xfe00 && r <= 0xfe0e, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}
