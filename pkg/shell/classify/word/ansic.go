package word

import (
	"strings"
	"unicode/utf8"
)

// DecodeANSIC returns the meaning of the text between $' and ', as described in
// "ANSI-C Quoting" of the bash manual.
func DecodeANSIC(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'a':
			b.WriteByte('\a')
		case 'b':
			b.WriteByte('\b')
		case 'e', 'E':
			b.WriteByte(0x1b)
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'v':
			b.WriteByte('\v')
		case '\\', '\'', '"', '?':
			b.WriteByte(c)
		case 'x':
			i += digits(&b, s[i+1:], 16, 2, false)
		case 'u':
			i += digits(&b, s[i+1:], 16, 4, true)
		case 'U':
			i += digits(&b, s[i+1:], 16, 8, true)
		case 'c':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i] & 0x1f)
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += digits(&b, s[i:], 8, 3, false) - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	// A NUL ends the string in bash.
	text, _, _ := strings.Cut(b.String(), "\x00")
	return text
}

// digits writes the character whose code is written in the first digits of s, at
// most so many, and returns how many digits it used.
func digits(b *strings.Builder, s string, base, most int, unicode bool) int {
	n, v := 0, 0
	for n < most && n < len(s) {
		d := strings.IndexByte("0123456789abcdef", s[n]|0x20)
		if s[n] >= '0' && s[n] <= '9' {
			d = int(s[n] - '0')
		}
		if d < 0 || d >= base {
			break
		}
		v = v*base + d
		n++
	}
	switch {
	case n == 0:
	case unicode && v <= utf8.MaxRune:
		b.WriteRune(rune(v))
	case !unicode:
		b.WriteByte(byte(v))
	}
	return n
}
