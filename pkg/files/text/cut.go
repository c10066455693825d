package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clusterBack limits the characters by which a cut moves back to keep a cluster together.
// A longer cluster is torn.
const clusterBack = 32

// prefix returns how many bytes the first n characters of s take, or fewer so that no
// user-perceived character is torn, and how many characters those are. It
// approximates the grapheme clusters of Unicode Standard Annex #29: marks, joiners,
// variation selectors, skin tones and pairs of regional indicators stay with what
// they follow. If nothing would be left, it returns n characters.
func prefix(s string, n int) (bytes, chars int) {
	for bytes < len(s) && chars < n {
		_, size := utf8.DecodeRuneInString(s[bytes:])
		bytes += size
		chars++
	}
	at, back := bytes, 0
	for at < len(s) && at > 0 && back < clusterBack && joined(s, at) {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
		back++
	}
	if at == 0 || back == clusterBack {
		return bytes, chars
	}
	return at, chars - back
}

// prefixBytes is prefix for a number of bytes. It returns at least one character.
func prefixBytes(s string, n int) (bytes, chars int) {
	n = max(n, 0)
	if n >= len(s) {
		return len(s), utf8.RuneCountInString(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(s)
	}
	return prefix(s, utf8.RuneCountInString(s[:n]))
}

// joined reports whether the characters before and at s[at:] are seen as one.
func joined(s string, at int) bool {
	const (
		joiner      = '\u200D'
		nonJoiner   = '\u200C'
		indicatorLo = 0x1F1E6
		indicatorHi = 0x1F1FF
		skinLo      = 0x1F3FB
		skinHi      = 0x1F3FF
		tagLo       = 0xE0020
		tagHi       = 0xE007F
	)
	before, size := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	switch {
	case after < 0x300 && before != joiner:
		return before == '\r' && after == '\n'
	case after == joiner, after == nonJoiner, before == joiner:
		return true
	case after >= skinLo && after <= skinHi, after >= tagLo && after <= tagHi:
		return true
	case after >= indicatorLo && after <= indicatorHi:
		// A flag is a pair: an odd number of indicators before the cut splits one.
		n := 0
		for before >= indicatorLo && before <= indicatorHi && n <= clusterBack {
			n++
			at -= size
			before, size = utf8.DecodeLastRuneInString(s[:at])
		}
		return n%2 == 1
	}
	return unicode.In(after, unicode.Mn, unicode.Me, unicode.Mc)
}

// moreChars marks the place where a long line was cut; n characters follow it in
// the file.
func moreChars(n int) string { return "…[" + strconv.Itoa(n) + moreCharsEnd }

const moreCharsEnd = " more characters]"

// WasCut reports whether a line holds the mark that [Page] puts where it cuts a
// long line.
func WasCut(line string) bool {
	for {
		_, rest, ok := strings.Cut(line, "…[")
		if !ok {
			return false
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits > 0 && strings.HasPrefix(rest[digits:], moreCharsEnd) {
			return true
		}
		line = rest
	}
}
