package pattern

import (
	"slices"
	"unicode"
)

// runes is a set of characters: sorted, disjoint pairs of the first and the last
// character of a range, as in regexp/syntax.
type runes []rune

// normal returns s sorted and without overlaps.
func (s runes) normal() runes {
	type pair struct{ lo, hi rune }
	pairs := make([]pair, 0, len(s)/2)
	for i := 0; i < len(s); i += 2 {
		pairs = append(pairs, pair{s[i], s[i+1]})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return int(a.lo - b.lo) })
	out := make(runes, 0, len(s))
	for _, p := range pairs {
		if n := len(out); n > 0 && p.lo <= out[n-1]+1 {
			out[n-1] = max(out[n-1], p.hi)
			continue
		}
		out = append(out, p.lo, p.hi)
	}
	return out
}

func (s runes) negate() runes {
	out := make(runes, 0, len(s)+2)
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if s[i] > next {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

func (s runes) intersect(t runes) runes {
	var out runes
	for i, j := 0, 0; i < len(s) && j < len(t); {
		if lo, hi := max(s[i], t[j]), min(s[i+1], t[j+1]); lo <= hi {
			out = append(out, lo, hi)
		}
		if s[i+1] < t[j+1] {
			i += 2
		} else {
			j += 2
		}
	}
	return out
}

func (s runes) union(t runes) runes { return append(slices.Clone(s), t...).normal() }

func (s runes) without(t runes) runes { return s.intersect(t.negate()) }

func (s runes) has(r rune) bool {
	lo, hi := 0, len(s)/2
	for lo < hi {
		m := (lo + hi) / 2
		switch {
		case r < s[2*m]:
			hi = m
		case r > s[2*m+1]:
			lo = m + 1
		default:
			return true
		}
	}
	return false
}

// fold returns s with the other cases of every member.
func (s runes) fold() runes {
	out := slices.Clone(s)
	add := func(r rune) {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			out = append(out, f, f)
		}
	}
	count := 0
	for i := 0; i < len(s); i += 2 {
		count += int(s[i+1]-s[i]) + 1
	}
	if count <= 512 {
		for i := 0; i < len(s); i += 2 {
			for r := s[i]; r <= s[i+1]; r++ {
				add(r)
			}
		}
		return out.normal()
	}
	// In a large set, look only at characters that have cases.
	for _, c := range unicode.CaseRanges {
		for r := rune(c.Lo); r <= rune(c.Hi); r++ {
			if s.has(r) {
				add(r)
			}
		}
	}
	return out.normal()
}

// table returns the characters of tables.
func table(tables ...*unicode.RangeTable) runes {
	var out runes
	for _, t := range tables {
		for _, r := range t.R16 {
			out = stretch(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			out = stretch(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return out.normal()
}

// stretch appends the characters from lo to hi with a stride.
func stretch(out runes, lo, hi, stride rune) runes {
	if stride == 1 {
		return append(out, lo, hi)
	}
	for r := lo; r <= hi; r += stride {
		out = append(out, r, r)
	}
	return out
}

// uniform reports whether all characters of a range are members, or none is.
func (s runes) uniform(lo, hi rune) bool {
	i, j := 0, len(s)/2
	for i < j { // the first pair that does not end before lo
		m := (i + j) / 2
		if s[2*m+1] < lo {
			i = m + 1
		} else {
			j = m
		}
	}
	if 2*i == len(s) || s[2*i] > hi {
		return true
	}
	return s[2*i] <= lo && hi <= s[2*i+1]
}
