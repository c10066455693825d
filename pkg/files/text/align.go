package text

import "slices"

// alignWork is how often, on average, a line may be looked at in the search for
// anchors; whatever is not aligned by then counts as changed.
const alignWork = 32

// align pairs the lines of b with equal lines of a, in order: the result holds
// for each line of b its partner's index in a, or -1. It is patience diff (Bram
// Cohen): common ends first, then lines that are unique on both sides, then the
// same between those. It need not find a longest common subsequence, but takes
// nearly linear time, and whatever it pairs is equal.
func align(a, b []string) []int {
	pairs := make([]int, len(b))
	for i := range pairs {
		pairs[i] = -1
	}
	ids := make(map[string]int32, len(a))
	number := func(lines []string) []int32 {
		out := make([]int32, len(lines))
		for i, l := range lines {
			id, known := ids[l]
			if !known {
				id = int32(len(ids))
				ids[l] = id
			}
			out[i] = id
		}
		return out
	}
	al := aligner{a: number(a), b: number(b), pairs: pairs, work: alignWork * (len(a) + len(b))}
	al.seenA = make([]seen, len(ids))
	al.seenB = make([]seen, len(ids))
	al.stretch(0, len(a), 0, len(b))
	return pairs
}

type aligner struct {
	a, b         []int32
	pairs        []int
	seenA, seenB []seen // by the line's id; all zero between calls of anchors
	work         int    // lines that may still be looked at
}

// seen is how often a line occurs in a stretch, and where it did last.
type seen struct{ count, at int32 }

func (al *aligner) stretch(aLo, aHi, bLo, bHi int) {
	for aLo < aHi && bLo < bHi && al.a[aLo] == al.b[bLo] {
		al.pairs[bLo] = aLo
		aLo, bLo = aLo+1, bLo+1
	}
	for aLo < aHi && bLo < bHi && al.a[aHi-1] == al.b[bHi-1] {
		aHi, bHi = aHi-1, bHi-1
		al.pairs[bHi] = aHi
	}
	al.work -= aHi - aLo + bHi - bLo
	if aLo == aHi || bLo == bHi || al.work < 0 {
		return
	}
	anchors := al.anchors(aLo, aHi, bLo, bHi)
	for _, m := range anchors {
		al.stretch(aLo, m.a, bLo, m.b)
		al.pairs[m.b] = m.a
		aLo, bLo = m.a+1, m.b+1
	}
	if len(anchors) > 0 {
		al.stretch(aLo, aHi, bLo, bHi)
	}
}

type match struct{ a, b int }

// anchors are the lines that occur once on each side, in the longest selection
// that keeps both orders.
func (al *aligner) anchors(aLo, aHi, bLo, bHi int) []match {
	for i := aLo; i < aHi; i++ {
		s := &al.seenA[al.a[i]]
		s.count++
		s.at = int32(i)
	}
	for i := bLo; i < bHi; i++ {
		al.seenB[al.b[i]].count++
	}
	var unique []match
	for i := bLo; i < bHi; i++ {
		id := al.b[i]
		if al.seenA[id].count == 1 && al.seenB[id].count == 1 {
			unique = append(unique, match{int(al.seenA[id].at), i})
		}
	}
	for i := aLo; i < aHi; i++ {
		al.seenA[al.a[i]] = seen{}
	}
	for i := bLo; i < bHi; i++ {
		al.seenB[al.b[i]] = seen{}
	}
	return increasing(unique)
}

// increasing is a longest subsequence of ms, which ascends in b, that ascends in
// a too: patience sorting with back links.
func increasing(ms []match) []match {
	var tops []int // index of the match on top of each pile
	back := make([]int, len(ms))
	for i, m := range ms {
		at, _ := slices.BinarySearchFunc(tops, m.a, func(top, a int) int { return ms[top].a - a })
		back[i] = -1
		if at > 0 {
			back[i] = tops[at-1]
		}
		if at == len(tops) {
			tops = append(tops, i)
		} else {
			tops[at] = i
		}
	}
	out := make([]match, len(tops))
	if len(tops) == 0 {
		return out
	}
	for n, i := len(tops)-1, tops[len(tops)-1]; n >= 0; n, i = n-1, back[i] {
		out[n] = ms[i]
	}
	return out
}
