package patch

import (
	"math"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/files/edit"
)

// choose decides which of its places every hunk means, beginning with what is
// certain. Numbers in an envelope, which has none, are invented: they choose nothing.
func (t *target) choose(all []*finding, d Dialect) {
	ordered := d != SearchReplace
	for _, f := range all {
		t.preferEnd(f)
		if len(f.places) == 1 {
			f.at = f.places[0]
		}
	}
	if ordered && !ascending(all) {
		ordered = false
	}
	each := func(rule func(int) bool) func() bool {
		return func() (decided bool) {
			for i, f := range all {
				if f.open() && rule(i) {
					decided = true
				}
			}
			return decided
		}
	}
	rules := []func() bool{
		func() bool { return ordered && inOrder(all) },
		each(func(i int) bool { return d != Envelope && byNumber(all, i) }),
		each(func(i int) bool { return t.byAnchor(all[i]) }),
	}
	// After every decision, begin again with the strictest rule.
	for slices.ContainsFunc(rules, func(rule func() bool) bool { return rule() }) {
	}
	for i, f := range all {
		if len(f.old) == 0 {
			t.placeInsertion(all, i)
		}
	}
	for i, f := range all {
		t.doubt(all, i, f)
	}
}

// preferEnd keeps only the places at the end of the file for a hunk that says it is
// there.
func (t *target) preferEnd(f *finding) {
	last := false
	for _, l := range f.lines {
		last = last || l.NoEOL
	}
	if !f.hunk.AtEnd && !last {
		return
	}
	var kept []int
	for _, p := range f.places {
		if end := p + len(f.old); end == len(t.lines) || f.hunk.AtEnd && t.blankFrom(end) {
			kept = append(kept, p)
		}
	}
	if len(kept) > 0 {
		f.places = kept
	}
}

// ascending reports whether the hunks whose places are known are in order.
func ascending(all []*finding) bool {
	end := 0
	for _, f := range all {
		if f.at < 0 {
			continue
		}
		from, to := f.span(f.at)
		if from < end {
			return false
		}
		end = to
	}
	return true
}

// neighbours returns the nearest hunks before and after one that have a place and fit.
func neighbours(all []*finding, i int, fits func(*finding) bool) (before, after *finding) {
	for _, f := range slices.Backward(all[:i]) {
		if f.at >= 0 && fits(f) {
			before = f
			break
		}
	}
	for _, f := range all[i+1:] {
		if f.at >= 0 && fits(f) {
			after = f
			break
		}
	}
	return before, after
}

// open reports whether a place remains to be chosen. Nothing is chosen among places
// that were found without all of the context or with other white space: those must be
// unique.
func (f *finding) open() bool { return f.at < 0 && len(f.places) > 1 && f.fuzz == 0 && !f.sole }

// left returns the places that may still be meant.
func (f *finding) left() []int {
	if f.at >= 0 {
		return []int{f.at}
	}
	return f.places
}

// inOrder drops places that leave no room for the hunks before and after.
func inOrder(all []*finding) (decided bool) {
	end := 0
	for _, f := range all {
		from := func(p int) bool { start, _ := f.span(p); return start >= end }
		if f.keep(from) {
			decided = true
		}
		if left := f.left(); slices.ContainsFunc(left, from) {
			_, end = f.span(left[slices.IndexFunc(left, from)])
		}
	}
	start := math.MaxInt
	for _, f := range slices.Backward(all) {
		before := func(p int) bool { _, end := f.span(p); return end <= start }
		if f.keep(before) {
			decided = true
		}
		for _, p := range slices.Backward(f.left()) {
			if before(p) {
				start, _ = f.span(p)
				break
			}
		}
	}
	return decided
}

// keep drops the places of an undecided hunk that do not fit, unless none does.
func (f *finding) keep(fits func(int) bool) (decided bool) {
	if !f.open() {
		return false
	}
	var kept []int
	for _, p := range f.places {
		if fits(p) {
			kept = append(kept, p)
		}
	}
	if len(kept) > 0 {
		f.places = kept
	}
	if len(kept) == 1 {
		f.at = kept[0]
		return true
	}
	return false
}

// drift returns how many lines the neighbours of a hunk are from where their headers
// say; 0 if there are none. ok says whether they agree.
func drift(all []*finding, i int) (lines int, ok bool) {
	before, after := neighbours(all, i, func(f *finding) bool { return f.hunk.Numbered && len(f.old) > 0 })
	switch {
	case before == nil && after == nil:
		return 0, true
	case before == nil:
		return after.offset(), true
	case after == nil || before.offset() == after.offset():
		return before.offset(), true
	}
	return 0, false
}

