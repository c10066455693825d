package patch

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/files/edit"
)

// doubt rejects a place that the hunk probably does not mean. If its lines were
// found elsewhere than its header says, and the lines at that line nearly match,
// then the right place has changed since the patch was made and the one that was
// found only looks the same.
func (t *target) doubt(all []*finding, i int, f *finding) {
	if f.at < 0 || !f.hunk.Numbered || len(f.old) == 0 {
		return
	}
	lines, _ := drift(all, i)
	want := f.expected()
	if f.at == want && lines == 0 {
		if t.contradicted(f) {
			f.at = -1
		}
		return
	}
	supported := f.at == want+lines
	if lead, tail := edges(f.lines); !supported && lead+tail == 0 && edit.Filled(f.old) < 2 && !t.certain(all, i, f) {
		f.failed = t.weak(f) // a single line says too little
		f.at = -1
		return
	}
	for _, w := range []int{want, want + lines} {
		if w != f.at && t.resembles(f, w, supported) {
			f.failed = t.drifted(f, w)
			f.at = -1
			return
		}
	}
}

// certain reports whether a hunk of a single line, which is not where its header
// says, can mean no other: it is the only such line, and it has moved as far as the
// hunks on both sides allow or, if none follows, no other line resembles it.
func (t *target) certain(all []*finding, i int, f *finding) bool {
	line := strings.TrimSpace(strings.Join(f.old, ""))
	if len(f.places) != 1 || !edit.Telling(line) {
		return false
	}
	before, after := neighbours(all, i, func(f *finding) bool { return f.hunk.Numbered && len(f.old) > 0 })
	least, moved := 0, f.offset()
	if before != nil {
		least = before.offset()
	}
	if after != nil {
		return min(least, after.offset()) <= moved && moved <= max(least, after.offset())
	}
	const cost, much = 20, 0.5
	t.work -= cost * len(t.lines)
	for k, l := range t.lines {
		if l = strings.TrimSpace(l); t.work < 0 || k != f.at && edit.Telling(l) &&
			(strings.Contains(l, line) || strings.Contains(line, l) || edit.Alike(l, line) >= much) {
			return false
		}
	}
	return true
}

// contradicted reports whether a hunk has several places and its anchor and its
// number name different ones.
func (t *target) contradicted(f *finding) bool {
	if len(f.places) < 2 {
		return false
	}
	kept := f.inside(t.regions(f.hunk.Anchors))
	return len(kept) > 0 && !slices.Contains(kept, f.at)
}

// resembles reports whether the lines from a line on are nearly the hunk's: half of
// those that are not blank, or all of the context. If the neighbouring hunks
// support the other place, nearly all lines must be equal, of which there is at least
// one.
func (t *target) resembles(f *finding, at int, supported bool) bool {
	h := f.hunk.Lines
	if at -= f.dropped; at < 0 {
		return false
	}
	same, total := 0, 0
	context, kept := 0, true
	for _, l := range h {
		if l.Op == Insert {
			continue
		}
		text := strings.TrimSpace(l.Text)
		equal := at < len(t.lines) && strings.TrimSpace(t.lines[at]) == text
		at++
		if l.Op == Context {
			context++
			kept = kept && equal
		}
		if text != "" {
			total++
			if equal {
				same++
			}
		}
	}
	if supported {
		return same > 0 && total-same <= max(1, total/8)
	}
	return total > 0 && 2*same >= total || context > 0 && kept
}

// appliedAt returns the line, from 0, where the file already has the new lines of a
// hunk that is not found. ok says that this is the only place.
func (t *target) appliedAt(f *finding, verbatim bool) (line int, ok bool) {
	if !f.hunk.changes() {
		return 0, false
	}
	lines := read(f.hunk, verbatim)
	now := side(lines, Remove)
	if !edit.Telling(now...) {
		return 0, false
	}
	for _, s := range stages {
		if places := t.search(now, s); len(places) > 0 {
			lead, _ := edges(lines)
			return places[0] + lead, len(places) == 1
		}
	}
	return 0, false
}

// appliedAround reports whether a hunk that only adds lines, some at an end, has its
// new lines already around its place.
func (t *target) appliedAround(f *finding) bool {
	lead, tail, added := 0, 0, false
	for _, l := range f.lines {
		if l.Op == Remove {
			return false
		}
		added = added || l.Op == Insert && strings.ContainsFunc(l.Text, func(r rune) bool { return r >= 0x80 || !notWord(r) && r != '_' })
	}
	for lead < len(f.lines) && f.lines[lead].Op == Insert {
		lead++
	}
	for tail < len(f.lines)-lead && f.lines[len(f.lines)-1-tail].Op == Insert {
		tail++
	}
	if !added || lead+tail == 0 || f.strategy == AtLine {
		return false
	}
	now := side(f.lines, Remove)
	from := f.at - lead
	if from < 0 || from+len(now) > len(t.lines) {
		return false
	}
	s := f.comparison()
	if s == AtEnd {
		s = edit.Exact
	}
	return len(edit.FindLines(t.lines[from:from+len(now)], now, s)) > 0
}
