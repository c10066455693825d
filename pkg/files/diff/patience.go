package diff

import "slices"

// maxDepth limits the recursion into stretches between lines that are unique on both sides.
const maxDepth = 16

// patience is Bram Cohen's patience diff of two lists. It strips what both lists
// begin and end with, splits the rest at elements that occur once on each side,
// and repeats this between them. It takes nearly linear time and need not find a
// longest common subsequence.
type patience struct {
	old, new         []int32      // elements as numbers; equal elements have the same
	seenOld, seenNew []seen       // by number; all zero between calls of anchors
	rest             func(Region) // takes what is left over
}

// seen counts the occurrences of an element in a stretch and holds the index of the last.
type seen struct{ count, at int32 }

// pair is the index of an old element and of its equal among the new ones.
type pair struct{ old, new int }

// comparePatience calls rest, in order, with the regions in which patience diff
// finds no element to split at. All that lies between them is equal.
func comparePatience(old, new []int32, different int, rest func(Region)) {
	p := patience{old: old, new: new, seenOld: make([]seen, different), seenNew: make([]seen, different), rest: rest}
	p.compare(Region{0, len(old), 0, len(new)}, 0)
}

// number replaces the elements of two lists by numbers, and returns how many
// different ones there are.
func number(old, new []string) (oldIDs, newIDs []int32, different int) {
	ids := make(map[string]int32, len(old))
	of := func(list []string) []int32 {
		out := make([]int32, len(list))
		for i, s := range list {
			id, known := ids[s]
			if !known {
				id = int32(len(ids))
				ids[s] = id
			}
			out[i] = id
		}
		return out
	}
	oldIDs, newIDs = of(old), of(new)
	return oldIDs, newIDs, len(ids)
}

func (p *patience) compare(r Region, depth int) {
	for r.OldStart < r.OldEnd && r.NewStart < r.NewEnd && p.old[r.OldStart] == p.new[r.NewStart] {
		r.OldStart++
		r.NewStart++
	}
	for r.OldStart < r.OldEnd && r.NewStart < r.NewEnd && p.old[r.OldEnd-1] == p.new[r.NewEnd-1] {
		r.OldEnd--
		r.NewEnd--
	}
	if r.OldStart == r.OldEnd && r.NewStart == r.NewEnd {
		return
	}
	var anchors []pair
	if depth < maxDepth && r.OldStart < r.OldEnd && r.NewStart < r.NewEnd {
		anchors = p.anchors(r)
	}
	if len(anchors) == 0 {
		p.rest(r)
		return
	}
	old, new := r.OldStart, r.NewStart
	for _, a := range anchors {
		p.compare(Region{old, a.old, new, a.new}, depth+1)
		old, new = a.old+1, a.new+1
	}
	p.compare(Region{old, r.OldEnd, new, r.NewEnd}, depth+1)
}

// anchors returns the elements that occur once on each side of a region: the
// longest selection that keeps the order of both sides.
func (p *patience) anchors(r Region) []pair {
	old, new := p.old[r.OldStart:r.OldEnd], p.new[r.NewStart:r.NewEnd]
	for _, id := range old {
		p.seenOld[id].count++
	}
	for i, id := range new {
		p.seenNew[id].count++
		p.seenNew[id].at = int32(i)
	}
	var unique []pair
	for i, id := range old {
		if p.seenOld[id].count == 1 && p.seenNew[id].count == 1 {
			unique = append(unique, pair{r.OldStart + i, r.NewStart + int(p.seenNew[id].at)})
		}
	}
	for _, id := range old {
		p.seenOld[id] = seen{}
	}
	for _, id := range new {
		p.seenNew[id] = seen{}
	}
	return increasing(unique)
}

// increasing returns a longest subsequence of pairs, which ascend in old, that
// ascends in new too. It is patience sorting with back links.
func increasing(pairs []pair) []pair {
	var tops []int // index of the pair on top of each pile
	back := make([]int, len(pairs))
	for i, p := range pairs {
		k, _ := slices.BinarySearchFunc(tops, p.new, func(top, new int) int { return pairs[top].new - new })
		back[i] = -1
		if k > 0 {
			back[i] = tops[k-1]
		}
		if k == len(tops) {
			tops = append(tops, i)
		} else {
			tops[k] = i
		}
	}
	if len(tops) == 0 {
		return nil
	}
	longest := make([]pair, len(tops))
	for k, i := len(tops)-1, tops[len(tops)-1]; k >= 0; k, i = k-1, back[i] {
		longest[k] = pairs[i]
	}
	return longest
}
