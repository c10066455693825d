package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/search/scan"
)

const (
	// mostTexts is the largest number of texts in a set.
	mostTexts = 48
	// mostExpanded is the largest number of characters in a class that is
	// replaced by its members.
	mostExpanded = 8
	// mostOthers is the largest number of alternatives to the best set.
	mostOthers = 3
)

// need holds literals that every match of a part of a pattern contains.
type need struct {
	// texts is a set of which each match holds one text; it is empty if none is
	// known. With complete, each match is equal to one of them.
	texts    []string
	complete bool
	fold     bool // ASCII letters of texts match in either case
	// loose says that a text is not enough for a match: an assertion must hold as
	// well, or case matters in a part of the text.
	loose bool
	exact bool
	// leads says that each match starts with one of the texts.
	leads bool
	// others are further sets of which each match holds one text.
	others []need
}

// required returns the texts that are fastest to search for.
func required(re *syntax.Regexp) need {
	// If case does not matter, the letters k and s have a third form, which is
	// beyond ASCII. First texts end at such a letter; if that leaves no good texts,
	// the third forms become alternatives.
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
	n.exact = n.complete && !n.loose
	n.leads = n.leads || n.complete
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

// empty returns the need of a part that matches only the empty text.
func empty(loose bool) need { return need{texts: []string{""}, complete: true, loose: loose} }

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
		if !n.complete {
			return need{}
		}
		return union(n, empty(false))
	case syntax.OpPlus:
		n := x.of(re.Sub[0])
		n.leads = n.leads || n.complete
		n.complete = false
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
		return need{texts: []string{string(r)}, complete: true}
	}
	n := need{complete: true}
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
	n := need{complete: true}
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

// concat joins the texts of neighbours into runs, as long as a run has few texts,
// and returns the best run.
func (x extractor) concat(subs []*syntax.Regexp) need {
	var all []need
	broken := false // the first run does not cover all of subs
	run := empty(false)
	keep := func(n need) {
		if len(n.texts) > 0 && !slices.Contains(n.texts, "") {
			all = append(all, n)
			all = append(all, n.others...)
			all[len(all)-1-len(n.others)].others = nil
		}
	}
	flush := func() {
		run.complete, run.leads = false, !broken
		keep(run)
		broken = true
		run = empty(false)
	}
	for _, sub := range subs {
		n := x.of(sub)
		if n.complete {
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
			if inner := x.of(sub.Sub[0]); inner.complete {
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

// cross returns every text of a followed by every text of b.
func cross(a, b need) (need, bool) {
	if len(a.texts)*len(b.texts) > mostTexts {
		return need{}, false
	}
	n := need{complete: true}
	merge(&n, a, b)
	for _, s := range a.texts {
		for _, t := range b.texts {
			n.texts = append(n.texts, s+t)
		}
	}
	return n, true
}

// merge sets how the texts of a and b match together. If case does not matter in
// one of them, it no longer matters in the other.
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

// union returns what matches of a and matches of b have in common.
func union(a, b need) need {
	if len(a.texts) == 0 || len(b.texts) == 0 || len(a.texts)+len(b.texts) > mostTexts {
		return need{}
	}
	n := need{complete: a.complete && b.complete, leads: (a.leads || a.complete) && (b.leads || b.complete)}
	merge(&n, a, b)
	n.texts = slices.Concat(a.texts, b.texts)
	slices.Sort(n.texts)
	n.texts = slices.Compact(n.texts)
	return n
}
