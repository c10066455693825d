// Package shown follows the parts of a text that a caller was shown: which of the lines it saw
// are still there, and where. It compares texts and knows nothing of sessions, files and edits.
//
// A caller that was shown a text means a place in that text, which may since have
// moved, changed or gone, while a twin of it stays where it was. So an old text is
// looked for in the versions that were shown, and its places there are mapped to
// the present by a diff. See [Record.Trace].
package shown

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/files/diff"
)

// Version is a text as it was when parts of it were shown. Its lines end in "\n".
type Version struct {
	Text  string
	Lines []Lines // that were shown, sorted and apart; none means all
	// Aside says that an error showed them. A caller that repeats a call has not taken
	// notice of it, so what was shown before is still what the caller goes by.
	Aside bool
}

// Lines is a run of lines, counted from 1, both ends included. An empty run ends
// one line before it starts.
type Lines struct{ Start, End int }

// Known returns the lines that the author of a run of lines knows: these or, where lines
// were removed, those on both sides.
func (l Lines) Known() Lines {
	if l.End < l.Start {
		return Lines{max(1, l.Start-1), max(1, l.Start)}
	}
	return l
}

// Record compares the parts of a text that were shown with the present text.
type Record struct {
	now      string
	versions []*version // newest first
	// past returns the record of versions of which newer ones tell all. It is made once a
	// line has changed that may have been as it is before.
	past func() *Record
}

// version is a version compared with the present.
type version struct {
	Version
	head, tail int // bytes of whole lines that both texts begin and end with
	first      int // lines in head
	// The offsets of the lines between head and tail in either text. The last element is
	// the offset of the tail.
	was, is []int
	changes []diff.Region // of these lines, counted from 0
	known   []Lines       // lines of the present that this version shows
}

// New compares versions, the newest first, with the present text, whose lines end in
// "\n". It returns nil if nothing that was shown has changed. all returns further versions,
// which were shown before; it is called if a line has changed, and may be nil.
func New(now string, versions []Version, all func() []Version) *Record {
	r := &Record{now: now, past: sync.OnceValue(func() *Record {
		if all == nil {
			return &Record{now: now}
		}
		return Against(now, all())
	})}
	differs := false
	for _, v := range versions {
		c := compare(v, now)
		r.versions = append(r.versions, c)
		differs = differs || len(c.changes) > 0
	}
	if !differs {
		return nil
	}
	return r
}

// Against is [New] without further versions, also if nothing has changed.
func Against(now string, versions []Version) *Record {
	r := &Record{now: now, past: func() *Record { return nil }}
	for _, v := range versions {
		r.versions = append(r.versions, compare(v, now))
	}
	return r
}

func compare(v Version, now string) *version {
	c := &version{Version: v}
	head, tail := diff.CommonEnds(v.Text, now)
	c.head = strings.LastIndexByte(v.Text[:head], '\n') + 1
	// The tail begins with a line of both texts.
	from := len(v.Text) - tail
	if atLine(v.Text, from) && atLine(now, len(now)-tail) {
		c.tail = tail
	} else if i := strings.IndexByte(v.Text[from:], '\n'); i >= 0 {
		c.tail = tail - i - 1
	}
	c.first = strings.Count(v.Text[:c.head], "\n")
	var old, new []string
	old, c.was = split(v.Text, c.head, len(v.Text)-c.tail)
	new, c.is = split(now, c.head, len(now)-c.tail)
	c.changes = diff.Regions(old, new)
	c.known = c.knows()
	return c
}

func atLine(s string, i int) bool { return i == 0 || s[i-1] == '\n' }

// split returns the lines of s[from:to], endings included, and where they begin.
func split(s string, from, to int) (lines []string, starts []int) {
	for at := from; at < to; {
		end := to
		if i := strings.IndexByte(s[at:to], '\n'); i >= 0 {
			end = at + i + 1
		}
		lines, starts = append(lines, s[at:end]), append(starts, at)
		at = end
	}
	return lines, append(starts, to)
}

