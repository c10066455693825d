package markdown

import "strings"

// tidy removes white space at the ends of lines and repeated blank lines, except in
// code, and ends the text with a line break.
func tidy(s string) string {
	var b strings.Builder
	blank := 0
	fence := ""
	for line := range strings.Lines(s) {
		text := strings.TrimRight(line, "\r\n")
		if fence == "" {
			trimmed := strings.TrimRight(text, " \t")
			if strings.Trim(trimmed, "\u00a0 ") == "" {
				trimmed = ""
			}
			if hard := strings.HasSuffix(text, "  ") && trimmed != ""; hard {
				trimmed += "  "
			}
			text = unpad(trimmed)
		}
		fence = Fence(fence, text)
		if text == "" && fence == "" {
			blank++
			continue
		}
		if blank > 0 && b.Len() > 0 {
			b.WriteByte('\n')
		}
		blank = 0
		b.WriteString(text)
		b.WriteByte('\n')
	}
	return b.String()
}

// unpad removes the zeros that the converter puts before the numbers of long lists.
func unpad(line string) string {
	text := strings.TrimLeft(line, " ")
	number := strings.TrimLeft(text, "0")
	digits := len(number) - len(strings.TrimLeft(number, "0123456789"))
	if number == text || digits == 0 || !strings.HasPrefix(number[digits:], ". ") {
		return line
	}
	return line[:len(line)-len(text)] + number
}

// Fence follows code fences through the lines of a text: open is the fence that is
// open at a line, "" for none, and the result is the one open at the next line.
func Fence(open, line string) string {
	text := strings.TrimLeft(line, " >")
	if open != "" {
		if strings.HasPrefix(text, open) && strings.Trim(text, open[:1]+" ") == "" {
			return ""
		}
		return open
	}
	for _, c := range [...]string{"`", "~"} {
		n := len(text) - len(strings.TrimLeft(text, c))
		if n >= 3 && !(c == "`" && strings.Contains(text[n:], "`")) {
			return strings.Repeat(c, n)
		}
	}
	return ""
}
