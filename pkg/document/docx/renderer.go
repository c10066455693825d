package docx

import (
	"context"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// renderer is one reading of a document.
type renderer struct {
	ctx       context.Context
	q         *document.Request
	parts     *ooxml.Package
	main      string
	styles    *styles
	numbering *numbering
	story     // the part that is read

	footnotes, endnotes references
	comments            comments
	shown               map[string]string // Markdown of the pictures, by their part and text
	warned              warning           // the warnings that were given
	chunks              int               // files within the document
	stopped             bool              // the rest is not wanted
	err                 error             // why not
}

// story is a part with text: the document, its notes, its comments. Relations are those of
// the part, and fields do not reach from one into another.
type story struct {
	part   string
	rels   map[string]ooxml.Relation
	fields []field
}

// blocks receives blocks: a [markdown.Writer], or a cell.
type blocks interface {
	Heading(level int, text string)
	Paragraph(text string)
	Item(depth int, marker, text string)
	Within(depth int, text string)
	Quote(text string)
	Code(language, text string)
	Block(text string)
	Rule()
	Table(rows [][]string)
	MoreRows(width int, rows [][]string)
	Full() bool
}

// flow is a sequence of blocks: the document, a cell, a text box, a note.
type flow struct {
	to    blocks
	top   bool       // reading ends when it is full
	items []listItem // the open items, from the outermost
	code  []byte     // lines of the code that is not written yet
	begun *paragraph // the beginning of a paragraph that the next one continues
	spare *paragraph // one to use again
}

// warning is a kind of warning.
type warning uint8

const (
	longParagraph warning = 1 << iota
	importedPart
	lostNotes
	lostChart
	longPart
)

// warn reports something once.
func (r *renderer) warn(w warning, t fault.Text) {
	if r.warned&w == 0 {
		r.warned |= w
		r.q.Warning(t)
	}
}

// enter begins a part. It returns the story to go on with after it.
func (r *renderer) enter(part string) (before story) {
	before = r.story
	all := r.parts.Relations(part)
	r.story = story{part: part, rels: make(map[string]ooxml.Relation, len(all))}
	for _, rel := range all {
		r.rels[rel.ID] = rel
	}
	return before
}

// find goes on to the next element of a name.
func (r *renderer) find(s *xmlscan.Scanner, name string) bool {
	for !r.stopped {
		switch s.Next() {
		case xmlscan.EOF:
			return false
		case xmlscan.Start:
			if s.Name() == name {
				return true
			}
		}
	}
	return false
}

// children calls visit for each child of the element that just began and goes on to its
// end, unless the rest is not wanted.
func (r *renderer) children(s *xmlscan.Scanner, visit func(name string)) {
	for name := range s.Children {
		visit(name)
		if r.stopped {
			return
		}
	}
}

// blocks reads the blocks of an element.
func (r *renderer) blocks(s *xmlscan.Scanner, f *flow) {
	r.children(s, func(name string) { r.block(s, name, f) })
}

// full reports whether what comes next is dropped: the window ends or, which is said, a
// cell, a note or a text box has more text than is held.
func (r *renderer) full(f *flow) bool {
	switch {
	case !f.to.Full():
		return false
	case f.top:
		r.stopped = true
	default:
		r.warn(longPart, fault.T("a cell, a note or a text box is too long; the rest of it is not shown"))
	}
	return true
}

// block reads one block.
func (r *renderer) block(s *xmlscan.Scanner, name string, f *flow) {
	if r.full(f) {
		return
	}
	switch name {
	case "w:p":
		if r.err = r.ctx.Err(); r.err != nil {
			r.stopped = true
			return
		}
		r.paragraph(s, f)
	case "w:tbl":
		r.end(f)
		r.table(s, f)
	case "w:sdt", "w:sdtContent", "w:customXml", "w:smartTag":
		r.blocks(s, f)
	case "w:ins", "w:moveTo":
		if r.q.Changes != document.Reject {
			r.blocks(s, f)
		}
	case "w:del", "w:moveFrom":
		if r.shows(deleted) {
			r.blocks(s, f)
		}
	case "mc:AlternateContent":
		r.alternatives(s, func(name string) { r.block(s, name, f) })
	case "w:altChunk":
		r.altChunk(s.String("r:id"), f)
	case "m:oMathPara", "m:oMath", "w:r", "w:hyperlink", "w:fldSimple": // belong into a paragraph
		p := f.next()
		r.inline(s, name, p, look{})
		r.finish(f, p)
	case "w:commentRangeStart", "w:commentRangeEnd":
		r.commentRange(name, s.String("w:id"))
	}
}

// alternatives reads one of the alternatives of an mc:AlternateContent (ECMA-376 part 3,
// 7.4): the first that needs nothing we do not know.
func (r *renderer) alternatives(s *xmlscan.Scanner, visit func(name string)) {
	taken := false
	r.children(s, func(name string) {
		switch {
		case taken:
		case name == "mc:Choice" && !understood(s.String("Requires")):
		case name == "mc:Choice" || name == "mc:Fallback":
			taken = true
			r.children(s, visit)
		}
	})
}

// understood reports whether what a choice requires is read. Ink and 3D models are not;
// their fallback is a picture.
func understood(requires string) bool {
	switch requires {
	case "wpi", "aink", "am3d":
		return false
	}
	return true
}

// end writes what a flow holds back.
func (r *renderer) end(f *flow) {
	if p := f.begun; p != nil {
		f.begun = nil
		r.finish(f, p)
	}
	f.flushCode()
}

// within renders blocks elsewhere: into a text of their own, of at most so many bytes.
func (r *renderer) within(s *xmlscan.Scanner, most int) string {
	w := markdown.NewWriter(markdown.Window{Bytes: most})
	f := &flow{to: w}
	r.blocks(s, f)
	r.end(f)
	return string(w.Bytes())
}
