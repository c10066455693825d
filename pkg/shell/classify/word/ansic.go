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
			i += hexadecimal(&b, s[i:])
		case 'u':
			i += digits(&b, s[i:], 1, 16, 4, true)
		case 'U':
			i += digits(&b, s[i:], 1, 16, 8, true)
		case 'c':
			i += control(&b, s[i:])
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += digits(&b, s[i:], 0, 8, 3, false) - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	// A NUL ends the string in bash.
	text, _, _ := strings.Cut(b.String(), "\x00")
	return text
}

// hexadecimal writes what \x means, of which s is all behind the backslash, and
// returns how many bytes of it follow the x. Of \x{...} every digit counts.
func hexadecimal(b *strings.Builder, s string) int {
	if !strings.HasPrefix(s, "x{") {
		return digits(b, s, 1, 16, 2, false)
	}
	v, n := 0, 2
	for ; n < len(s) && digit(s[n]) >= 0; n++ {
		v = v<<4&0xff | digit(s[n])
	}
	b.WriteByte(byte(v))
	if n < len(s) && s[n] == '}' {
		n++
	}
	return n - 1
}

// control writes the control character that \cX means, of which s is all behind
// the backslash, and returns how many bytes of it follow the c.
func control(b *strings.Builder, s string) int {
	switch {
	case len(s) == 1:
		b.WriteString(`\c`)
		return 0
	case s[1] == '?':
		b.WriteByte(0x7f)
	default:
		b.WriteByte(s[1] & 0x1f)
	}
	if strings.HasPrefix(s, `c\\`) {
		return 2
	}
	return 1
}

// digits writes the character whose code is written in s behind its first skipped
// bytes, in at most so many digits, and returns how many digits it used. Without a
// digit the escape stands for itself.
func digits(b *strings.Builder, s string, skipped, base, most int, unicode bool) int {
	n, v := 0, 0
	for n < most && skipped+n < len(s) {
		d := digit(s[skipped+n])
		if d < 0 || d >= base {
			break
		}
		v = v*base + d
		n++
	}
	switch {
	case n == 0:
		b.WriteString(`\` + s[:skipped])
	case unicode && v <= utf8.MaxRune:
		b.WriteRune(rune(v))
	case !unicode:
		b.WriteByte(byte(v))
	}
	return n
}

// digit returns the value of a hexadecimal digit, -1 if c is none.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
