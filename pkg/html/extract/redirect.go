package extract

import (
	"strconv"
	"strings"
)

// maxTarget is the longest address that a script may lead to, in bytes.
const maxTarget = 8 << 10

// scriptTarget returns the address that a script sends the browser to, as it is written
// there; "" for none. It finds location.replace("…"), location.assign("…"),
// location = "…" and location.href = "…" where the address is one string.
func scriptTarget(script string) string {
	for rest := script; ; {
		_, after, found := strings.Cut(rest, "location")
		if !found {
			return ""
		}
		rest = after
		if target, ok := assigned(after); ok {
			return target
		}
	}
}

// assigned reads what follows the word location.
func assigned(s string) (target string, ok bool) {
	const space = " \t\r\n"
	call := false
	switch {
	case strings.HasPrefix(s, ".replace("), strings.HasPrefix(s, ".assign("):
		_, s, _ = strings.Cut(s, "(")
		call = true
	default:
		s = strings.TrimLeft(strings.TrimPrefix(s, ".href"), space)
		if s, ok = strings.CutPrefix(s, "="); !ok || strings.HasPrefix(s, "=") {
			return "", false
		}
	}
	target, s, ok = literal(strings.TrimLeft(s, space))
	if !ok || target == "" {
		return "", false
	}
	s = strings.TrimLeft(s, space)
	if call {
		return target, strings.HasPrefix(s, ")")
	}
	if s == "" || strings.ContainsRune(";}),", rune(s[0])) {
		return target, true
	}
	return target, !strings.ContainsRune("+.[?|&-*/%", rune(s[0])) // a part of a longer expression
}

// literal reads a string of JavaScript, and returns what follows it.
func literal(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return "", s, false
	}
	mark := s[0]
	var b strings.Builder
	for i := 1; i < len(s) && b.Len() <= maxTarget; i++ {
		switch c := s[i]; c {
		case mark:
			return strings.TrimSpace(b.String()), s[i+1:], true
		case '\n', '\r':
			return "", s, false
		case '\\':
			width := 0
			if i++; i < len(s) {
				switch s[i] {
				case 'x':
					width = 2
				case 'u':
					width = 4
				}
			}
			if i >= len(s) || i+width >= len(s) {
				return "", s, false
			}
			if width == 0 {
				b.WriteByte(s[i])
				continue
			}
			r, err := strconv.ParseUint(s[i+1:i+1+width], 16, 32)
			if err != nil {
				return "", s, false
			}
			b.WriteRune(rune(r))
			i += width
		default:
			b.WriteByte(c)
		}
	}
	return "", s, false
}
