package docx

import (
	"strconv"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of notes and comments.
const (
	maxNotes     = 50_000
	maxNote      = 256 << 10 // bytes of one
	maxHeldNotes = 16 << 20  // bytes of all
)

// references are the notes that a text refers to, in the order in which it does.
type references struct {
	ids    []string
	labels map[string]string // by ID
}

// refer returns a reference to a note.
func (n *references) refer(id, prefix string) string {
	label, known := n.labels[id]
	if !known {
		if len(n.ids) == maxNotes {
			return ""
		}
		if n.labels == nil {
			n.labels = map[string]string{}
		}
		n.ids = append(n.ids, id)
		label = prefix + strconv.Itoa(len(n.ids))
		n.labels[id] = label
	}
	return "[^" + label + "]"
}

// writeNotes writes the footnotes and endnotes at the end.
func (r *renderer) writeNotes(w *markdown.Writer) {
	r.notes(w, "footnotes", "w:footnote", &r.footnotes)
	r.notes(w, "endnotes", "w:endnote", &r.endnotes)
}

// notes writes the notes of a part that were referred to (17.11). The part is read once;
// what one note refers to, is not.
func (r *renderer) notes(w *markdown.Writer, part, element string, wanted *references) {
	if len(wanted.ids) == 0 || r.stopped {
		return
	}
	ids := wanted.ids
	texts := r.texts(part, element, func(id string) bool { return wanted.labels[id] != "" })
	for _, id := range ids {
		if w.Full() {
			return
		}
		text := texts[id]
		if text == "" {
			text = "–"
		}
		w.Note(wanted.labels[id], text)
	}
}

// texts renders elements of a part that have an ID: notes, comments.
func (r *renderer) texts(part, element string, wanted func(id string) bool) map[string]string {
	texts := map[string]string{}
	rel, ok := r.parts.Relations(r.main).Of(part)
	if !ok {
		return texts
	}
	s, closer, err := r.parts.Scan(rel.Target)
	if err != nil {
		r.warn(lostNotes, fault.T("the %s of the document cannot be read: %s", part, err.Error()))
		return texts
	}
	defer closer.Close()
	before := r.enter(rel.Target)
	defer func() { r.story = before }()
	held := 0
	for held < maxHeldNotes && r.find(s, element) {
		id := s.String("w:id")
		if _, known := texts[id]; known || !wanted(id) {
			s.Skip()
			continue
		}
		r.fields = r.fields[:0]
		text := r.within(s, maxNote)
		held += len(text)
		texts[id] = text
	}
	if s.Err() != nil || held >= maxHeldNotes {
		r.warn(lostNotes, fault.T("not all %s of the document could be read", part))
	}
	return texts
}
