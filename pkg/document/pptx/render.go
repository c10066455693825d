package pptx

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/fault"
)

// renderer writes a slide.
type renderer struct {
	ctx    context.Context
	d      *Document
	q      *document.Request
	w      *markdown.Writer
	number int
	rels   ooxml.Relations
	err    error // the first
}

// slide writes the title, the shapes in reading order, the notes and the comments.
func (r *renderer) slide(s *slide) {
	r.rels = s.rels
	heading := fmt.Sprintf("Slide %d", r.number)
	if s.title != "" {
		heading += ": " + s.title
	}
	if s.hidden {
		heading += " *(hidden)*"
	}
	r.w.Heading(2, heading)
	r.shapes(s.shapes)
	if s.cut {
		r.q.Warning(fault.T("slide %d has more on it than is read", r.number))
	}
	r.notes()
	r.comments()
}

// shapes writes shapes in reading order, those of a group together.
func (r *renderer) shapes(all []*shape) {
	inOrder(all)
	for _, sh := range all {
		if r.w.Full() || r.ctx.Err() != nil {
			return
		}
		r.paragraphs(sh.paragraphs)
		r.w.Table(sh.rows)
		r.chart(sh)
		r.diagram(sh)
		r.object(sh)
		r.picture(sh)
		r.shapes(sh.group)
	}
}

// band is the most that a shape may begin below another one and still be beside it: a
// twentieth of an inch.
const band = 914_400 / 20

// inOrder sorts shapes as they are read: the titles, then from the top to the bottom, and
// what is beside one another from the left to the right.
func inOrder(all []*shape) {
	slices.SortStableFunc(all, func(a, b *shape) int {
		if t := cmp.Compare(first(b), first(a)); t != 0 {
			return t
		}
		return cmp.Compare(a.y, b.y)
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].y-all[0].y <= band && first(all[n]) == first(all[0]) {
			n++
		}
		slices.SortStableFunc(all[:n], func(a, b *shape) int { return cmp.Compare(a.x, b.x) })
		all = all[n:]
	}
}

// first returns 1 for a shape that comes before all others on a slide.
func first(sh *shape) int {
	if sh.isTitle() {
		return 1
	}
	return 0
}

// paragraphs writes the text of a shape.
func (r *renderer) paragraphs(all []paragraph) {
	var numbers numbering
	for _, p := range all {
		if marker := numbers.marker(p.level, p.bullet); marker != "" {
			r.w.Item(p.level, marker, p.text)
		} else {
			r.w.Paragraph(p.text)
		}
	}
}

// failed notes what could not be read of a slide.
func (r *renderer) failed(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *renderer) chart(sh *shape) {
	if sh.chart == "" {
		return
	}
	to, ok := r.rels.Get(sh.chart)
	if !ok || to.External {
		return
	}
	c, err := r.d.parts.Chart(to.Target)
	if err != nil {
		r.failed(err)
	}
	c.Write(r.w, sh.alt)
}

func (r *renderer) diagram(sh *shape) {
	if sh.diagram == "" {
		return
	}
	to, ok := r.rels.Get(sh.diagram)
	if !ok || to.External {
		return
	}
	items, err := r.d.parts.Diagram(to.Target)
	if err != nil {
		r.failed(err)
	}
	for _, item := range items {
		r.w.Item(item.Depth, "-", item.Text)
	}
}

// object writes a placeholder for a shape without text.
func (r *renderer) object(sh *shape) {
	if sh.object == "" {
		return
	}
	text := sh.object
	if sh.name != "" {
		text += ": " + sh.name
	}
	r.w.Paragraph("[" + markdown.Escape(text) + "]")
}

func (r *renderer) picture(sh *shape) {
	if sh.picture == "" {
		return
	}
	to, ok := r.rels.Get(sh.picture)
	if !ok || to.Target == "" || path.Base(to.Target) == "NULL" { // a picture that was never there
		return
	}
	if r.q.Image == nil {
		return
	}
	i, err := r.d.parts.Image(to, sh.alt)
	if err != nil {
		r.failed(err)
		return
	}
	i.Anchor = fmt.Sprintf("slide %d", r.number)
	r.w.Paragraph(r.q.Show(i))
}

// notes writes what the speaker wants to say (19.3.1.26).
func (r *renderer) notes() {
	part, ok := related(r.rels, "notesSlide")
	if !ok || r.w.Full() {
		return
	}
	s, err := r.d.readSlide(r.ctx, slideRef{part: part})
	if err != nil {
		r.failed(err)
	}
	w := markdown.NewWriter(markdown.Window{})
	notes := renderer{ctx: r.ctx, d: r.d, q: r.q, w: w, number: r.number, rels: s.rels}
	for _, sh := range s.shapes {
		if sh.is && sh.base() != "body" || sh.kind == "sldImg" {
			continue
		}
		notes.paragraphs(sh.paragraphs)
		w.Table(sh.rows)
	}
	text := strings.TrimSpace(string(w.Bytes()))
	switch {
	case text == "":
	case strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "|") || text[0] >= '0' && text[0] <= '9':
		r.w.Quote("Notes:\n\n" + text)
	default:
		r.w.Quote("Notes: " + text)
	}
}
