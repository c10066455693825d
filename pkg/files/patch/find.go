package patch

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// The strategies by which a hunk without old lines is placed. Those of other hunks
// are Exact, Rtrim, Unicode and Indent of package edit.
const (
	AtLine edit.Strategy = "line" // by the line number of its header
	AtEnd  edit.Strategy = "end"  // after the last line
)

// maxFuzz limits the lines of context that may be dropped at either end of a hunk that is
// not found.
const maxFuzz = 2

// stages are the strategies by which lines are compared, strict ones first.
var stages = []edit.Strategy{edit.Exact, edit.Rtrim, edit.Unicode, edit.Indent}

// finding is a hunk with the places that were found for it.
type finding struct {
	index    int
	hunk     *Hunk
	lines    []Line   // of the hunk, in the reading that matched, without dropped context
	old      []string // the lines that must be in the file
	dropped  int      // lines of context dropped at the beginning
	fuzz     int      // most lines dropped at either end
	strategy edit.Strategy
	alike    edit.Strategy // how old and the file's lines are alike, if strategy does not say it
	sole     bool          // it must have a single place
	places   []int         // lines, from 0, where old begins
	at       int           // the place that is meant; -1 until it is known
	failed   *failure
}

// read returns the lines of a hunk with carriage returns as the lines of the file
// have them.
func read(h *Hunk, verbatim bool) []Line {
	lines := slices.Clone(h.Lines)
	if !verbatim {
		for i := range lines {
			lines[i].Text = strings.TrimSuffix(lines[i].Text, "\r")
		}
	}
	return lines
}

// readings returns the ways to read lines: as they are marked, with the leading
// space of all context lost, or with it lost only in lines that still begin with
// a space. lost says that some lines have certainly lost it.
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

// side returns the texts of the lines, without those of one kind.
func side(lines []Line, without Op) []string {
	texts := make([]string, 0, len(lines))
	for _, l := range lines {
		if l.Op != without {
			texts = append(texts, l.Text)
		}
	}
	return texts
}

// edges returns how many lines of context a hunk begins and ends with.
func edges(lines []Line) (lead, tail int) {
	for lead < len(lines) && lines[lead].Op == Context {
		lead++
	}
	for tail < len(lines)-lead && lines[len(lines)-1-tail].Op == Context {
		tail++
	}
	return lead, tail
}

// search returns where a block of lines is in the file.
func (t *target) search(block []string, s edit.Strategy) []int {
	if t.work < 0 || !t.mayHold(block, s) {
		return nil
	}
	t.work -= len(t.lines)
	return edit.FindLines(t.lines, block, s)
}

// mayHold reports whether the file has every line of a block, ignoring white space. It
// returns true without checking until there have been several searches.
func (t *target) mayHold(block []string, s edit.Strategy) bool {
	const often = 16
	if t.searches++; t.searches < often {
		return true
	}
	if t.present == nil {
		t.present = make(map[string]struct{})
		for _, l := range t.lines {
			t.present[spacedOnce(l)] = struct{}{}
			t.folds = t.folds || strings.ContainsFunc(l, func(r rune) bool { return r >= utf8.RuneSelf })
		}
		t.work -= len(t.lines)
	}
	for _, l := range block {
		if s == edit.Unicode && (t.folds || strings.ContainsFunc(l, func(r rune) bool { return r >= utf8.RuneSelf })) {
			return true // the file may have other characters for these
		}
		if _, ok := t.present[spacedOnce(l)]; !ok {
			return false
		}
	}
	return true
}

// spacedOnce returns the words of a line with one space between them.
func spacedOnce(line string) string { return strings.Join(strings.Fields(line), " ") }

// find finds the places of a hunk: with all of its lines, then without the outermost
// lines of context, then as it reads without what was copied along. A line that the
// hunk removes is never dropped.
func (t *target) find(index int, h *Hunk, verbatim, fuzzy bool) *finding {
	lines := read(h, verbatim)
	f := &finding{index: index, hunk: h, lines: lines, old: side(lines, Insert), at: -1}
	if len(f.old) == 0 {
		return f
	}
	ways, lost := readings(lines)
	stages := stages
	if lost { // a lost space looks like another indentation
		stages = stages[:len(stages)-1]
	}
	for _, s := range stages {
		for _, lines := range ways {
			if places := t.search(side(lines, Insert), s); len(places) > 0 {
				f.take(lines, s, places)
				return f
			}
		}
	}
	if !lost && t.findLoose(f, lines) {
		return f
	}
	if fuzzy {
		for _, lines := range ways {
			if t.findFuzzy(f, lines, stages) {
				return f
			}
		}
	}
	if t.findTabbed(f, lines) || !lost && t.findSpaced(f, lines) || t.findRead(f, lines) || !h.Dashes || len(f.old) < 2 {
		return f
	}
	rest := *h
	i := slices.IndexFunc(h.Lines, func(l Line) bool { return l.Op != Insert })
	rest.Dashes, rest.Lines = false, slices.Delete(slices.Clone(h.Lines), i, i+1)
	g := t.find(index, &rest, verbatim, fuzzy)
	g.hunk = h
	return g
}

