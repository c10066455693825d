package patch

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/files/edit"
)

// The strategies by which a hunk without any old lines is placed; those of
// other hunks are Exact, Rtrim, Unicode and Indent of package edit.
const (
	AtLine edit.Strategy = "line" // by the line number of its header
	AtEnd  edit.Strategy = "end"  // behind the last line
)

// maxFuzz is how many lines of context may be dropped at either end of a hunk
// that is not found.
const maxFuzz = 2

// stages are the ways in which lines may compare equal, strict ones first.
var stages = []edit.Strategy{edit.Exact, edit.Rtrim, edit.Unicode, edit.Indent}

// finding is a hunk and the places that were found for it.
type finding struct {
	index    int
	hunk     *Hunk
	lines    []Line   // of the hunk, as they were read, without dropped context
	old      []string // those that must be in the file
	dropped  int      // lines of context dropped at the beginning
	fuzz     int      // most lines dropped at either end
	strategy edit.Strategy
	places   []int // lines, from 0, where old begins
	at       int   // the one of places that is meant; -1 while it is not known
	failed   *failure
}

// read are the lines of a hunk with carriage returns as the file's lines have
// them.
func read(h *Hunk, verbatim bool) []Line {
	lines := slices.Clone(h.Lines)
	if !verbatim {
		for i := range lines {
			lines[i].Text = strings.TrimSuffix(lines[i].Text, "\r")
		}
	}
	return lines
}

// readings are the ways in which lines may be meant: as they are marked, or
// with context that has lost the space before every line of it, or before those
// alone that still begin with one. lost tells that some certainly has.
func readings(lines []Line) (all [][]Line, lost bool) {
	every, some := slices.Clone(lines), slices.Clone(lines)
	changed := false
	for i, l := range lines {
		switch {
		case l.Op != Context:
		case l.Bare:
			lost = lost || strings.TrimSpace(l.Text) != ""
		default:
			changed = true
			every[i].Text = " " + l.Text
			if strings.HasPrefix(l.Text, " ") {
				some[i].Text = " " + l.Text
			}
		}
	}
	all = [][]Line{lines}
	if changed {
		all = append(all, every)
	}
	if changed && lost {
		all = append(all, some)
	}
	return all, lost
}

// side are the texts of the lines but for those of one kind.
func side(lines []Line, without Op) []string {
	texts := make([]string, 0, len(lines))
	for _, l := range lines {
		if l.Op != without {
			texts = append(texts, l.Text)
		}
	}
	return texts
}

// edges is how many lines of context a hunk begins and ends with.
func edges(lines []Line) (lead, tail int) {
	for lead < len(lines) && lines[lead].Op == Context {
		lead++
	}
	for tail < len(lines)-lead && lines[len(lines)-1-tail].Op == Context {
		tail++
	}
	return lead, tail
}

// search is where lines stand in the file.
func (t *target) search(block []string, s edit.Strategy) []int {
	if t.work < 0 || !t.mayHold(block, s) {
		return nil
	}
	t.work -= len(t.lines)
	return edit.FindLines(t.lines, block, s)
}

// mayHold reports whether all lines of a block are somewhere in the file, but
// for white space at their ends. That is worth finding out when there is much
// to look for.
func (t *target) mayHold(block []string, s edit.Strategy) bool {
	const often = 16
	if t.searches++; t.searches < often {
		return true
	}
	if t.present == nil {
		t.present = make(map[string]struct{})
		for _, l := range t.lines {
			t.present[strings.Trim(l, " \t")] = struct{}{}
			t.folds = t.folds || strings.ContainsFunc(l, func(r rune) bool { return r >= utf8.RuneSelf })
		}
		t.work -= len(t.lines)
	}
	for _, l := range block {
		if s == edit.Unicode && (t.folds || strings.ContainsFunc(l, func(r rune) bool { return r >= utf8.RuneSelf })) {
			return true // other characters may stand for these
		}
		if _, ok := t.present[strings.Trim(l, " \t")]; !ok {
			return false
		}
	}
	return true
}

// find looks for the places of a hunk: for all of its lines first, then without
// the outermost lines of its context. A line that the hunk removes is never
// left out.
func (t *target) find(index int, h *Hunk, verbatim, fuzzy bool) *finding {
	lines := read(h, verbatim)
	f := &finding{index: index, hunk: h, lines: lines, old: side(lines, Insert), at: -1}
	if len(f.old) == 0 {
		return f
	}
	ways, lost := readings(lines)
	stages := stages
	if lost { // what seems indented otherwise may be so for that reason alone
		stages = stages[:len(stages)-1]
	}
	for _, s := range stages {
		for _, lines := range ways {
			if places := t.search(side(lines, Insert), s); len(places) > 0 {
				f.lines, f.old, f.strategy, f.places = lines, side(lines, Insert), s, places
				return f
			}
		}
	}
	if fuzzy {
		for _, lines := range ways {
			if t.findFuzzy(f, lines, stages) {
				return f
			}
		}
	}
	return f
}

// findFuzzy drops as few lines of context as will do. At least one stays at an
// end that has any, and enough must be left to be no coincidence.
func (t *target) findFuzzy(f *finding, lines []Line, stages []edit.Strategy) bool {
	lead, tail := edges(lines)
	if lead == len(lines) {
		return false
	}
	lead, tail = min(maxFuzz, max(0, lead-1)), min(maxFuzz, max(0, tail-1))
	least := side(lines[lead:len(lines)-tail], Insert)
	if lead+tail == 0 || !edit.Telling(least...) {
		return false
	}
	for sum := 1; sum <= lead+tail; sum++ {
		for _, s := range stages {
			if sum == 1 && len(t.search(least, s)) == 0 {
				continue
			}
			found := false
			var starts []int // where the whole hunk would begin
			for head := max(0, sum-tail); head <= min(lead, sum); head++ {
				kept := lines[head : len(lines)-(sum-head)]
				old := side(kept, Insert)
				places := t.search(old, s)
				for _, p := range places {
					starts = append(starts, p-head)
				}
				if len(places) > 0 && !found {
					found = true
					f.lines, f.old, f.dropped, f.fuzz, f.strategy, f.places = kept, old, head, max(head, sum-head), s, places
				}
			}
			if found {
				slices.Sort(starts)
				if starts = slices.Compact(starts); len(starts) > 1 { // of several places, none is sure
					f.places = f.places[:0:0]
					for _, p := range starts {
						f.places = append(f.places, max(0, p+f.dropped))
					}
				}
				return true
			}
		}
	}
	return false
}

// span is what the hunk changes at a place: lines from 0, half open; an empty
// span inserts before its line.
func (f *finding) span(at int) (from, to int) {
	lead, tail := edges(f.lines)
	return at + lead, at + len(f.old) - tail
}

// expected is the line, from 0, that the hunk's header names for the first of
// its old lines.
func (f *finding) expected() int {
	if f.hunk.OldStart == 0 {
		return f.dropped
	}
	return f.hunk.OldStart - 1 + f.dropped
}

// offset is how far from its header's line the hunk is.
func (f *finding) offset() int {
	if !f.hunk.Numbered || f.at < 0 {
		return 0
	}
	if len(f.old) == 0 {
		return f.at - f.hunk.OldStart
	}
	return f.at - f.expected()
}
