package edit

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// stale returns the fault of a place that has changed since it was shown, which is
// no fault of the caller's if the new text stands there now. others are the places
// that the old text has elsewhere.
func (d *document) stale(f shown.Location, new string, others []place) *fault.Error {
	lines := LineRange(f.Whole)
	if !f.Changed && !f.Reformatted {
		lines = LineRange{d.line(f.Now.Start), d.line(max(f.Now.Start, f.Now.End-1))}
	}
	if line, ok := d.has(new, f.Now); ok {
		return d.alreadyApplied(line, nil)
	}
	return d.changedSince(lines, f.Was, others)
}

// has returns the line at which a span of the file has a text as whole lines, except for
// white space around it.
func (d *document) has(new string, in shown.Span) (line int, ok bool) {
	new = strings.TrimSpace(new)
	if new == "" {
		return 0, false
	}
	now := d.text[in.Start:in.End]
	i := strings.Index(now, new)
	if !Telling(new) && new != strings.TrimSpace(now) {
		return 0, false
	}
	if i < 0 || trim(now[lineStart(now, i):i]) != "" || trim(now[i+len(new):lineEnd(now, i+len(new))]) != "" {
		return 0, false
	}
	return d.line(in.Start + i), true
}

// changedSince returns the fault of lines that have changed since they were shown,
// at the lines was. They come first in the details, as they are now.
func (d *document) changedSince(now LineRange, was shown.Lines, others []place) *fault.Error {
	what := fault.T("%s of %s changed after being read", now.Text(), d.path)
	f := &Failure{}
	if now.End < now.Start {
		what = fault.T("%s of %s, as they were read, have since been removed", LineRange(was).Text(), d.path)
		at := max(1, now.Start-1)
		now = LineRange{at, at}
	} else {
		c := d.candidate(1, d.sha(), now.Start, now.End, NewExcerpts())
		c.Score, c.Causes = 1, []string{causeDifferent}
		f.Candidates = []Candidate{c}
	}
	m := d.match(now.Start, now.End, 0, NewExcerpts())
	f.Current = &m
	hint := fault.T("details show the place as it is now; copy old_text from there, or read the file again")
	others = slices.DeleteFunc(slices.Clone(others), func(p place) bool { return now.Start <= p.line && p.line <= now.End })
	if len(others) > 0 {
		hint = fault.T("%s; old_text also stands at %s, which is another place: read it first if you mean it", hint, linesOf(others))
	}
	return fault.New(fault.Stale, what).WithHint(hint).WithDetails(f)
}

// wasAmbiguous returns the fault of a text that had several places when it was
// shown, of which some have changed.
func (d *document) wasAmbiguous(locations []shown.Location, places []place) *fault.Error {
	f := d.matches(places)
	lines := make([]int, 0, len(locations))
	for _, location := range locations {
		lines = append(lines, location.Was.Start)
		if (location.Changed || location.Reformatted) && f.Current == nil {
			now := LineRange(location.NowLines)
			m := d.match(max(1, min(now.Start, now.End)), max(1, now.End), 0, NewExcerpts())
			f.Current = &m
		}
	}
	lines = slices.Compact(slices.Sorted(slices.Values(lines)))
	return fault.New(fault.TextAmbiguous, fault.T("old_text stood at %s when %s was read, and now only at %s: which one is meant?", LinesText(lines), d.path, linesOf(places))).
		WithHint(fault.T("add a neighbouring line to old_text, or read the file again")).
		WithDetails(f)
}

// elsewhere returns the fault of a line_hint at which there is no match, unless the
// new text stands there.
func (d *document) elsewhere(places []place, new string, hint int) *fault.Error {
	if start, ok := d.offset(hint); ok {
		end := start
		for range strings.Count(strings.TrimSuffix(new, "\n"), "\n") + 1 {
			end = min(len(d.text), lineEnd(d.text, end)+1)
		}
		if line, ok := d.has(new, shown.Span{Start: start, End: end}); ok && line == hint {
			return d.alreadyApplied(line, nil)
		}
	}
	err := fault.New(fault.OutOfRange, fault.T("old_text is at %s, not at line_hint %d", linesOf(places), hint))
	if len(places) == 1 {
		err = err.WithHint(fault.T("leave line_hint out, or pass line_hint %d, if that is the place", places[0].line))
	} else {
		err = err.WithHint(fault.T("pass one of these lines as line_hint, or add a neighbouring line to old_text"))
	}
	return err.WithDetails(d.matches(places))
}
