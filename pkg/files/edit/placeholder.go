package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
)

// placeholder refuses new text that has a placeholder for omitted text.
func placeholder(old, new string) *fault.Error {
	line, text := Placeholder(old, new)
	if line == 0 {
		return nil
	}
	return placeholderFault(line, text)
}

// Placeholder returns the first line of new, from 1, that is a placeholder for
// omitted text, such as "// ... existing code ...", and its trimmed text. It
// returns 0 if there is none. Lines that old has too do not count.
func Placeholder(old, new string) (line int, text string) {
	n := 0
	for l := range strings.Lines(new) {
		n++
		if l = strings.TrimSpace(l); omits(l) && !hasTrimmedLine(old, l) {
			return n, l
		}
	}
	return 0, ""
}

func hasTrimmedLine(text, line string) bool {
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) == line {
			return true
		}
	}
	return false
}

// omits reports whether a trimmed line is a placeholder for others.
func omits(l string) bool {
	if text.WasCut(l) {
		return true
	}
	if len(l) > 200 || l == "" {
		return false
	}
	if strings.Contains(l, "[truncated]") || strings.Contains(l, "[diff truncated") {
		return strings.Trim(l, "#/*-. \t") == "[truncated]" || strings.HasPrefix(l, "# [diff truncated")
	}
	content, comment := uncomment(l)
	inner := strings.Trim(content, ".…[]()<>{} \t")
	low := strings.ToLower(inner)
	bare := strings.Trim(content, "[]()<>{} \t")
	switch before, after := dots(bare); {
	case before && (after || comment || bare != content):
		// A shortened sample of a program's output is real content.
		if hasAny(low, omissions...) && !strings.Contains(low, "output") {
			return true
		}
	case after && (comment || bare != content):
		// Ordinary comments end in dots too: require these words at the beginning.
		if _, ok := restOf(low); ok || strings.HasPrefix(low, "existing code") || strings.HasPrefix(low, "unchanged code") || strings.HasPrefix(low, "unchanged method") || strings.HasPrefix(low, "其余") || strings.HasPrefix(low, "省略") {
			return true
		}
	}
	// Without dots, require a complete phrase.
	if !comment && !strings.HasPrefix(l, "(") && !strings.HasPrefix(l, "[") {
		return false
	}
	if rest, ok := restOf(low); ok && hasAny(rest, "unchanged", "remains", "stays", "the same", "as before", "omitted", "goes here", "as is") {
		return true
	}
	return hasAny(low, "其余代码", "其余部分", "剩余代码", "其他代码") && hasAny(low, "不变", "省略", "同上", "相同") ||
		strings.HasPrefix(low, "此处省略")
}

// omissions are the words of such a line between its dots.
var omissions = []string{
	"existing code", "existing implementation", "existing content", "existing logic", "existing import",
	"rest of", "remaining ", "remainder", "unchanged", "omitted", "same as before", "same as above",
	"previous code", "other code", "original code", "more code", "truncated", "code here", "for brevity",
	"其余", "剩余", "省略", "保持不变", "现有代码", "原有代码", "其他代码", "不变",
}

// uncomment returns a line without the signs of a comment.
func uncomment(l string) (content string, comment bool) {
	content = l
	for _, open := range []string{"<!--", "{/*", "/*", "//", "--", "#", ";", "%", "*", `"""`, "'''"} {
		if rest, ok := strings.CutPrefix(content, open); ok {
			content, comment = rest, true
			break
		}
	}
	if comment {
		for _, end := range []string{"-->", "*/}", "*/"} {
			content = strings.TrimSuffix(content, end)
		}
		content = strings.Trim(content, "/#*- \t")
	}
	return content, comment
}

// dots reports whether a text begins and ends with an ellipsis.
func dots(s string) (before, after bool) {
	return strings.HasPrefix(s, "...") || strings.HasPrefix(s, "…"), strings.HasSuffix(s, "...") || strings.HasSuffix(s, "…")
}

// restOf returns what follows "rest of the code" and the like at the beginning of
// a text.
func restOf(s string) (rest string, ok bool) {
	s = strings.TrimPrefix(s, "the ")
	rest, ok = strings.CutPrefix(s, "rest of ")
	if !ok {
		rest, ok = strings.CutPrefix(s, "remainder of ")
	}
	for _, article := range []string{"the ", "your ", "this "} {
		rest = strings.TrimPrefix(rest, article)
	}
	for _, thing := range []string{"code", "file", "function", "method", "class", "implementation", "component", "module", "content"} {
		if after, named := strings.CutPrefix(rest, thing); ok && named {
			return after, true
		}
	}
	return "", false
}

func hasAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
