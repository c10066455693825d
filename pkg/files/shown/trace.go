package shown

import (
	"slices"
	"sort"
	"strings"

	"github.com/helve-dev/helve/pkg/files/diff"
)

const (
	maxTraced   = 200 // places of one version that are traced
	maxCompared = 400 // lines of a change that are compared by their layout
)

// Span is a range of bytes, half open.
type Span struct{ Start, End int }

// Location is the present location of a place that was shown.
type Location struct {
	Version int   // the number of the version, from 0, the newest
	Nth     int   // which of the places in its version, from 1
	Was     Lines // in its version
	Now     Span  // in the present; whole lines if Changed or Reformatted
	// Changed says that the lines of the place have gone or differ in more than their
	// layout, Reformatted that they differ in their layout only. In both cases NowLines
	// are the lines of the present.
	Changed, Reformatted bool
	NowLines             Lines
	// Whole are NowLines with the unchanged lines of the place before and after them.
	Whole Lines

	aside bool // of an error
	lines Span // Now before a change was found to be taken back
}

// Trace returns the present location of every place that find finds in the versions that
// were shown, in their order. Places in lines that were not shown do not count, nor do
// places that have changed since and were shown again after that. The same place of the
// present is listed once: as it is in the version in which it has not changed, if there is
// one, as a change may have been taken back.
func (r *Record) Trace(find func(text string) []Span) []Location {
	if r == nil {
		return nil
	}
	all := r.trace(find)
	if !slices.ContainsFunc(all, func(f Location) bool { return f.Changed }) {
		return r.apart(all)
	}
	back := slices.DeleteFunc(slices.Concat(all, r.past().trace(find)), func(f Location) bool {
		return f.Changed || f.Reformatted || f.aside && !wholeLines(r.now, f.Now)
	})
	for i := range all {
		if f := &all[i]; f.Changed {
			f.restore(back, all)
		}
	}
	return r.apart(all)
}

// trace returns the location of every place, in all versions.
func (r *Record) trace(find func(text string) []Span) []Location {
	if r == nil {
		return nil
	}
	var all []Location
	for i, v := range r.versions {
		line, at := 1, 0
		for k, s := range find(v.Text) {
			if k == maxTraced {
				break
			}
			line += strings.Count(v.Text[at:s.Start], "\n")
			at = s.Start
			was := Lines{line, line + strings.Count(strings.TrimSuffix(v.Text[s.Start:s.End], "\n"), "\n")}
			if !v.shows(was) {
				continue
			}
			f := v.locate(r.now, s)
			f.Version, f.Nth, f.Was, f.aside = i, k+1, was, v.Aside
			if !f.Changed || !r.seenSince(i, f.NowLines) {
				all = append(all, f)
			}
		}
	}
	return all
}

// apart returns locations without those of a place that is listed already.
func (r *Record) apart(all []Location) []Location {
	var kept []Location
	for _, f := range all {
		if f.aside && !f.Changed && slices.ContainsFunc(all, func(o Location) bool { return o.Changed && overlap(o, f) }) {
			continue // of a change the caller has taken no notice
		}
		if !slices.ContainsFunc(kept, func(k Location) bool {
			return k.Changed == f.Changed && overlap(k, f) && (!f.Changed || k.Now == f.Now)
		}) {
			kept = append(kept, f)
		}
	}
	return kept
}

func overlap(a, b Location) bool {
	return a.Now.Start < b.Now.End && b.Now.Start < a.Now.End || a.Now == b.Now
}

// restore makes the location of lines that have changed that of the place in them which
// has not changed since another version, if there is one for each location of the lines.
func (f *Location) restore(back, all []Location) {
	var places []Span
	for _, b := range back {
		if f.Now.Start <= b.Now.Start && b.Now.End <= f.Now.End && !slices.ContainsFunc(places, func(p Span) bool { return p.Start < b.Now.End && b.Now.Start < p.End }) {
			places = append(places, b.Now)
		}
	}
	nth, of := 0, 0
	for _, o := range all {
		if o.Version == f.Version && o.lines == f.lines {
			if of++; o.Nth < f.Nth {
				nth++
			}
		}
	}
	if len(places) != of || len(places) == 0 {
		return
	}
	slices.SortFunc(places, func(a, b Span) int { return a.Start - b.Start })
	f.Now, f.Changed = places[nth], false
}

