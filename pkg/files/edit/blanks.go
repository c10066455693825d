package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// These stages look for a text with fewer or more blank lines than the caller gave.

// findTrimmed looks for the block without blank lines at its ends, leaving out as
// few as possible. The indentation may differ, but only consistently.
func (d *document) findTrimmed(b *block) (hit, *fault.Error) {
	head, tail := 0, 0
	for head < len(b.o) && trim(b.o[head]) == "" {
		head++
	}
	for tail < len(b.o)-head && trim(b.o[len(b.o)-1-tail]) == "" {
		tail++
	}
	if head == len(b.o) {
		return hit{}, nil
	}
	const most = 12 // lines at either end
	for less := 1; less <= min(head, most)+min(tail, most); less++ {
		for first := max(0, less-min(tail, most)); first <= min(less, head, most); first++ {
			last := less - first
			n := dropBlank(b.n, first, last)
			h, err := d.findAs(rejoin(b, b.o[first:len(b.o)-last], n), lineStages[:3])
			if err != nil || len(h.places) > 0 {
				h.strategy = EdgeBlank
				return h, err
			}
		}
	}
	return hit{}, nil
}

// Trimmed returns an edit of lines without the blank ones at either end of the old
// lines, nor as many of the new ones. ok is false if there are none.
func Trimmed(old, new []string) (o, n []string, ok bool) {
	head, tail := 0, 0
	for head < len(old) && trim(old[head]) == "" {
		head++
	}
	for tail < len(old)-head && trim(old[len(old)-1-tail]) == "" {
		tail++
	}
	if head+tail == 0 || head == len(old) {
		return nil, nil, false
	}
	return old[head : len(old)-tail], dropBlank(new, head, tail), true
}

// dropBlank returns the lines without up to so many blank lines at either end.
func dropBlank(lines []string, first, last int) []string {
	for ; first > 0 && len(lines) > 0 && trim(lines[0]) == ""; first-- {
		lines = lines[1:]
	}
	for ; last > 0 && len(lines) > 0 && trim(lines[len(lines)-1]) == ""; last-- {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// findSpaced looks for the block with other blank lines between its lines. It must
// be there once.
func (d *document) findSpaced(b *block) (hit, *fault.Error) {
	r, found := Spaced(strings.Split(d.text, "\n"), b.o, b.n)
	if len(found) == 0 {
		return hit{}, nil
	}
	places := make([]place, len(found))
	for i, lines := range found {
		start, end := d.span(lines[0]+1, lines[1])
		places[i] = place{start: start, end: end, line: lines[0] + 1}
	}
	if len(places) > 1 {
		return hit{}, d.ambiguous(places)
	}
	return hit{block: rejoin(b, r.Old, r.New), strategy: BlankLines, how: r.Strategy, places: places}, nil
}

// Spaced looks for a block of lines in a file that has other blank lines between
// them. It returns where the lines are, from 0 and half open, at most two of the
// places. If there is one, the reading is the edit with the blank lines of the file:
// its old lines correspond to those of the place one by one, and its strategy says
// how they are alike.
func Spaced(file, old, new []string) (Reading, [][2]int) {
	o := withoutBlank(old)
	if len(o) < 2 || !Telling(o...) {
		return Reading{}, nil
	}
	f := withoutBlank(file)
	for _, s := range []Strategy{Rtrim, Indent} {
		starts := FindLines(f, o, s)
		if len(starts) == 0 {
			continue
		}
		at := filledAt(file)
		var found [][2]int
		for _, i := range starts[:min(len(starts), 2)] {
			found = append(found, [2]int{at[i], at[i+len(o)-1] + 1})
		}
		if len(found) > 1 {
			return Reading{}, found
		}
		r := Reading{Strategy: s}
		r.Old, r.New = respaced(file[found[0][0]:found[0][1]], old, new)
		return r, found
	}
	return Reading{}, nil
}

func withoutBlank(lines []string) []string {
	kept := make([]string, 0, len(lines))
	for _, l := range lines {
		if trim(l) != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// filledAt returns the indices of the lines that are not blank.
func filledAt(lines []string) []int {
	var at []int
	for i, l := range lines {
		if trim(l) != "" {
			at = append(at, i)
		}
	}
	return at
}

// gaps returns how many blank lines follow each line that is not blank.
func gaps(lines []string) []int {
	at := append(filledAt(lines), len(lines))
	all := make([]int, len(at)-1)
	for i := range all {
		all[i] = at[i+1] - at[i] - 1
	}
	return all
}

// respaced returns old and new lines with the blank lines of a file, whose other lines are
// the old ones. Changes of the number of blank lines that the edit itself makes are kept.
func respaced(file, old, new []string) (o, n []string) {
	o, n = withoutBlank(old), withoutBlank(new)
	is, was, now := gaps(file), gaps(old), gaps(new)
	added := make([]string, 0)
	if last := len(now) - 1; last >= 0 {
		// After the last line there is nothing to keep, as before the first; what the
		// edit itself adds there is.
		now[last] = max(0, now[last]-was[len(was)-1])
		for range filledAt(new)[0] - filledAt(old)[0] {
			added = append(added, "")
		}
	}
	was[len(was)-1] = 0
	changes := append(diff.Regions(mapped(o, rtrim), mapped(n, rtrim)), diff.Region{OldStart: len(o), OldEnd: len(o), NewStart: len(n), NewEnd: len(n)})
	i, j := 0, 0
	pair := func(i, j int) {
		if now[j] == was[i] {
			now[j] = is[i]
		}
	}
	for _, r := range changes {
		for ; i < r.OldStart; i, j = i+1, j+1 {
			pair(i, j)
		}
		switch {
		case r.OldEnd-r.OldStart == r.NewEnd-r.NewStart:
			for ; i < r.OldEnd; i, j = i+1, j+1 {
				pair(i, j)
			}
		case r.OldEnd > r.OldStart && r.NewEnd > r.NewStart:
			pair(r.OldEnd-1, r.NewEnd-1)
		}
		i, j = r.OldEnd, r.NewEnd
	}
	return spread(o, is), append(added, spread(n, now)...)
}

// spread returns lines with as many blank ones after each as gaps says.
func spread(lines []string, gaps []int) []string {
	var all []string
	for i, l := range lines {
		all = append(all, l)
		for range gaps[i] {
			all = append(all, "")
		}
	}
	return all
}
