package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxBytes is the length of the longest command that is parsed. A longer one
	// is destructive.
	maxBytes = 64 << 10
	// maxDepth limits the nesting of brackets in a command that is parsed.
	// What is nested deeper is destructive.
	maxDepth = 100
)

// precheck judges the bytes of a command before anything parses them. It reports
// whether they may be parsed: the parser needs stack for nested text, and a
// process that runs out of stack cannot recover.
func (a *analysis) precheck(src string) bool {
	switch {
	case len(src) > maxBytes:
		a.raise(Destructive, TooComplex, fault.T("the command is longer than %d bytes", maxBytes))
		a.flag(Opaque)
		return false
	case strings.IndexByte(src, 0) >= 0:
		a.nul()
		return false
	case nesting(src) > maxDepth:
		a.raise(Destructive, TooComplex, fault.T("brackets are nested deeper than %d", maxDepth))
		a.flag(Opaque)
		return false
	}
	a.characters(src)
	return true
}

func (a *analysis) nul() {
	a.raise(Destructive, Confusable, fault.T("the command contains a NUL byte"))
}

// nesting returns how deep the brackets of src nest at most. It does not parse
// quotes: any bracket may open, and one that may be quoted does not close.
func nesting(src string) int {
	depth, deepest := 0, 0
	for i := range len(src) {
		switch src[i] {
		case '(', '{', '[':
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			// Behind a quote or a backslash it may be text.
			if i > 0 && (src[i-1] == '\'' || src[i-1] == '"' || src[i-1] == '\\') {
				continue
			}
			depth = max(depth-1, 0)
		}
	}
	return max(deepest, depth)
}

// characters finds the characters that a person sees differently than the shell.
func (a *analysis) characters(src string) {
	if !utf8.ValidString(src) {
		a.raise(Destructive, Confusable, fault.T("the command is not valid UTF-8"))
	}
	for _, r := range src {
		switch {
		case r == '\n' || r == '\t':
		case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0:
			a.raise(Destructive, Confusable, fault.T("the command contains the control character %U", r))
		case bidirectional(r):
			a.raise(Write, Confusable, fault.T("the command contains %U, which changes the order in which text is displayed", r))
		case invisible(r):
			a.raise(Destructive, Confusable, fault.T("the command contains the invisible character %U", r))
		}
	}
}

// bidirectional reports whether r is one of the marks, embeddings, overrides and
// isolates of Unicode Standard Annex #9.
func bidirectional(r rune) bool {
	return r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// invisible reports whether r has no width, or looks like a space and is none.
func invisible(r rune) bool {
	switch {
	case r >= 0x200b && r <= 0x200d, r == 0x2060, r == 0xfeff, r == 0xad, r == 0x180e, r == 0x34f, r == 0x115f,
		r == 0x1160, r == 0x3164, r == 0xffa0:
		return true
	case r >= 0xe0000 && r <= 0xe007f, r >= 0xfe00 && r <= 0xfe0d, r >= 0x2061 && r <= 0x2064:
		return true
	case r == 0x2028 || r == 0x2029:
		return true
	}
	return r >= 0x80 && unicode.Is(unicode.Zs, r)
}
