package parse

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape decodes the character references in a text (section 13.2.5.72). The
// standard library knows their names, and builds its table at the first use.
func unescape(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return html.UnescapeString(repair(s))
}

// repair rewrites the references that the standard library misses: numbers of one
// digit without a semicolon, numbers beyond Unicode, and the only two names that
// are shorter than their characters.
func repair(s string) string {
	if strings.Contains(s, "&nLt;") || strings.Contains(s, "&nGt;") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "&nLt;", "≪⃒"), "&nGt;", "≫⃒")
	}
	var b strings.Builder
	for {
		at := strings.Index(s, "&#")
		if at < 0 {
			break
		}
		digits, base := at+2, 10
		if digits < len(s) && s[digits]|0x20 == 'x' {
			digits, base = digits+1, 16
		}
		to := digits
		for to < len(s) && (isDigit(s[to]) || base == 16 && 'a' <= s[to]|0x20 && s[to]|0x20 <= 'f') {
			to++
		}
		number := s[digits:to]
		closed := to < len(s) && s[to] == ';'
		if closed {
			to++
		}
		n, err := strconv.ParseUint(number, base, 32)
		switch {
		case number == "":
			b.WriteString(s[:at] + "&amp;" + s[at+1:to])
		case err != nil || n > utf8.MaxRune:
			b.WriteString(s[:at] + "\uFFFD")
		case closed || len(number) > 1:
			b.WriteString(s[:to])
		default:
			b.WriteString(s[:to] + ";")
		}
		s = s[to:]
	}
	if b.Len() == 0 {
		return s
	}
	return b.String() + s
}

// longest is more than the bytes of any character name.
const longest = 40

// unescapeValue decodes the references in the value of an attribute. There, a text
// that only begins with a character name is no reference, and neither is a name
// without a semicolon before an equals sign (section 13.2.5.73).
func unescapeValue(s string) string {
	amp := strings.IndexByte(s, '&')
	if amp < 0 {
		return s
	}
	var b strings.Builder
	for amp >= 0 {
		b.WriteString(s[:amp])
		s = s[amp:]
		n := reference(s)
		decoded := s[:n]
		if n > 1 {
			decoded = value(s[:n], s[n:])
		}
		b.WriteString(decoded)
		s = s[n:]
		amp = strings.IndexByte(s, '&')
	}
	b.WriteString(s)
	return b.String()
}

// reference returns how many bytes at the beginning of s, which begins with &, look
// like a reference.
func reference(s string) int {
	i := 1
	if i < len(s) && s[i] == '#' {
		i++
	}
	for i < len(s) && (letter(s[i]) || isDigit(s[i])) {
		i++
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	return i
}

// value decodes one reference, which rest follows.
func value(ref, rest string) string {
	if ref[1] == '#' {
		return unescape(ref)
	}
	if len(ref) > longest {
		return ref
	}
	decoded := unescape(ref)
	var whole bool
	if strings.HasSuffix(ref, ";") {
		whole = !strings.HasSuffix(decoded, ";") || ref == "&semi;"
	} else { // all names that need no semicolon are of one character
		whole = utf8.RuneCountInString(decoded) == 1 && !strings.HasPrefix(rest, "=")
	}
	if !whole {
		return ref
	}
	return decoded
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
