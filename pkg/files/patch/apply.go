package patch

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// Result is a text after a patch.
type Result struct {
	Text string
	// Hunks says where the hunks were placed, in their order. It is empty for a file
	// that is added or deleted.
	Hunks          []Applied
	Splices        []diff.Splice // what changed, as bytes of the original
	Added, Removed int           // lines
}

// Applied is the place of one hunk.
type Applied struct {
	Index    int            `json:"index"` // from 0
	Strategy edit.Strategy  `json:"strategy"`
	Offset   int            `json:"offset"` // lines from where its header says; 0 if it does not say
	Fuzz     int            `json:"fuzz"`   // most lines of context dropped at either end
	Old      edit.LineRange `json:"old"`    // lines it changes, in the original
	New      edit.LineRange `json:"new"`    // the same in the new text
}

// Apply makes all changes of f in src or none. For a copy, src is the text of the
// original; for a new file it is the text that the new file replaces, or "".
// Bytes outside of the changed lines stay as they are. New lines end as their
// neighbours do.
//
// The error is a *fault.Error: hunk_not_found, hunk_ambiguous, already_applied,
// overlap, no_change, indent_ambiguous or too_large. It reports every hunk that
// failed. Its details are [Failures].
func Apply(src string, f File) (Result, error) {
	switch {
	case f.Action == Add && f.From == "":
		return whole(src, content(f.Hunks)), nil
	case f.Action == Delete && len(f.Hunks) == 0:
		return whole(src, ""), nil
	case len(f.Hunks) == 0:
		return Result{Text: src}, nil
	}
	verbatim := verbatim(src, f.Hunks)
	r, _, err := newTarget(src, f.Path, verbatim).apply(f, verbatim)
	if fault.Is(err, fault.HunkNotFound) && !verbatim {
		f.Hunks = slices.Clone(f.Hunks)
		if r, ok := applyLone(src, f); ok {
			return r, nil
		}
	}
	return r, err
}

// apply makes the changes of f in the target. It also returns where its hunks are.
func (t *target) apply(f File, verbatim bool) (Result, []*finding, error) {
	unchanged := Result{Text: t.src}
	all := make([]*finding, len(f.Hunks))
	for i := range f.Hunks {
		all[i] = t.find(i, &f.Hunks[i], verbatim, f.Dialect != SearchReplace)
	}
	t.choose(all, f.Dialect)
	runs := t.place(all, verbatim)
	if t.work < 0 {
		return unchanged, nil, tooMuchWork(f.Path)
	}
	if err := report(t, all); err != nil {
		return unchanged, nil, err
	}
	r := t.result(all, runs)
	if f.Action == Delete && r.Text != "" {
		return unchanged, nil, t.more(r.Text)
	}
	if len(r.Splices) == 0 && f.Action == Modify && f.Mode == nil {
		return unchanged, nil, noChange(f.Path)
	}
	return r, all, nil
}