// byNumber chooses the place that the header names exactly.
func byNumber(all []*finding, i int) (decided bool) {
	f := all[i]
	if !f.hunk.Numbered {
		return false
	}
	lines, ok := drift(all, i)
	if want := f.expected() + lines; ok && slices.Contains(f.places, want) {
		f.at = want
		return true
	}
	return false
}

// region is the part of the file that belongs to an anchor: from the line that the
// anchor names to the beginning of the next block of that depth.
type region struct{ from, to int }

// regions returns the parts of the file that the anchors of a hunk name. Anchors
// that fit very many lines name none.
func (t *target) regions(anchors []string) []region {
	const most = 1000
	key := strings.Join(anchors, "\n")
	if known, ok := t.known[key]; ok {
		return known
	}
	all := []region{{0, len(t.lines)}}
	for _, a := range anchors {
		var inner []region
		for _, equal := range []func(line, anchor string) bool{
			func(l, a string) bool { return l == a },
			// git truncates the text; agents leave out the end of the line.
			strings.HasPrefix,
			func(l, a string) bool { return len(a) >= 4 && strings.Contains(l, a) },
		} {
			for _, r := range all {
				t.work -= r.to - r.from
				for i := r.from; i < r.to && t.work > 0 && len(inner) <= most; i++ {
					if equal(strings.TrimSpace(t.lines[i]), a) {
						inner = append(inner, region{i, min(r.to, t.blockEnd(i))})
					}
				}
			}
			if len(inner) > 0 {
				break
			}
		}
		if all = inner; len(all) > most {
			all = nil
		}
	}
	if t.known == nil {
		t.known = make(map[string][]region)
	}
	t.known[key] = all
	return all
}

// blockEnd returns the line that begins the next block after that of line i. It is
// not indented deeper and begins with a letter, "_" or "$", which is git's rule
// for the lines that "@@" names. Labels and words such as "else:" do not count.
func (t *target) blockEnd(i int) int {
	depth := edit.Depth(t.lines[i])
	for k := i + 1; k < len(t.lines) && t.work > 0; k++ {
		t.work--
		body := strings.TrimLeft(t.lines[k], " \t")
		if body == "" || edit.Depth(t.lines[k]) > depth {
			continue
		}
		c := body[0] | 0x20
		label := strings.IndexFunc(body, notWord) == len(strings.TrimRight(body, " \t:"))
		if (c >= 'a' && c <= 'z' || body[0] == '_' || body[0] == '$') && !label {
			return k
		}
	}
	return len(t.lines)
}

func notWord(r rune) bool {
	return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
}

// inside returns the places in one of the regions. The line that follows a region
// still counts: context may begin there.
func (f *finding) inside(all []region) []int {
	var kept []int
	for _, p := range f.places {
		if slices.ContainsFunc(all, func(r region) bool { return p >= r.from && p <= r.to }) {
			kept = append(kept, p)
		}
	}
	return kept
}

// byAnchor chooses the only place in the regions of the anchors.
func (t *target) byAnchor(f *finding) (decided bool) {
	if len(f.hunk.Anchors) == 0 {
		return false
	}
	if kept := f.inside(t.regions(f.hunk.Anchors)); len(kept) == 1 {
		f.at = kept[0]
		return true
	}
	return false
}

// placeInsertion finds the place of a hunk that has only new lines. Only the number
// in its header or the end of the file can name it.
func (t *target) placeInsertion(all []*finding, i int) {
	f := all[i]
	lines, agreed := drift(all, i)
	want := f.hunk.OldStart + lines
	switch {
	case len(t.lines) == 0:
		f.strategy, f.at = AtEnd, 0
	case !f.hunk.Numbered && len(f.hunk.Anchors) == 0, f.hunk.AtEnd:
		f.strategy, f.at = AtEnd, len(t.lines)
	case !f.hunk.Numbered, f.hunk.OldLines != 0, !agreed, want < 0, want > len(t.lines):
		return
	default:
		f.places = []int{want}
		if r := t.regions(f.hunk.Anchors); len(r) > 0 && len(f.inside(r)) == 0 {
			return // the header contradicts itself
		}
		f.strategy, f.at = AtLine, want
	}
}
