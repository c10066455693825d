package charset

import (
	"math"
	"unicode/utf8"
)

// Costs that do not depend on the language: negative natural logarithms of the
// likelihood. They are estimates.
const (
	costBroken  = 16
	costForeign = 12  // a letter that the language lacks
	costBegins  = 2   // the beginning of a word beyond ASCII: code has fewer than prose
	costEnds    = 0.8 // ASCII other than a letter after a mark or a foreign letter
	costLetter  = 4.2 // a certain letter there
)

// language holds the costs of pairs of letters in a language: the rarer a pair, the
// higher its cost.
//
// Characters fall into classes. Class 0 is everything but letters. Then come the
// ASCII letters, a class each in a sparse language and otherwise one class for all,
// then letters in their order. The table pairs has the cost of each of letters after
// each class, letter by letter, and then the cost of each class of ASCII after each
// of letters, letter by letter. A cost is written in quarters above '#'.
type language struct {
	sparse  bool // most letters are ASCII
	letters string
	pairs   string
}

// foreign is the class of letters that the language lacks.
const foreign = 255

// first returns the class of the first of letters.
func (l *language) first() int {
	if l.sparse {
		return 27
	}
	return 2
}

// classes returns the classes of the bytes in a view.
func (l *language) classes(v *view) *[256]uint8 {
	var classes [256]uint8
	for c := range v {
		switch ch := &v[c]; {
		case !ch.kind.letter():
		case c < 0x80 && l.sparse:
			classes[c] = uint8(c|0x20-'a') + 1
		case c < 0x80:
			classes[c] = 1
		default:
			classes[c] = foreign
			at := l.first()
			for _, letter := range l.letters {
				if letter == ch.fold {
					classes[c] = uint8(at)
					break
				}
				at++
			}
		}
	}
	return &classes
}

// cost returns the cost of pairs with a letter, or infinity if it exceeds limit.
func (l *language) cost(v *view, pairs []pair, limit float64) float64 {
	classes := l.classes(v)
	first, letters := l.first(), utf8.RuneCountInString(l.letters)
	all := first + letters
	total := 0.0
	for _, p := range pairs {
		prev, cur := int(classes[p.prev]), int(classes[p.cur])
		cost := caseCost(v[p.prev].kind, v[p.cur].kind)
		switch {
		case cur == foreign:
			cost += costForeign
		case prev == foreign && cur == 0:
			cost += costEnds
		case prev == foreign:
			cost += costLetter
		case cur >= first:
			cost += float64(l.pairs[(cur-first)*all+prev]-'#') / 4
			if prev == 0 && !l.sparse {
				cost += costBegins
			}
		default:
			cost += float64(l.pairs[letters*all+(prev-first)*first+cur]-'#') / 4
			if cur == 1 && !l.sparse {
				cost += 3 // which of the 26
			}
		}
		if total += float64(p.n) * cost; total > limit {
			return math.Inf(1)
		}
	}
	return total
}

// caseCost returns the cost of a small or capital letter after another.
func caseCost(prev, cur kind) float64 {
	switch {
	case !cur.letter(), prev == small && cur == small:
		return 0
	case prev == small:
		return 6
	case prev == capital && cur == small:
		return 0.5
	case prev == capital:
		return 0.9
	case cur == small:
		return 0.35
	}
	return 1.2
}
