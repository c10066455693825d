package secret

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// Least is the length of the shortest value, in bytes, that is hidden wherever it
	// stands. A shorter one may be any word, or a part of many: to hide it takes the
	// text apart, and tells what it is. GitLab has the same bound for its job logs;
	// GitHub has none, and warns of what short secrets do.
	Least = 8
	// leastWord is the length of the shortest value that is hidden where it is a word. A
	// shorter one keeps nobody out.
	leastWord = 4
)

// Hide returns a text without the values, which are known to be secrets: those of at
// least [Least] bytes anywhere, those of at least four as words of their own.
func Hide(text string, values ...string) string {
	for _, v := range values {
		switch {
		case len(v) >= Least:
			text = strings.ReplaceAll(text, v, Hidden)
		case len(v) >= leastWord:
			text = hideWord(text, v)
		}
	}
	return text
}

// hideWord replaces a value that is no part of a longer word.
func hideWord(text, value string) string {
	var b strings.Builder
	from := 0
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return b.String() + text[from:]
		}
		start, end := at+i, at+i+len(value)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if ofWord(before) || ofWord(after) {
			at = start + 1
			continue
		}
		b.WriteString(text[from:start] + Hidden)
		from, at = end, end
	}
}

func ofWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
