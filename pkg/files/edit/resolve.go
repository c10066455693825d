package edit

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// resolve returns the replacements that one edit makes. Its faults lack only the
// index of the edit.
func (d *document) resolve(e Edit) ([]replacement, *fault.Error) {
	all, err := d.attempt(e)
	if err != nil && strings.HasSuffix(e.Old, "\n") && strings.HasSuffix(e.New, "\n") {
		d.endTexts(err)
	}
	return all, err
}

// endTexts adds the ending of the last line to the texts in the details of a fault. If
// both texts of an edit end in one, a caller that copies old_text from there would else
// leave an empty line behind.
func (d *document) endTexts(err *fault.Error) {
	f, ok := err.Details.(*Failure)
	if !ok {
		return
	}
	for i := range f.Candidates {
		c := &f.Candidates[i]
		c.Text = d.ended(c.Text, c.Start, c.End)
	}
	if m := f.Current; m != nil {
		m.Text = d.ended(m.Text, m.TextStart, m.End)
	}
}

// ended returns the text of some lines with the ending of the last, if it is the text
// of all of them.
func (d *document) ended(text string, first, last int) string {
	start, end := d.span(first, last)
	if whole := d.src[d.source(start):d.source(end)]; end == len(d.text) || whole != text {
		return text
	}
	return d.src[d.source(start):d.source(end+1)]
}

// attempt is resolve, with details whose texts have no ending.
func (d *document) attempt(e Edit) ([]replacement, *fault.Error) {
	switch {
	case e.Accept != "":
		return d.accept(e)
	case e.Insert != nil:
		return d.insert(e)
	}
	if e.Old == "" || d.src == "" && strings.TrimSpace(e.Old) == "" { // a line that some see in an empty file
		return d.fill(e)
	}
	old, new := d.normal(e.Old), d.normal(e.New)
	if old == new {
		return nil, noChange()
	}
	h, err := d.find(old, new)
	if err != nil {
		return nil, err
	}
	if len(h.places) == 0 {
		if all, ok := d.resolveLone(e); ok {
			return all, nil
		}
		return nil, d.notFound(old, new, e)
	}
	if h.how == Exact {
		d.number(h.places)
	}
	if d.sensitive && d.reindents(h) {
		return nil, d.indentSignificant(h)
	}
	places, err := d.choose(h, e)
	if err != nil {
		return nil, err
	}
	if !d.permit {
		if err := placeholder(e.Old, e.New); err != nil {
			return nil, err
		}
	}
	if len(places) == 1 && d.insideIndent(h, places[0]) {
		// The file indents the first line deeper than the caller does, so new lines
		// taken literally would not align with it.
		places[0].start = lineStart(d.text, places[0].start)
		places[0].end = lineEnd(d.text, max(places[0].start, places[0].end-1))
		h.strategy, h.how = Indent, Indent
	}
	all, err := d.replace(h, places)
	if err == nil && len(places) == 1 {
		d.noteUnindented(h, places[0])
	}
	return all, err
}

// fill returns the replacement of an empty text.
func (d *document) fill(e Edit) ([]replacement, *fault.Error) {
	if e.New == "" {
		return nil, noChange()
	}
	if !d.permit {
		if err := placeholder("", e.New); err != nil {
			return nil, err
		}
	}
	return []replacement{{strategy: Exact, text: e.New, old: LineRange{1, 0}, lines: diff.CountLines(e.New)}}, nil
}

// reindents reports whether a place has another indentation than the block, and not
// consistently so.
func (d *document) reindents(h hit) bool {
	if h.how != IndentLoose && h.how != Whitespace {
		return false
	}
	return slices.ContainsFunc(h.places, func(p place) bool {
		return !consistent(h.o, strings.Split(d.text[p.start:p.end], "\n"))
	})
}

// noteUnindented warns if the match begins after an indentation that old_text
// leaves out, while further lines of new_text begin at the margin. They are taken
// literally and end up less indented than the first.
func (d *document) noteUnindented(h hit, p place) {
	before := d.text[lineStart(d.text, p.start):p.start]
	if h.strategy != Exact || before == "" || trim(before) != "" || len(h.o) > 1 || lead(h.old) != "" {
		return
	}
	for _, l := range h.n[min(1, len(h.n)):] {
		if trim(l) != "" && lead(l) == "" {
			d.notes = append(d.notes, fault.T("line %d is indented, but further lines of new_text are not; they were written as they are", p.line))
			return
		}
	}
}

// replace returns the replacements of all places.
func (d *document) replace(h hit, places []place) ([]replacement, *fault.Error) {
	all := make([]replacement, 0, len(places))
	idle, applied, kept := 0, 0, 0
	for _, found := range places {
		h, p := d.withBreaks(h, found)
		if p != found {
			kept++
		}
		r, err := d.merge(h, p)
		if err != nil {
			return nil, d.withPlaces(err, places)
		}
		if r.text == d.src[r.start:r.end] {
			idle++
			continue
		}
		if d.applied(h, p) {
			applied++
		}
		all = append(all, r)
	}
	switch {
	case len(all) == 0:
		return nil, noChange()
	case applied == len(places):
		return nil, d.alreadyApplied(places[0].line, nil)
	}
	if len(places) == 1 {
		d.noteSimilar(places[0])
	}
	if kept > 0 {
		d.notes = append(d.notes, fault.T("new_text lacks a line break that old_text begins or ends with; it was kept"))
	}
	return all, nil
}

// insideIndent reports whether an exact match begins in the middle of an
// indentation, otherwise consists of whole lines that are indented consistently,
// and is replaced by several lines.
func (d *document) insideIndent(h hit, p place) bool {
	start := lineStart(d.text, p.start)
	if h.strategy != Exact || start == p.start || lead(h.old) == "" || len(h.n) < 2 ||
		trim(d.text[start:p.start]) != "" || solid(h.old) == 0 {
		return false
	}
	end := lineEnd(d.text, max(start, p.end-1))
	return (h.term || end == p.end) && consistent(h.o, strings.Split(d.text[start:end], "\n"))
}