// knows returns the lines of the present that are lines of the version which were
// shown.
func (v *version) knows() []Lines {
	lines := v.Lines
	if len(lines) == 0 {
		lines = []Lines{{1, strings.Count(v.Text, "\n") + 1}}
	}
	var known []Lines
	add := func(from, to, by int) { // equal lines of the version, from 1
		i := sort.Search(len(lines), func(i int) bool { return lines[i].End >= from })
		for ; i < len(lines) && lines[i].Start <= to; i++ {
			if l := (Lines{max(from, lines[i].Start), min(to, lines[i].End)}); l.Start <= l.End {
				known = append(known, Lines{l.Start + by, l.End + by})
			}
		}
	}
	at, by := 1, 0
	for _, c := range v.changes {
		add(at, v.first+c.OldStart, by)
		at = v.first + c.OldEnd + 1
		by = c.NewEnd - c.OldEnd
	}
	add(at, strings.Count(v.Text, "\n")+1, by)
	return known
}

// saw reports whether the version shows lines of the present. An empty run counts
// as seen with the lines on both sides of it.
func (v *version) saw(l Lines) bool {
	return covers(v.known, l.Known())
}

// covers reports whether sorted runs of lines have all lines of one.
func covers(runs []Lines, l Lines) bool {
	for _, r := range runs {
		if r.Start <= l.Start && l.Start <= r.End {
			if l.End <= r.End {
				return true
			}
			l.Start = r.End + 1
		}
	}
	return false
}

// seenSince reports whether a version newer than the i-th shows lines of the
// present.
func (r *Record) seenSince(i int, l Lines) bool {
	return slices.ContainsFunc(r.versions[:i], func(v *version) bool { return !v.Aside && v.saw(l) })
}

// Saw reports whether any version shows lines of the present as they are.
func (r *Record) Saw(l Lines) bool { return r != nil && r.seenSince(len(r.versions), l) }

// Unseen returns the lines of the present that have changed since a version was
// shown and were not shown after that, in the order of the versions. A run is empty
// where lines have gone.
func (r *Record) Unseen() []Lines {
	if r == nil {
		return nil
	}
	var all []Lines
	for i, v := range r.versions {
		for _, c := range v.changes {
			if l := v.present(c); !v.Aside && !r.seenSince(i, l) {
				all = append(all, l)
			}
		}
	}
	return all
}

// present returns the lines of the present of a change.
func (v *version) present(c diff.Region) Lines {
	return Lines{v.first + c.NewStart + 1, v.first + c.NewEnd}
}

// Rewritten reports whether lines of the present, given by the bytes start and end,
// have taken the place of lines that were shown with a text in them and that differ
// in more than their layout.
func (r *Record) Rewritten(start, end int, old string) bool {
	if r == nil {
		return false
	}
	for _, v := range r.versions {
		k := sort.Search(len(v.changes), func(k int) bool { return v.is[v.changes[k].NewEnd] > start })
		for ; k < len(v.changes) && v.is[v.changes[k].NewStart] < end; k++ {
			c := v.changes[k]
			was := v.Text[v.was[c.OldStart]:v.was[c.OldEnd]]
			if !strings.Contains(was, old) || !v.shows(Lines{v.first + c.OldStart + 1, v.first + c.OldEnd}) ||
				layout(was) == layout(r.now[v.is[c.NewStart]:v.is[c.NewEnd]]) || r.Saw(v.present(c)) || r.past().Saw(v.present(c)) {
				continue
			}
			return true
		}
	}
	return false
}

// shows reports whether lines of the version were shown.
func (v *version) shows(l Lines) bool { return len(v.Lines) == 0 || covers(v.Lines, l) }

// LF returns a text with the line endings of a Version: "\n", also where it has
// "\r\n" or, if it has nothing else, "\r".
func LF(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	if strings.IndexByte(s, '\n') < 0 {
		return strings.ReplaceAll(s, "\r", "\n")
	}
	return strings.ReplaceAll(s, "\r\n", "\n")
}

// Carry returns the lines of a text that are lines of an older one of which some are
// known. No lines mean all, as in a Version.
func Carry(old, now string, lines []Lines) []Lines {
	return compare(Version{Text: old, Lines: lines}, now).known
}
