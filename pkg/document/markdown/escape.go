package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns plain text as inline Markdown. Only what would mean something else is
// escaped: "2 * 3" and snake_case stay as they are.
func Escape(text string) string {
	if !strings.ContainsAny(text, "\\`*_~[<&$") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 8)
	lastLink := strings.LastIndex(text, "](")
	for i := 0; i < len(text); {
		c := text[i]
		run := 1
		switch c {
		case '*', '_', '~':
			for i+run < len(text) && text[i+run] == c {
				run++
			}
			if marks(text, i, run) {
				for range run {
					b.WriteByte('\\')
					b.WriteByte(c)
				}
				i += run
				continue
			}
		case '`':
			b.WriteByte('\\')
		case '\\':
			if i+1 == len(text) || isPunctuation(text[i+1]) {
				b.WriteByte('\\')
			}
		case '[':
			if i < lastLink || strings.HasPrefix(text[i+1:], "^") {
				b.WriteByte('\\')
			}
		case '<':
			if i+1 < len(text) && (isLetter(text[i+1]) || text[i+1] == '/' || text[i+1] == '!' || text[i+1] == '?') {
				b.WriteByte('\\')
			}
		case '&':
			if end := strings.IndexByte(text[i:min(len(text), i+12)], ';'); end > 1 && isReference(text[i+1:i+end]) {
				b.WriteByte('\\')
			}
		case '$': // a formula would end at another one
			if i+1 < len(text) && !isDigit(text[i+1]) && strings.IndexByte(text[i+1:], '$') >= 0 {
				b.WriteByte('\\')
			}
		}
		b.WriteString(text[i : i+run])
		i += run
	}
	return b.String()
}

// marks reports whether a run of *, _ or ~ could begin or end emphasis (CommonMark 6.2).
// Long runs are lines to write on.
func marks(text string, at, run int) bool {
	if run > 3 || text[at] == '~' && run != 2 {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+run:])
	spaceBefore := at == 0 || unicode.IsSpace(before)
	spaceAfter := at+run == len(text) || unicode.IsSpace(after)
	if spaceBefore && spaceAfter {
		return at == 0 && at+run == len(text) // the text around it is not known
	}
	if text[at] == '_' {
		word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
		return !(at > 0 && at+run < len(text) && word(before) && word(after))
	}
	return true
}

// escapeStart escapes what would make a paragraph something else: a heading, a list, a
// quotation, a rule.
func escapeStart(text string) string {
	if text == "" {
		return ""
	}
	switch c := text[0]; {
	case c == '#':
		if rest := strings.TrimLeft(text, "#"); len(text)-len(rest) <= 6 && (rest == "" || isBlank(rest[0])) {
			return `\` + text
		}
	case c == '>':
		return `\` + text
	case c == '-' || c == '+' || c == '*' || c == '=':
		if len(text) == 1 || isBlank(text[1]) || strings.Trim(text, string(c)+" \t") == "" {
			return `\` + text
		}
	case c == '_' && strings.Trim(text, "_ \t") == "" && len(text) >= 3:
		return `\` + text
	case c == '|':
		return `\` + text
	case c == '~' && strings.HasPrefix(text, "~~~"):
		return `\` + text
	case isDigit(c):
		rest := strings.TrimLeft(text, "0123456789")
		if n := len(text) - len(rest); n <= 9 && rest != "" && (rest[0] == '.' || rest[0] == ')') && (len(rest) == 1 || isBlank(rest[1])) {
			return text[:n] + `\` + rest
		}
	case c == '[':
		if i := strings.IndexByte(text, ']'); i > 0 && strings.HasPrefix(text[i:], "]:") { // the definition of a reference, which does not show
			return `\` + text
		}
	}
	return text
}

// escapeStarts is escapeStart for a paragraph and for each of its lines that a line break
// begins: a heading, a list, a rule may end a paragraph.
func escapeStarts(text string) string {
	text = escapeStart(text)
	if !strings.Contains(text, "\\\n") {
		return text
	}
	lines := strings.SplitAfter(text, "\\\n")
	for i := 1; i < len(lines); i++ {
		rest := strings.TrimLeft(lines[i], " \t")
		lines[i] = lines[i][:len(lines[i])-len(rest)] + escapeStart(rest)
	}
	return strings.Join(lines, "")
}

// escapeEnd escapes what would end a heading and not show: "C #" (CommonMark 4.2).
func escapeEnd(heading string) string {
	rest := strings.TrimRight(heading, "#")
	if n := len(rest); n < len(heading) && (n == 0 || isBlank(rest[n-1])) {
		return rest + `\` + heading[n:]
	}
	return heading
}

// Lines joins lines of inline Markdown to the text of a paragraph that keeps them, so that
// none begins something else.
func Lines(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(escapeStart(line))
	}
	return b.String()
}

func isReference(name string) bool {
	name = strings.TrimPrefix(name, "#")
	for i := range len(name) {
		if !isLetter(name[i]) && !isDigit(name[i]) {
			return false
		}
	}
	return name != ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isBlank(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' }

func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c)
}
