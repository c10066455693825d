// Package diff compares two texts and writes the difference as a unified diff
// that git apply and GNU patch both accept. It does not read files and does not
// apply diffs; see package patch for that.
package diff

import (
	"fmt"
	"strings"
)

// Diff is a unified diff of one or more files.
type Diff struct {
	Text      string // empty when nothing changed
	Added     int    // lines added, whether or not Text shows them
	Removed   int    // lines removed, whether or not Text shows them
	Truncated bool   // Text was cut to its limit and ends with a line that says so
	Hunks     []Hunk // those in Text of one file; not of joined diffs
}

// Hunk is a part of a diff, with the lines of the new text that it shows, from 1. A hunk
// that shows none ends one line before it starts.
type Hunk struct {
	Start, End int
	Text       string // with its header
}

// Limit bounds the text of a diff; a zero field means no limit. The headers of a
// file and the note that the diff was truncated are always written.
type Limit struct {
	Bytes int
	Lines int
}

// ResultLimit returns the limit for a diff that is part of a tool's result:
// 16 KiB and 200 lines.
func ResultLimit() Limit { return Limit{Bytes: 16 << 10, Lines: 200} }

// PreviewLimit returns the limit for a diff that a person decides about, who must be able
// to see all of it: 512 KiB and 5000 lines.
func PreviewLimit() Limit { return Limit{Bytes: 512 << 10, Lines: 5000} }

// Unified returns the diff of two texts. Only "\n" ends a line: a carriage return
// is part of its line, so that a change of line endings shows.
func Unified(f File, old, new string, most Limit) Diff {
	if old == new {
		return FromSplices(f, old, nil, most)
	}
	head, tail := CommonEnds(old, new)
	return FromSplices(f, old, []Splice{{
		Start: head, End: len(old) - tail, Text: new[head : len(new)-tail],
	}}, most)
}

// Splice is a replacement of the bytes old[Start:End].
type Splice struct {
	Start, End int
	Text       string
}

// FromSplices returns the diff between old and old with splices applied. It
// compares only the lines that the splices touch. The splices must be in order,
// disjoint and inside old.
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

// Excerpt is a part of a file that is too large for memory: whole lines, and the splices
// in them.
type Excerpt struct {
	Before  int // lines of the file before it
	Old     string
	Splices []Splice
}

// FromExcerpts is [FromSplices] for a file of which only the parts that change are at
// hand. The excerpts must be in order and disjoint. Further counts the other places that
// change, in excerpts that are not given.
func FromExcerpts(f File, all []Excerpt, further int, most Limit) Diff {
	var d Diff
	p := printer{most: most}
	p.text.WriteString(fmt.Sprintf("--- %s\n+++ %s\n", side("a/", f.From), side("b/", f.To)))
	p.lines = 2
	delta := 0
	for i, e := range all {
		var changes []change
		c := comparison{budget: maxWork}
		line, at := e.Before, 0
		for _, b := range widen(e.Old, e.Splices) {
			line += strings.Count(e.Old[at:b.Start], "\n")
			at = b.Start
			changes = c.block(changes, e.Old, b, line)
		}
		for _, c := range changes {
			d.Added += c.ins
			d.Removed += c.dels
		}
		for _, h := range hunks(e.Old, changes) {
			size := p.text.Len()
			p.hunk(e.Old, h, delta)
			delta += h.delta
			if p.full {
				shown := p.text.String()[:size]
				p.text.Reset()
				p.text.WriteString(shown)
				further += len(all) - i
				break
			}
		}
		if p.full {
			break
		}
	}
	if further > 0 {
		d.Truncated = true
		fmt.Fprintf(&p.text, "# [diff truncated: %d more places not shown]\n", further)
	}
	d.Text = p.text.String()
	return d
}

// Join concatenates the diffs of several files. A file whose diff does not fit is
// left out completely, and so are the files after it; a last line counts them.
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

// allows reports whether a text of so many bytes and lines is within the limit.
func (l Limit) allows(bytes, lines int) bool {
	return (l.Bytes <= 0 || bytes <= l.Bytes) && (l.Lines <= 0 || lines <= l.Lines)
}
