// Package diff says how one text became another, as a unified diff that both
// git apply and GNU patch take. It does not read files, nor apply diffs.
package diff

import (
	"strings"

	"github.com/helve-dev/helve/pkg/limit"
)

// Diff is a unified diff of one or more files.
type Diff struct {
	Text      string // empty when nothing changed
	Added     int    // lines added, whether or not Text shows them
	Removed   int    // lines removed, whether or not Text shows them
	Truncated bool   // Text was cut to its limit and ends with a line that says so
}

// Limit is the most that the text of a diff may take; zero fields mean no
// limit. The headers of a file and the line that tells of the cut always stay.
type Limit struct {
	Bytes int
	Lines int
}

// ResultLimit is the limit for a diff that is part of a tool's result.
func ResultLimit() Limit { return Limit{Bytes: limit.DiffBytes, Lines: limit.DiffLines} }

// Unified compares two whole texts. Lines end at "\n" alone: a carriage return
// is part of its line, so that a change of line endings shows.
func Unified(f File, old, new string, most Limit) Diff {
	start := commonPrefix(old, new)
	tail := commonSuffix(old[start:], new[start:])
	if start == len(old) && start == len(new) {
		return FromSplices(f, old, nil, most)
	}
	return FromSplices(f, old, []Splice{{
		Start: start, End: len(old) - tail, Text: new[start : len(new)-tail],
	}}, most)
}

// Span is a replacement of whole lines of the old text.
type Span struct {
	StartLine int    // first line replaced, from 1
	EndLine   int    // last line replaced; StartLine-1 inserts before StartLine
	NewText   string // what stands there instead, with its line endings
}

// FromEdits is the diff of the text that spans make of old; only the lines that
// they name are compared. Lines are those that "\n" ends. The spans must be in
// order, disjoint and inside old.
func FromEdits(f File, old string, spans []Span, most Limit) Diff {
	splices := make([]Splice, len(spans))
	line, off := 1, 0
	to := func(want int) int {
		for ; line < want && off < len(old); line++ {
			off = lineEnd(old, off)
		}
		return off
	}
	for i, s := range spans {
		splices[i].Start = to(s.StartLine)
		splices[i].End = to(s.EndLine + 1)
		splices[i].Text = s.NewText
	}
	return FromSplices(f, old, splices, most)
}

// Splice is a replacement of the bytes old[Start:End].
type Splice struct {
	Start, End int
	Text       string
}

// FromSplices is the diff of the text that splices make of old; only the lines
// that they touch are compared. The splices must be in order, disjoint and
// inside old.
func FromSplices(f File, old string, splices []Splice, most Limit) Diff {
	var changes []change
	c := comparison{budget: maxWork}
	line, at := 0, 0
	for _, b := range widen(old, splices) {
		line += strings.Count(old[at:b.Start], "\n")
		at = b.Start
		changes = c.block(changes, old, b, line)
	}
	return format(f, old, changes, most)
}

// Join puts the diffs of several files behind one another. Files that no longer
// fit are left out whole, and counted.
func Join(diffs []Diff, most Limit) Diff {
	var all Diff
	var text strings.Builder
	lines, left := 0, 0
	for _, d := range diffs {
		all.Added += d.Added
		all.Removed += d.Removed
		all.Truncated = all.Truncated || d.Truncated
		if d.Text == "" {
			continue
		}
		n := strings.Count(d.Text, "\n")
		first := text.Len() == 0
		if left > 0 || !first && !most.allows(text.Len()+len(d.Text)+noteRoom, lines+n+1) {
			left++
			continue
		}
		text.WriteString(d.Text)
		lines += n
	}
	if left > 0 {
		all.Truncated = true
		text.WriteString(noteFiles(left, all))
	}
	all.Text = text.String()
	return all
}

// allows reports whether a text of so many bytes and lines keeps to the limit.
func (l Limit) allows(bytes, lines int) bool {
	return (l.Bytes <= 0 || bytes <= l.Bytes) && (l.Lines <= 0 || lines <= l.Lines)
}
