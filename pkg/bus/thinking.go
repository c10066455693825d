package bus

import "strings"

// WithoutThinking returns a text without what a model wrote for itself: <think>…</think>
// at the beginning of a line, which also <thinking> may be. Tags elsewhere are spoken
// of. What is not closed goes on to the end, if the text begins with it.
func WithoutThinking(text string) string {
	if !strings.Contains(text, "<think") && !strings.Contains(text, "</think") {
		return text
	}
	for _, name := range []string{"think", "thinking"} {
		begin, end := "<"+name+">", "</"+name+">"
		if i := strings.Index(text, end); i >= 0 && !strings.Contains(text[:i], begin) && startsLine(text, i) {
			text = text[i+len(end):] // the beginning was in the prompt of the model
		}
		for from := 0; ; {
			i := strings.Index(text[from:], begin)
			if i < 0 {
				break
			}
			i += from
			from = i + len(begin)
			if !startsLine(text, i) {
				continue
			}
			n := strings.Index(text[from:], end)
			if n < 0 {
				if strings.TrimSpace(text[:i]) == "" {
					text = ""
				}
				break
			}
			text = text[:i] + text[from+n+len(end):]
			from = i
		}
	}
	return strings.TrimSpace(text)
}

// startsLine reports whether only spaces are before an index on its line.
func startsLine(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return strings.TrimSpace(line) == ""
}
