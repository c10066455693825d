package odf

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxChanges limits the tracked changes that are remembered by name.
const maxChanges = 100_000

// change is a tracked change (part 3, 5.5): a range that was inserted, or a place where
// something was deleted.
type change struct {
	insertion bool
	deleted   []block
}

// readChanges reads what was changed; the text says where.
func (r *reader) readChanges() {
	id := ""
	for depth := r.s.Depth(); !r.done(); {
		k := r.s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
			return
		}
		if k != xmlscan.Start {
			continue
		}
		switch r.s.Name() {
		case "text:changed-region":
			if id = r.s.String("text:id"); id == "" {
				id = r.s.String("xml:id")
			}
		case "office:change-info":
			r.s.Skip()
		case "text:insertion":
			r.noteChange(id, change{insertion: true})
			r.s.Skip()
		case "text:deletion":
			if r.q.Changes != document.Reject && r.q.Changes != document.All {
				r.noteChange(id, change{})
				r.s.Skip()
				continue
			}
			var was collected
			r.deleting = true
			r.blocks(place{sink: &was, flat: true})
			r.deleting = false
			r.noteChange(id, change{deleted: was.blocks})
		case "text:format-change":
			r.s.Skip()
		}
	}
}

func (r *reader) noteChange(id string, c change) {
	r.q.Changed()
	if len(r.changes) < maxChanges {
		r.changes[id] = c
	}
}

// gone reports whether what is read now is within a change that takes it away.
func (r *reader) gone() bool {
	if r.q.Changes == document.Reject {
		return r.inserted > 0
	}
	return r.removed > 0 && r.q.Changes != document.All
}

// changeMark reads where a change begins, ends or is. The paragraph is nil between
// paragraphs.
func (r *reader) changeMark(to place, p *paragraph) {
	c, known := r.changes[r.s.String("text:change-id")]
	name := r.s.Name()
	r.s.Skip()
	if !known {
		return
	}
	switch {
	case c.insertion && name == "text:change-start":
		r.inserted++
	case c.insertion && name == "text:change-end":
		r.inserted = max(0, r.inserted-1)
	case name == "text:change-start": // flat files have what was deleted in its place
		r.removed++
	case name == "text:change-end":
		r.removed = max(0, r.removed-1)
	case r.gone():
		// What was inserted and deleted again never was.
	case name == "text:change" && p == nil:
		for _, b := range c.deleted {
			to.write(r, b)
		}
	case name == "text:change":
		r.restore(to, p, c.deleted)
	}
}

// restore puts deleted blocks into a paragraph: the first goes on in it, the others are
// paragraphs of their own, and the text behind goes on in the last.
func (r *reader) restore(to place, p *paragraph, deleted []block) {
	for i, b := range deleted {
		if i > 0 {
			p.split(to)
		}
		if b.what == tableBlock {
			to.write(r, b)
			continue
		}
		text := b.inline()
		r.held += len(text) // a mark may come again and again
		if p.form.code {
			p.plain = append(p.plain, b.text...)
		}
		if strings.TrimSpace(text) != "" {
			p.raw(text)
			p.began = true
		}
	}
}
