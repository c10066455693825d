package diff

import "strings"

// lineStart returns the offset at which the line around offset i begins.
func lineStart(s string, i int) int { return strings.LastIndexByte(s[:i], '\n') + 1 }

// lineEnd returns the offset after the line around offset i, its "\n" included.
func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}

// atLineStart reports whether a line of s begins at i.
func atLineStart(s string, i int) bool { return i == 0 || s[i-1] == '\n' }

// splitLines splits s after every "\n". The lines share its memory.
func splitLines(s string) []string {
	lines := make([]string, 0, CountLines(s))
	for s != "" {
		end := lineEnd(s, 0)
		lines = append(lines, s[:end])
		s = s[end:]
	}
	return lines
}

// CountLines returns the number of lines of s; the last one may lack its "\n".
func CountLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	return n
}

// stride is the number of bytes that commonPrefix and commonSuffix compare at once: the
// runtime compares strings far faster than a loop does.
const stride = 256

// CommonEnds returns how many bytes a and b both begin with, and how many of the
// rest they both end with.
func CommonEnds(a, b string) (head, tail int) {
	head = commonPrefix(a, b)
	return head, commonSuffix(a[head:], b[head:])
}

// commonPrefix returns the length of the longest text that both begin with.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i+stride <= n && a[i:i+stride] == b[i:i+stride] {
		i += stride
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// commonSuffix returns the length of the longest text that both end with.
func commonSuffix(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i+stride <= n && a[len(a)-i-stride:len(a)-i] == b[len(b)-i-stride:len(b)-i] {
		i += stride
	}
	for i < n && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return i
}

// widen extends splices to whole lines and joins those that touch the same line.
// A line is also touched when the splice before it removed the newline between
// them, or appends to an old text that does not end in one.
func widen(old string, splices []Splice) []Splice {
	var blocks []Splice
	for i := 0; i < len(splices); {
		start := lineStart(old, splices[i].Start)
		at := start
		var text strings.Builder
		for {
			text.WriteString(old[at:splices[i].Start])
			text.WriteString(splices[i].Text)
			at = splices[i].End
			i++
			end := at
			if !atLineStart(old, end) || openEnded(text.String()) {
				end = lineEnd(old, end)
			}
			if i < len(splices) {
				next := splices[i].Start
				if lineStart(old, next) < end || next == end && openEnded(text.String()) {
					continue
				}
			}
			text.WriteString(old[at:end])
			blocks = append(blocks, Splice{Start: start, End: end, Text: text.String()})
			break
		}
	}
	return blocks
}

// openEnded reports whether text after s would continue its last line.
func openEnded(s string) bool { return s != "" && s[len(s)-1] != '\n' }
