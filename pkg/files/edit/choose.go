package edit

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// validate reports everything that is wrong with the edits themselves.
func validate(src string, edits []Edit, o Options) *fault.Error {
	var wrong []fault.Text
	var at []string
	fail := func(i int, field string, text fault.Text) {
		wrong = append(wrong, ofEdit(i, text))
		at = append(at, "/edits/"+strconv.Itoa(i)+"/"+field)
	}
	if len(edits) == 0 {
		return noEdits()
	}
	for i, e := range edits {
		for _, n := range []struct {
			field string
			value int
		}{{"occurrence", e.Occurrence}, {"line_hint", e.LineHint}, {"expected_replacements", e.Expected}} {
			if n.value < 0 {
				fail(i, n.field, fault.T("%s is %d; it counts from 1", n.field, n.value))
			}
		}
		all := e.ReplaceAll || e.Expected > 1
		switch {
		case e.Accept != "" && (all || e.Occurrence > 0 || e.LineHint > 0 || e.After != "" || e.Within != ""):
			fail(i, "accept", fault.T("accept already names the place; pass only new_text with it"))
		case e.Accept != "" && o.Sequential && i > 0:
			fail(i, "accept", fault.T("of sequential edits, only the first can use accept"))
		case e.Insert != nil && e != (Edit{New: e.New, Insert: e.Insert}):
			fail(i, "insert_line", fault.T("insert_line already names the place; pass only new_text with it"))
		case e.Insert != nil && *e.Insert < 0:
			fail(i, "insert_line", fault.T("insert_line is %d; it counts from 1, and 0 is before the first line", *e.Insert))
		case e.Insert == nil && e.Accept == "" && e.Old == "" && (src != "" || len(edits) > 1 || e != Edit{New: e.New}):
			fail(i, "old_text", fault.T("old_text is empty, which only fills an empty file: pass the lines to replace; to replace the whole file use write, to add to its end write with mode=append"))
		case all && (e.Occurrence > 0 || e.LineHint > 0 || e.After != ""):
			fail(i, "replace_all", fault.T("it asks for all places and for a single one"))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.New(fault.InvalidArguments, fault.Join(wrong, "; ")).
		WithDetails(map[string][]string{"pointers": at})
}

// choose returns the places that the edit means, of those that were found. What the
// edit says about them must all be true.
func (d *document) choose(h hit, e Edit) ([]place, *fault.Error) {
	places, err := d.narrowed(h.places, e)
	if err != nil {
		return nil, err
	}
	if len(places) == 0 {
		return nil, d.notWhereSaid(h.places)
	}
	separate := apart(places)
	n := len(separate)
	if all := e.ReplaceAll || e.Expected > 1; all {
		// Each place keeps its own indentation; of other differences a caller may know nothing.
		known := h.how == Exact || h.how == Indent
		if e.Expected > 0 && n != e.Expected || e.Expected == 0 && n > 1 && !known {
			return nil, d.unexpected(separate, e.Expected)
		}
		return separate, d.rewritten(separate, h.old)
	}
	chosen, err := d.shownPlace(places, d.locations(h.old, h.new, e, h.strategy == Exact), h.new, e)
	if chosen != nil || err != nil {
		return chosen, err
	}
	if line, ok := d.made(h.old, h.new, e, separate); ok && h.how == Exact {
		return nil, d.alreadyApplied(line, nil)
	}
	switch {
	case e.Occurrence > n:
		return nil, d.tooFew(separate, e.Occurrence)
	case e.Occurrence > 0:
		chosen = separate[e.Occurrence-1 : e.Occurrence]
	case e.After != "":
		chosen = places[:1]
	case e.LineHint > 0:
		for _, p := range places {
			if d.covers(p, e.LineHint) {
				chosen = append(chosen, p)
			}
		}
		if len(chosen) == 0 {
			return nil, d.elsewhere(places, h.new, e.LineHint)
		}
	default:
		chosen = places
	}
	switch {
	case len(chosen) > 1:
		return nil, d.ambiguous(chosen)
	case e.LineHint > 0 && !d.covers(chosen[0], e.LineHint):
		return nil, d.elsewhere(chosen, h.new, e.LineHint)
	case e.Expected == 1 && n > 1:
		return nil, d.unexpected(separate, e.Expected)
	}
	return chosen, nil
}

// narrowed returns the places that lie within the bounds that after and within set.
func (d *document) narrowed(places []place, e Edit) ([]place, *fault.Error) {
	from, to, err := d.between(e)
	if err != nil {
		return nil, err
	}
	var kept []place
	for _, p := range places {
		if p.start >= from && p.end <= to {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// between returns the bytes of the text that after and within leave.
func (d *document) between(e Edit) (from, to int, err *fault.Error) {
	to = len(d.text)
	for _, a := range []struct {
		name, text string
	}{{"within", e.Within}, {"after", e.After}} {
		if a.text == "" {
			continue
		}
		anchor := d.normal(a.text)
		i := strings.Index(d.text[from:to], anchor)
		if i < 0 {
			return 0, 0, d.anchorMissing(a.name)
		}
		i += from
		if strings.Contains(d.text[i+1:to], anchor) {
			return 0, 0, d.anchorRepeated(a.name)
		}
		if a.name == "after" {
			from = i + len(anchor)
		} else {
			from, to = i, i+len(anchor)
		}
	}
	return from, to, nil
}

// covers reports whether a line is one of the lines of a place.
func (d *document) covers(p place, line int) bool {
	last := p.line + strings.Count(d.text[p.start:p.end], "\n")
	if d.text[p.end-1] == '\n' {
		last--
	}
	return line >= p.line && line <= last
}
