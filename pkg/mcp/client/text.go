package client

import (
	"strings"
	"unicode"
)

// cleaned returns a text of a server without what changes how other text is shown, such as
// control characters and marks of direction, and at most so many bytes of it.
func cleaned(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\u200c', r == '\u200d': // joiners, which words and emoji need
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// shown returns cleaned without space around it.
func shown(text string, most int) string { return strings.TrimSpace(cleaned(text, most)) }
