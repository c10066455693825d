package xmlscan

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// longestEntity is the longest reference that has a meaning: "&#x0010FFFF;".
const longestEntity = 12

// unescape replaces the references in b. What is none that XML knows stays as it is. The
// result is valid until the next call.
func (s *Scanner) unescape(b []byte) []byte {
	if bytes.IndexByte(b, '&') < 0 && bytes.IndexByte(b, '\r') < 0 {
		return b
	}
	out := s.scratch[:0]
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '&':
			if r, n := reference(b[i:]); n > 0 {
				out = utf8.AppendRune(out, r)
				i += n
				continue
			}
			out = append(out, c)
		case c == '\r': // XML 1.0, 2.11: every line ends with "\n"
			if i+1 == len(b) || b[i+1] != '\n' {
				out = append(out, '\n')
			}
		default:
			out = append(out, c)
		}
		i++
	}
	s.scratch = out
	return out
}

// reference reads a reference at the beginning of b. Its length is 0 if there is none.
func reference(b []byte) (r rune, length int) {
	end := bytes.IndexByte(b[:min(len(b), longestEntity)], ';')
	if end < 2 {
		return 0, 0
	}
	switch name := string(b[1:end]); name {
	case "amp":
		return '&', end + 1
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "quot":
		return '"', end + 1
	case "apos":
		return '\'', end + 1
	default:
		if name[0] != '#' {
			return 0, 0
		}
		digits, base := name[1:], 10
		if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			return 0, 0
		}
		return rune(n), end + 1
	}
}

// whole returns how much of a piece of text can be used before more was read: it ends
// neither within a reference nor within a character.
func whole(b []byte) int {
	n := len(b)
	if i := bytes.LastIndexByte(b[max(0, n-longestEntity):], '&'); i >= 0 {
		at := max(0, n-longestEntity) + i
		if bytes.IndexByte(b[at:], ';') < 0 && at > 0 {
			return at
		}
	}
	for back := 1; back < utf8.UTFMax && back < n; back++ {
		if c := b[n-back]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[n-back:]) {
				return n - back
			}
			break
		}
	}
	if n > 1 && b[n-1] == '\r' {
		return n - 1
	}
	return n
}
