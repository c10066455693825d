package edit

import (
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// applyInTurn makes the edits one after the other, up to the first that fails: the
// edits after it may build on it.
func applyInTurn(src string, edits []Edit, o Options) (Result, []failure) {
	var r Result
	text := src
	for i, e := range edits {
		d := newDocument(text, o)
		found, err := d.resolve(e)
		if err != nil {
			return Result{}, []failure{{i, err}}
		}
		for k := range found {
			found[k].edit = i
		}
		withEndings(text, found)
		text, _ = splice(text, found)
		move(r.Edits, found)
		r.Edits = append(r.Edits, listed(found)...)
		r.Replacements += len(found)
		r.AlsoSimilarAt = shifted(append(r.AlsoSimilarAt, d.similar...), found)
		r.Warnings = append(r.Warnings, d.notes...)
		o.All = nil // a repeated edit is meant
		if d.shown != nil {
			// The caller also knows what this edit did.
			r.ChangedElsewhere = r.ChangedElsewhere || d.changedElsewhere(found)
			own := shown.Version{Text: text}
			delta := 0
			for _, p := range found {
				start := p.old.Start + delta
				own.Lines = append(own.Lines, shown.Lines{Start: start, End: start + p.lines - 1}.Known())
				delta += p.grown()
			}
			o.Shown = append([]shown.Version{own}, o.Shown...)
		}
	}
	r.Text = text
	if head, tail := diff.CommonEnds(src, text); src != text {
		r.Splices = []diff.Splice{{Start: head, End: len(src) - tail, Text: text[head : len(text)-tail]}}
	}
	return r, nil
}

// grown returns by how many lines a replacement lengthens the text.
func (p replacement) grown() int { return p.lines - (p.old.End - p.old.Start + 1) }

// move updates the lines of earlier edits after later ones.
func move(earlier []Applied, later []replacement) {
	for i := range earlier {
		e := &earlier[i].New
		start, end := e.Start, e.End
		shift, inside := 0, 0
		for _, l := range later {
			switch {
			case l.old.End < e.Start:
				shift += l.grown()
			case l.old.Start <= max(e.Start, e.End):
				start, end = min(start, l.old.Start), max(end, l.old.End)
				inside += l.grown()
			}
		}
		*e = LineRange{start + shift, end + shift + inside}
	}
}

// shifted returns where lines are after replacements, without those replaced.
func shifted(lines []int, made []replacement) []int {
	var moved []int
	for _, line := range lines {
		shift, gone := 0, false
		for _, p := range made {
			switch {
			case p.old.End < line:
				shift += p.grown()
			case p.old.Start <= line:
				gone = true
			}
		}
		if !gone {
			moved = append(moved, line+shift)
		}
	}
	return moved
}
