package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/search/scan"
)

// mostTexts bounds how many texts a pattern is expected to hold one of, and
// mostExpanded how many characters of a class are told apart.
const (
	mostTexts    = 48
	mostExpanded = 8
	mostOthers   = 3
)

// need is what all matches of a part of a pattern have in common.
type need struct {
	// texts is, if whole, what a match can be altogether, and otherwise texts of
	// which each match holds one (none if nothing is known).
	texts []string
	whole bool
	fold  bool // ASCII letters of texts match in either case
	// loose says that more is needed for a match than the texts: an assertion
	// holds, or case matters in a part.
	loose bool
	exact bool
	// leads says that each match starts with one of the texts.
	leads bool
	// others are further texts of which each match holds one, where there is a
	// choice.
	others []need
}

// required finds the texts that are quickest to look for.
func required(re *syntax.Regexp) need {
	// The letters k and s have a third form outside ASCII. First they are taken
	// as they come, as ends of texts; if nothing good is left, as alternatives.
	best := extractor{}.best(re)
	if len(best.texts) == 0 || cost(best) > 0 && !best.exact {
		if other := (extractor{thirdForms: true}).best(re); len(other.texts) > 0 && (len(best.texts) == 0 || cost(other) < cost(best)) {
			best = other
		}
	}
	return best
}

type extractor struct{ thirdForms bool }

func (x extractor) best(re *syntax.Regexp) need {
	n := x.of(re)
	n.exact = n.whole && !n.loose
	n.leads = n.leads || n.whole
	if len(n.texts) == 0 || slices.Contains(n.texts, "") {
		return need{}
	}
	return n
}

func cost(n need) int {
	texts := make([][]byte, len(n.texts))
	for i, t := range n.texts {
		texts[i] = []byte(t)
	}
	return scan.Cost(texts, n.fold)
}

// empty is what matches the empty text alone.
func empty(loose bool) need { return need{texts: []string{""}, whole: true, loose: loose} }

func (x extractor) of(re *syntax.Regexp) need {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return empty(false)
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return empty(true)
	case syntax.OpLiteral:
		if re.Rune[0] >= assertion {
			return empty(true)
		}
		return x.char(re.Rune[0], re.Flags&syntax.FoldCase != 0)
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpCapture:
		return x.of(re.Sub[0])
	case syntax.OpQuest:
		n := x.of(re.Sub[0])
		if !n.whole {
			return need{}
		}
		return union(n, empty(false))
	case syntax.OpPlus:
		n := x.of(re.Sub[0])
		n.leads = n.leads || n.whole
		n.whole = false
		return n
	case syntax.OpConcat:
		return x.concat(re.Sub)
	case syntax.OpAlternate:
		all := x.of(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			all = union(all, x.of(sub))
		}
		return all
	}
	return need{}
}

func (x extractor) char(r rune, fold bool) need {
	if !fold {
		return need{texts: []string{string(r)}, whole: true}
	}
	n := need{whole: true}
	letter := false
	for f := r; ; {
		switch {
		case f < 0x80 && !letter:
			letter = true
			n.texts = append(n.texts, string(unicode.ToLower(f)))
			n.fold = true
		case f >= 0x80:
			n.texts = append(n.texts, string(f))
		}
		if f = unicode.SimpleFold(f); f == r {
			break
		}
	}
	if letter && len(n.texts) > 1 && !x.thirdForms {
		return need{}
	}
	return n
}

func class(set []rune) need {
	n := need{whole: true}
	for i := 0; i < len(set); i += 2 {
		for r := set[i]; r <= set[i+1]; r++ {
			if len(n.texts) == mostExpanded {
				return need{}
			}
			n.texts = append(n.texts, string(r))
		}
	}
	return n
}

// concat joins what neighbours are altogether as far as it stays small, and
// keeps the best of the runs that makes.
func (x extractor) concat(subs []*syntax.Regexp) need {
	var all []need
	broken := false // the runs are not all there is
	run := empty(false)
	keep := func(n need) {
		if len(n.texts) > 0 && !slices.Contains(n.texts, "") {
			all = append(all, n)
			all = append(all, n.others...)
			all[len(all)-1-len(n.others)].others = nil
		}
	}
	flush := func() {
		run.whole, run.leads = false, !broken
		keep(run)
		broken = true
		run = empty(false)
	}
	for _, sub := range subs {
		n := x.of(sub)
		if n.whole {
			joined, ok := cross(run, n)
			if !ok {
				flush()
				joined = n
			}
			run = joined
			continue
		}
		if sub.Op == syntax.OpPlus {
			// The first round of x+ ends this run and the last one starts the next.
			if inner := x.of(sub.Sub[0]); inner.whole {
				if joined, ok := cross(run, inner); ok {
					run = joined
				}
				flush()
				run = inner
				continue
			}
		}
		n.leads = n.leads && !broken && slices.Equal(run.texts, []string{""})
		flush()
		keep(n)
	}
	if !broken {
		return run
	}
	flush()
	if len(all) == 0 {
		return need{}
	}
	slices.SortStableFunc(all, func(a, b need) int { return cost(a) - cost(b) })
	best := all[0]
	best.others = all[1:min(len(all), 1+mostOthers)]
	return best
}

func cross(a, b need) (need, bool) {
	if len(a.texts)*len(b.texts) > mostTexts {
		return need{}, false
	}
	n := need{whole: true}
	merge(&n, a, b)
	for _, s := range a.texts {
		for _, t := range b.texts {
			n.texts = append(n.texts, s+t)
		}
	}
	return n, true
}

// merge joins how strictly two sets of texts are meant. Texts in which case
// matters lose that next to ones in which it does not.
func merge(n *need, a, b need) {
	n.fold = a.fold || b.fold
	n.loose = a.loose || b.loose || a.fold != b.fold && (letters(a) && !a.fold || letters(b) && !b.fold)
	if n.fold {
		a.texts, b.texts = lowered(a), lowered(b)
	}
}

func letters(n need) bool {
	return slices.ContainsFunc(n.texts, func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && unicode.IsLetter(r) })
	})
}

func lowered(n need) []string {
	for i, s := range n.texts {
		n.texts[i] = strings.Map(func(r rune) rune {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			return r
		}, s)
	}
	return n.texts
}

// union is what holds of a match of either part.
func union(a, b need) need {
	if len(a.texts) == 0 || len(b.texts) == 0 || len(a.texts)+len(b.texts) > mostTexts {
		return need{}
	}
	n := need{whole: a.whole && b.whole, leads: (a.leads || a.whole) && (b.leads || b.whole)}
	merge(&n, a, b)
	n.texts = slices.Concat(a.texts, b.texts)
	slices.Sort(n.texts)
	n.texts = slices.Compact(n.texts)
	return n
}
