package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns a text as it is compared: in lower case, without accents, full-width
// letters as narrow ones (Unicode NFKD without marks).
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// letters returns the letters and digits of a text, folded.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, fold(unlinked(s)))
}

// unlinked returns Markdown without the addresses of links, and without what only marks
// the text.
func unlinked(s string) string {
	if !strings.Contains(s, "](") {
		return s
	}
	var b strings.Builder
	for {
		at := strings.Index(s, "](")
		if at < 0 {
			break
		}
		b.WriteString(s[:at+1])
		s = s[at+1:]
		end := strings.IndexAny(s, ")\n")
		if end < 0 { // nor of any link behind it
			break
		}
		if s[end] == ')' {
			s = s[end+1:]
		}
	}
	return b.String() + s
}

// plain returns a block of Markdown or text as it is searched: folded, without marks,
// each run of white space as one space, and the addresses of its links behind it.
func plain(s string) string {
	text := s
	if strings.Contains(s, "](") {
		text = unlinked(s) + " " + s
	}
	text = strings.Map(func(r rune) rune {
		switch r {
		case '*', '`', '\\':
			return -1
		case '[', ']', '(', ')', '|', '<', '>':
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(fold(text)), " ")
}

// isIdeographic reports whether a script writes words without spaces between them.
func isIdeographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// runeStart returns the last offset at or before at where a character begins.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}
