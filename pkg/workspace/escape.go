package workspace

import (
	"runtime"
	"strings"
	"unicode/utf8"
)

// A file name on Unix is any bytes, and a path of this project is text: JSON,
// messages and records would damage other bytes. So this package shows a byte that
// is not UTF-8 as \xHH, with two lower-case digits, and takes that back. No two
// names look alike, because a backslash that would be read as the beginning of such
// an escape is itself shown as \x5c:
//
//	bytes of the name   shown as
//	caf 0xE9            caf\xe9
//	caf \ x e 9         caf\x5cxe9
//	a \ x 4 1           a\x41, as 41 is no byte that needs an escape
//
// All paths that enter and leave this package are in this form; only the calls of
// the system have the names themselves. Engines that read directories by descriptor
// convert with [Escape] and [Unescape]. On Windows names are text, and a backslash
// separates them.

// Escape returns a name or path as this project shows it, from the bytes that the
// system has.
func Escape(raw string) string {
	if runtime.GOOS == "windows" || utf8.ValidString(raw) && !strings.Contains(raw, `\x`) {
		return raw
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && size == 1 || r == '\\' && escaped(raw[i:]) {
			b.WriteString(`\x`)
			b.WriteByte(hex[raw[i]>>4])
			b.WriteByte(hex[raw[i]&15])
		} else {
			b.WriteString(raw[i : i+size])
		}
		i += size
	}
	return b.String()
}

// Unescape returns the bytes that the system has for a name or path, as it is shown.
// What is no escape stands for itself.
func Unescape(shown string) string {
	if runtime.GOOS == "windows" || !strings.Contains(shown, `\x`) {
		return shown
	}
	var b strings.Builder
	for i := 0; i < len(shown); i++ {
		if shown[i] == '\\' && escaped(shown[i:]) {
			b.WriteByte(digit(shown[i+2])<<4 | digit(shown[i+3]))
			i += 3
			continue
		}
		b.WriteByte(shown[i])
	}
	return b.String()
}

// escaped reports whether s begins with an escape: \x5c, or \x80 to \xff.
func escaped(s string) bool {
	return len(s) >= 4 && s[1] == 'x' && isDigit(s[2]) && isDigit(s[3]) && (s[2] >= '8' || s[2:4] == "5c")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

func digit(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

func escapeAll(raw []string) []string {
	for i, name := range raw {
		raw[i] = Escape(name)
	}
	return raw
}