// content returns the text of a new file.
func content(hunks []Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		for _, l := range h.Lines {
			b.WriteString(l.Text)
			if !l.NoEOL {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// whole returns the result of replacing the complete text.
func whole(src, text string) Result {
	r := Result{Text: text, Added: diff.CountLines(text), Removed: diff.CountLines(src)}
	if src != text {
		r.Splices = []diff.Splice{{End: len(src), Text: text}}
	}
	return r
}

// run is a range of lines that a hunk replaces.
type run struct {
	of       *finding
	from, to int      // lines of the file, from 0
	lines    []string // the replacement, with endings
}

// place returns what the hunks replace, in the order of the file. Failures are
// recorded in the findings.
func (t *target) place(all []*finding, verbatim bool) []run {
	var runs []run
	for _, f := range all {
		switch {
		case f.failed != nil:
		case f.at < 0 && len(f.places) > 0:
			f.failed = t.ambiguous(f)
		case f.at < 0:
			if line, ok := t.appliedAt(f, verbatim); ok {
				f.failed = t.applied(line)
			} else {
				f.failed = t.notFound(f)
			}
		case t.appliedAround(f):
			f.failed = t.applied(f.at)
		default:
			made, err := t.runs(f)
			if err != nil {
				f.failed = &failure{err: fault.As(err), line: f.at}
			}
			runs = append(runs, made...)
		}
	}
	slices.SortStableFunc(runs, func(a, b run) int { return a.from - b.from })
	for i := 1; i < len(runs); i++ {
		a, b := runs[i-1], runs[i]
		appended := a.of.strategy == AtEnd && b.of.strategy == AtEnd
		if a.of != b.of && (b.from < a.to || a.from == b.from && !appended) && b.of.failed == nil {
			b.of.failed = t.overlap(a.of, b.of)
		}
	}
	return runs
}

// runs returns what one hunk replaces.
func (t *target) runs(f *finding) ([]run, error) {
	file := t.lines[f.at : f.at+len(f.old)]
	changes := regionsOf(f.lines)
	now, err := edit.Rewrite(f.comparison(), f.old, file, side(f.lines, Remove), changes, t.src)
	if err != nil {
		return nil, err
	}
	var runs []run
	for _, c := range changes {
		r := run{of: f, from: f.at + c.OldStart, to: f.at + c.OldEnd}
		ending := t.nearby(r.from)
		for k, text := range now[c.NewStart:c.NewEnd] {
			if i := r.from + k; i < r.to && t.eol(i) != "" {
				ending = t.eol(i)
			}
			r.lines = append(r.lines, text+ending)
		}
		if n := len(r.lines); r.to == len(t.lines) && n > 0 {
			if last := now[c.NewEnd-1]; last != "" && !t.endsAfter(f) { // an empty line consists of its ending
				r.lines[n-1] = last
			}
			if r.from == len(t.lines) && !t.ended() { // the last line gets an ending
				r.from--
				r.lines = slices.Insert(r.lines, 0, t.lines[r.from]+ending)
			}
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// endsAfter reports whether the new text ends in a line ending. It does as before,
// unless the hunk says that this changes.
func (t *target) endsAfter(f *finding) bool {
	before, after := true, true
	for _, l := range f.lines {
		if l.Op != Insert {
			before = !l.NoEOL
		}
		if l.Op != Remove {
			after = !l.NoEOL
		}
	}
	if before != after || len(t.lines) == 0 {
		return after
	}
	return t.ended()
}

// regionsOf returns the ranges of a hunk that change, as indices of its old and its
// new lines.
func regionsOf(lines []Line) []diff.Region {
	var all []diff.Region
	i, j := 0, 0
	open := false
	for _, l := range lines {
		if l.Op == Context {
			i, j, open = i+1, j+1, false
			continue
		}
		if !open {
			all, open = append(all, diff.Region{OldStart: i, OldEnd: i, NewStart: j, NewEnd: j}), true
		}
		last := &all[len(all)-1]
		if l.Op == Remove {
			i++
			last.OldEnd = i
		} else {
			j++
			last.NewEnd = j
		}
	}
	return all
}

// result returns the text with the runs replaced.
func (t *target) result(all []*finding, runs []run) Result {
	var r Result
	var b strings.Builder
	grown := make(map[*finding]int) // lines by which the text before a hunk grows
	at, delta := 0, 0
	type extent struct{ from, to, lines int }
	extents := make(map[*finding]*extent)
	for _, u := range runs {
		e := extents[u.of]
		if e == nil {
			e = &extent{from: u.from}
			extents[u.of], grown[u.of] = e, delta
		}
		e.to = u.to
		e.lines += len(u.lines) - (u.to - u.from)
		delta += len(u.lines) - (u.to - u.from)
		for _, s := range t.splices(u) {
			b.WriteString(t.src[at:s.Start])
			b.WriteString(s.Text)
			at = s.End
			r.Splices = append(r.Splices, s)
			r.Added += len(lines(s.Text))
			r.Removed += len(lines(t.src[s.Start:s.End]))
		}
	}
	b.WriteString(t.src[at:])
	r.Text = b.String()
	for _, f := range all {
		a := Applied{Index: f.index, Strategy: f.strategy, Offset: f.offset(), Fuzz: f.fuzz}
		from, _ := f.span(f.at)
		to, n := from, 0 // the hunk changes nothing
		if e := extents[f]; e != nil {
			from, to = e.from, e.to
			n = to - from + e.lines
		}
		a.Old = edit.LineRange{Start: from + 1, End: to}
		a.New = edit.LineRange{Start: from + 1 + grown[f], End: from + grown[f] + n}
		r.Hunks = append(r.Hunks, a)
	}
	return r
}

// splices returns the bytes that a run changes, in whole lines.
func (t *target) splices(u run) []diff.Splice {
	old := make([]string, u.to-u.from)
	for i := range old {
		old[i] = t.src[t.starts[u.from+i]:t.starts[u.from+i+1]]
	}
	var all []diff.Splice
	for _, c := range diff.Regions(old, u.lines) {
		all = append(all, diff.Splice{
			Start: t.starts[u.from+c.OldStart], End: t.starts[u.from+c.OldEnd],
			Text: strings.Join(u.lines[c.NewStart:c.NewEnd], ""),
		})
	}
	return all
}

// lines splits a text after every line ending, which is "\r" only if there is no
// "\n".
func lines(s string) []string {
	sep := "\n"
	if !strings.Contains(s, "\n") {
		sep = "\r"
	}
	all := strings.SplitAfter(s, sep)
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}