// wholeLines reports whether a span is all of its lines, except for white space.
func wholeLines(text string, s Span) bool {
	start := strings.LastIndexByte(text[:s.Start], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[max(s.Start, s.End-1):], '\n'); i >= 0 {
		end = max(s.Start, s.End-1) + i
	}
	return strings.TrimSpace(text[start:s.Start]) == "" && (s.End >= end || strings.TrimSpace(text[s.End:end]) == "")
}

// Made returns the lines of the present at which the change of a place that was shown has
// been made: where find finds one, there is now what replaces it.
func (r *Record) Made(find func(text string) []Span, new string) (at Lines, ok bool) {
	if r == nil {
		return at, false
	}
	for _, v := range r.versions {
		for _, s := range find(v.Text) {
			was := Lines{1 + strings.Count(v.Text[:s.Start], "\n"), 1 + strings.Count(v.Text[:max(s.Start, s.End-1)], "\n")}
			if v.Aside || !v.shows(was) {
				continue
			}
			f := v.locate(r.now, s)
			if !f.Changed {
				continue
			}
			start, end := strings.LastIndexByte(v.Text[:s.Start], '\n')+1, s.End
			if v.Text[end-1] != '\n' {
				end += strings.IndexByte(v.Text[end:]+"\n", '\n')
			}
			result := strings.TrimSuffix(v.Text[start:s.Start]+new+v.Text[s.End:end], "\n")
			if result == "" && f.Now.Start == f.Now.End {
				return f.NowLines.Known(), true
			}
			k := index(r.now, result, max(0, f.Now.Start-len(result)-1))
			if result != "" && k >= 0 && k <= f.Now.End && k+len(result) >= f.Now.Start && wholeLines(r.now, Span{k, k + len(result)}) {
				line := 1 + strings.Count(r.now[:k], "\n")
				return Lines{line, line + strings.Count(result, "\n")}, true
			}
		}
	}
	return at, false
}

// locate returns the present location of a place of the version.
func (v *version) locate(now string, s Span) Location {
	tail := len(v.Text) - v.tail
	if s.End <= v.head {
		return Location{Now: s}
	}
	if shift := len(now) - len(v.Text); s.Start >= tail {
		return Location{Now: Span{s.Start + shift, s.End + shift}}
	}
	// The changed lines, from 0, that the place has a part in; -1 and beyond the last
	// for the lines of head and tail.
	first, last := -1, len(v.was)-1
	if s.Start >= v.head {
		first = v.lineOf(s.Start)
	}
	if s.End <= tail {
		last = v.lineOf(max(s.Start, s.End-1))
	}
	by := 0
	var touching []diff.Region
	for _, c := range v.changes {
		switch {
		case c.OldEnd <= first:
			by = c.NewEnd - c.OldEnd
		case c.OldStart <= last && (c.OldStart < c.OldEnd || c.OldStart > first):
			touching = append(touching, c)
		}
	}
	if len(touching) == 0 {
		d := v.is[max(first, 0)+by] - v.was[max(first, 0)]
		return Location{Now: Span{s.Start + d, s.End + d}}
	}
	a, z := touching[0], touching[len(touching)-1]
	old := Lines{min(max(first, 0), a.OldStart), min(max(last+1, z.OldEnd), len(v.was)-1)}
	is := Lines{a.NewStart - (a.OldStart - old.Start), z.NewEnd + old.End - z.OldEnd}
	if first >= 0 && last < len(v.was)-1 {
		if span, ok := v.moved(now, s, v.Text[v.was[first]:v.was[last+1]], is); ok {
			return Location{Now: span}
		}
	}
	reformatted := layout(v.Text[v.was[old.Start]:v.was[old.End]]) == layout(now[v.is[is.Start]:v.is[is.End]])
	if !reformatted {
		// The place itself may have changed less than the lines around it.
		from, to := v.was[max(first, 0)], v.was[min(last+1, len(v.was)-1)]
		if part, ok := v.among(now, layout(v.Text[from:to]), is); ok {
			is, reformatted = part, true
		}
	}
	there := Span{v.is[is.Start], v.is[is.End]}
	then, region := v.Text[s.Start:s.End], now[there.Start:there.End]
	if at := strings.Index(region, then); !reformatted && at >= 0 && strings.TrimSpace(region) == strings.TrimSpace(then) && region != "" {
		// The place is all that has been left of its lines.
		return Location{Now: Span{there.Start + at, there.Start + at + len(then)}}
	}
	lines := Lines{v.first + is.Start + 1, v.first + is.End}
	whole := lines
	if s.Start < v.head {
		whole.Start -= strings.Count(v.Text[s.Start:v.head], "\n")
	}
	if s.End > tail {
		whole.End += strings.Count(strings.TrimSuffix(v.Text[tail:s.End], "\n"), "\n") + 1
	}
	return Location{Now: there, lines: there, NowLines: lines, Whole: whole, Changed: !reformatted, Reformatted: reformatted}
}

