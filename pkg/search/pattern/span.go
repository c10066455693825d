package pattern

import (
	"regexp/syntax"
	"slices"
)

// spans reports whether a match of a tree can hold a line break, or depend on where
// the text begins or ends.
func spans(re *syntax.Regexp) bool {
	if takesBreak(re) || re.Op == syntax.OpBeginText || re.Op == syntax.OpEndText {
		return true
	}
	return slices.ContainsFunc(re.Sub, spans)
}

// takesBreak reports whether a node without parts matches a line break.
func takesBreak(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar:
		return true
	case syntax.OpLiteral, syntax.OpCharClass:
		set := runes(re.Rune)
		if re.Op == syntax.OpLiteral {
			set = runes{re.Rune[0], re.Rune[0]} // the parser makes no longer ones
		}
		return set.has('\n')
	}
	return false
}

// mostBreaks is the largest bound of line breaks; more count as unbounded.
const mostBreaks = 100

// breaks returns how many line breaks a match of a tree holds at most, or -1.
func breaks(re *syntax.Regexp) int {
	if takesBreak(re) {
		return 1
	}
	n := 0
	for _, sub := range re.Sub {
		of := breaks(sub)
		switch {
		case of < 0:
			return -1
		case re.Op == syntax.OpAlternate:
			n = max(n, of)
		default:
			n += of
		}
	}
	times := 1
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus:
		times = mostBreaks + 1
	case syntax.OpRepeat:
		if times = re.Max; re.Max < 0 {
			times = mostBreaks + 1
		}
	}
	if n *= times; n > mostBreaks {
		return -1
	}
	return n
}
