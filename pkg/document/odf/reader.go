package odf

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxHeld limits the text of cells, boxes, notes and comments that is held until they are
// written, in bytes.
const maxHeld = 64 << 20

// reader goes through the content of a document.
type reader struct {
	ctx    context.Context
	q      *document.Request
	parts  *container
	s      *xmlscan.Scanner
	styles *styles
	full   func() bool // nothing more is wanted
	held   int         // bytes of text that was collected
	failed error

	pages      document.Pages // the slides that are wanted
	slide      int
	read       int // of them
	objects    int // how many embedded objects this one is in
	folder     string
	lists      map[string]*list // by their identifiers
	lastLists  map[string]*list // by their styles
	headings   counters
	notes      []note
	comments   []*comment
	changes    map[string]change
	inserted   int  // tracked insertions that are open
	removed    int  // deletions
	deleting   bool // what is read now was deleted
	carried    *paragraph
	codeLines  []string // paragraphs of code in a row
	noteLabels map[string]bool
}

type note struct{ label, text string }

func newReader(ctx context.Context, parts *container, q *document.Request) *reader {
	return &reader{
		ctx: ctx, q: q, parts: parts, styles: newStyles(), full: func() bool { return false },
		lists: map[string]*list{}, lastLists: map[string]*list{}, changes: map[string]change{}, noteLabels: map[string]bool{},
	}
}

// done reports whether reading is over before the end.
func (r *reader) done() bool {
	if r.failed == nil && r.held > maxHeld {
		r.failed = damaged(fault.T("its tables, boxes and notes hold more than %d bytes", maxHeld))
	}
	return r.failed != nil || r.full() || r.ctx.Err() != nil
}

// place is the destination of content: the document, an item, a cell, a note or a box.
type place struct {
	sink
	item *item // of a list, or nil
	flat bool  // in a cell, note or box: headings and code are plain text there
}

// write passes a block on. Paragraphs of code that follow one another are one block.
func (p place) write(r *reader, b block) {
	if b.what == codeBlock && !p.flat {
		r.codeLines = append(r.codeLines, b.text)
		r.held += len(b.text) + 16
		return
	}
	r.flushCode(p)
	if p.flat {
		r.held += len(b.text) + 64
		if b.what == headingBlock {
			b.what = paragraphBlock
		}
	}
	p.put(b)
}

func (r *reader) flushCode(p place) {
	if len(r.codeLines) > 0 {
		p.put(block{what: codeBlock, text: strings.Join(r.codeLines, "\n")})
		r.codeLines = r.codeLines[:0]
	}
}

// flush ends what waits for more to come.
func (r *reader) flush(p place) {
	if c := r.carried; c != nil {
		r.carried = nil
		c.end(p)
	}
	r.flushCode(p)
}

// blocks reads the blocks within the element that just began.
func (r *reader) blocks(p place) {
	for depth := r.s.Depth(); !r.done(); {
		switch r.s.Next() {
		case xmlscan.EOF:
			return
		case xmlscan.End:
			if r.s.Depth() < depth {
				return
			}
		case xmlscan.Start:
			r.block(p)
		}
	}
}

// block reads the block that just began. What is not known is a frame around others.
func (r *reader) block(p place) {
	switch name := r.s.Name(); name {
	case "text:p", "text:h":
		r.paragraph(p)
	case "text:list", "text:ordered-list", "text:unordered-list":
		r.list(p)
	case "text:numbered-paragraph":
		r.numbered(p)
	case "table:table":
		r.table(p)
	case "text:section", "text:table-of-content", "text:illustration-index", "text:table-index", "text:object-index",
		"text:user-index", "text:alphabetical-index", "text:bibliography", "text:index-title":
		if r.isHidden() {
			r.s.Skip()
			return
		}
		r.blocks(p)
	case "text:tracked-changes":
		r.readChanges()
	case "text:change-start", "text:change-end", "text:change":
		r.changeMark(p, nil)
	case "draw:page":
		r.page(p)
	case "text:note", "text:footnote", "text:endnote", "office:annotation", "office:annotation-end":
		var in paragraph
		in.r = r
		r.inlineElement(p, &in)
		in.end(p)
	case "office:forms", "office:scripts", "office:event-listeners", "text:sequence-decls", "text:variable-decls", "text:user-field-decls",
		"text:dde-connection-decls", "text:alphabetical-index-auto-mark-file", "table:calculation-settings", "presentation:footer-decl",
		"presentation:date-time-decl", "presentation:header-decl", "presentation:settings", "text:table-of-content-source", "text:illustration-index-source",
		"text:table-index-source", "text:object-index-source", "text:user-index-source", "text:alphabetical-index-source", "text:bibliography-source",
		"draw:page-thumbnail", "anim:par", "presentation:animations", "office:automatic-styles", "chart:legend":
		r.s.Skip()
	default:
		if strings.HasPrefix(name, "draw:") || strings.HasPrefix(name, "dr3d:") {
			r.shape(p)
			return
		}
		r.blocks(p)
	}
}

// isHidden reports whether the element that just began is not to be seen.
func (r *reader) isHidden() bool {
	return r.s.String("text:display") == "none" || r.s.String("text:is-hidden") == "true"
}

// paragraph reads the paragraph or heading that just began.
func (r *reader) paragraph(p place) {
	f := r.styles.paragraph(r.s.String("text:style-name"))
	if r.s.Name() == "text:h" {
		level, _ := r.s.Int("text:outline-level")
		if level < 1 {
			level, _ = r.s.Int("text:level") // before OpenDocument
		}
		f.level = max(level, 1)
		f.look = look{hidden: f.look.hidden}
	}
	in := r.carried
	if r.carried = nil; in == nil {
		in = &paragraph{r: r, form: f, look: f.look}
		in.header = r.s.String("text:is-list-header") == "true"
	}
	if in.item == nil {
		in.item = p.item
	}
	r.inline(p, in, look{style: f.look.style, hidden: f.look.hidden}, "")
	if r.gone() {
		r.carried = in // its end is gone, so it goes on in the next one
		return
	}
	in.end(p)
}

// writeNotes writes the notes and comments at the end of a text.
func (r *reader) writeNotes(w *markdown.Writer) {
	for _, n := range r.notes {
		w.Note(n.label, n.text)
	}
	if len(r.comments) > 0 {
		w.Paragraph("**Comments**")
	}
	for _, c := range r.comments {
		w.Item(0, "-", c.text())
	}
}
