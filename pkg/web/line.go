package web

import (
	"strings"
	"unicode"
)

// OneLine returns a foreign text as one line: each run of white space and control
// characters becomes a space, and invisible characters are removed, as they can
// hide instructions.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c' || r == '\u200d': // joiners, which some scripts and emoji need
			return r
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar || r >= 0xfe00 && r <= 0xfe0e || r >= 0xe0000 && r <= 0xe0fff:
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// Shorten cuts a text to at most so many characters, between words if it can.
func Shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	cut := string(runes[:most-1])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)*3/4 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,.;:") + "…"
}