// take records what was found.
func (f *finding) take(lines []Line, s edit.Strategy, places []int) {
	f.lines, f.old, f.strategy, f.places = lines, side(lines, Insert), s, places
}

// findLoose finds the lines with other white space.
func (t *target) findLoose(f *finding, lines []Line) bool {
	old := side(lines, Insert)
	if t.work < 0 || !t.mayHold(old, edit.Whitespace) {
		return false
	}
	t.work -= 2 * len(t.lines)
	s, places := edit.FindLoose(t.path, t.lines, old)
	if len(places) > 0 {
		f.take(lines, s, places)
		f.sole = true
	}
	return len(places) > 0
}

// findSpaced finds the lines with other blank lines between or around them.
func (t *target) findSpaced(f *finding, lines []Line) bool {
	old, new := side(lines, Insert), side(lines, Remove)
	if o, n, ok := edit.Trimmed(old, new); ok {
		for _, s := range stages {
			if places := t.search(o, s); len(places) > 0 {
				f.take(compared(o, n), edit.EdgeBlank, places)
				f.alike, f.sole = s, true
				return true
			}
		}
	}
	filled := slices.DeleteFunc(slices.Clone(old), func(l string) bool { return strings.TrimSpace(l) == "" })
	if t.work < 0 || !t.mayHold(filled, edit.Indent) {
		return false
	}
	t.work -= 4 * len(t.lines)
	r, found := edit.Spaced(t.lines, old, new)
	if len(found) == 0 {
		return false
	}
	if len(found) == 1 {
		f.take(compared(r.Old, r.New), edit.BlankLines, nil)
		f.alike = r.Strategy
	}
	for _, lines := range found {
		f.places = append(f.places, lines[0])
	}
	f.sole = true
	return true
}

// findTabbed finds lines that are indented with the escapes of tabs, of which the file has
// none there. They must be there exactly, and once.
func (t *target) findTabbed(f *finding, lines []Line) bool {
	const escape = `\t`
	indented := func(l string) bool { return strings.HasPrefix(l, escape) }
	if !slices.ContainsFunc(f.old, indented) || slices.ContainsFunc(t.lines, func(l string) bool { return indented(strings.TrimSpace(l)) }) {
		return false
	}
	tabbed := slices.Clone(lines)
	for i, l := range tabbed {
		rest := l.Text
		for indented(rest) {
			rest = rest[len(escape):]
		}
		tabbed[i].Text = strings.Repeat("\t", (len(l.Text)-len(rest))/len(escape)) + rest
	}
	places := t.search(side(tabbed, Insert), edit.Exact)
	if len(places) != 1 {
		return false
	}
	f.take(tabbed, edit.Unescape, places)
	f.alike = edit.Exact
	return true
}

// findRead finds the lines without line numbers, escapes, entities or quotation
// marks. They must be there exactly, and once.
func (t *target) findRead(f *finding, lines []Line) bool {
	for _, r := range edit.Readings(t.src, side(lines, Insert), side(lines, Remove)) {
		if r.Unsure || !edit.Telling(r.Old...) {
			continue
		}
		if places := t.search(r.Old, edit.Exact); len(places) == 1 {
			f.take(compared(r.Old, r.New), r.Strategy, places)
			f.alike = edit.Exact
			return true
		}
	}
	return false
}

// compared returns the lines of a hunk that makes new lines of old ones.
func compared(old, new []string) []Line {
	var lines []Line
	i, j := 0, 0
	for _, r := range append(diff.Regions(old, new), diff.Region{OldStart: len(old), OldEnd: len(old), NewEnd: len(new), NewStart: len(new)}) {
		for ; i < r.OldStart; i, j = i+1, j+1 {
			lines = append(lines, Line{Op: Context, Text: old[i]})
		}
		for ; i < r.OldEnd; i++ {
			lines = append(lines, Line{Op: Remove, Text: old[i]})
		}
		for ; j < r.NewEnd; j++ {
			lines = append(lines, Line{Op: Insert, Text: new[j]})
		}
	}
	return lines
}

// findFuzzy drops as few lines of context as possible. At least one stays at an end
// that has any, and what is left must be telling.
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
				if starts = slices.Compact(starts); len(starts) > 1 { // none of several places is certain
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

// comparison returns how the old lines and those of the file are alike.
func (f *finding) comparison() edit.Strategy {
	if f.alike != "" {
		return f.alike
	}
	return f.strategy
}

// span returns the lines that the hunk changes at a place, from 0 and half open. An
// empty span inserts before its line.
func (f *finding) span(at int) (from, to int) {
	lead, tail := edges(f.lines)
	return at + lead, at + len(f.old) - tail
}

// expected returns the line, from 0, that the header names for the first old line.
func (f *finding) expected() int {
	if f.hunk.OldStart == 0 {
		return f.dropped
	}
	return f.hunk.OldStart - 1 + f.dropped
}

// offset returns how many lines the hunk is from where its header says.
func (f *finding) offset() int {
	if !f.hunk.Numbered || f.at < 0 {
		return 0
	}
	if len(f.old) == 0 {
		return f.at - f.hunk.OldStart
	}
	return f.at - f.expected()
}