// among returns which of some lines of the present have a layout, if only one run of
// them has.
func (v *version) among(now, want string, is Lines) (found Lines, ok bool) {
	if want == "" || is.End-is.Start > maxCompared {
		return found, false
	}
	for from := is.Start; from < is.End; from++ {
		if strings.TrimSpace(now[v.is[from]:v.is[from+1]]) == "" {
			continue
		}
		for to := from + 1; to <= is.End && to <= from+maxCompared; to++ {
			switch got := layout(now[v.is[from]:v.is[to]]); {
			case got == want && ok:
				return found, false // two
			case got == want:
				found, ok = Lines{from, to}, true
			case strings.HasPrefix(want, got):
				continue
			}
			break
		}
	}
	return found, ok
}

// lineOf returns the line between head and tail, from 0, that has a byte.
func (v *version) lineOf(at int) int {
	return sort.Search(len(v.was)-1, func(i int) bool { return v.was[i+1] > at })
}

// moved returns the new place of whole lines that have left their old one. They count as
// moved if both texts have them once, and the lines that took their place (is, of the
// present) were in the version too: otherwise the lines may have been copied and the
// original changed.
func (v *version) moved(now string, s Span, lines string, is Lines) (Span, bool) {
	if strings.TrimSpace(lines) == "" || count(v.Text, lines) != 1 || count(now, lines) != 1 {
		return Span{}, false
	}
	for i := is.Start; i < is.End; i++ {
		if l := now[v.is[i]:v.is[i+1]]; strings.TrimSpace(l) != "" && count(v.Text, l) == 0 {
			return Span{}, false
		}
	}
	d := index(now, lines, 0) - index(v.Text, lines, 0)
	return Span{s.Start + d, s.End + d}, true
}

// count returns how often a text has whole lines, up to 2.
func count(s, lines string) int {
	n := 0
	for at := 0; n < 2; n++ {
		i := index(s, lines, at)
		if i < 0 {
			break
		}
		at = i + 1
	}
	return n
}

// index returns where a text has whole lines, at an offset or after it, or -1.
func index(s, lines string, at int) int {
	for at <= len(s) {
		i := strings.Index(s[at:], lines)
		if i < 0 {
			return -1
		}
		if i += at; atLine(s, i) {
			return i
		}
		at = i + 1
	}
	return -1
}

// layout returns a text without what a formatter changes: white space, the kind of
// quotes, semicolons that end a line, and commas before the end of a list.
func layout(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		switch c {
		case ' ', '\t', '\n', '\r':
			continue
		case '\'', '`':
			c = '"'
		case ')', ']', '}':
			if n := len(b); n > 0 && b[n-1] == ',' {
				b = b[:n-1]
			}
		case ';':
			if rest := strings.TrimLeft(s[i+1:], " \t\r"); rest == "" || rest[0] == '\n' {
				continue
			}
		}
		b = append(b, c)
	}
	return string(b)
}
