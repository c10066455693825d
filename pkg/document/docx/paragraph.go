package docx

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of a paragraph, in bytes.
const (
	maxParagraph = 4 << 20
	maxBox       = 1 << 20 // of a text box
)

// paragraph collects the content of a paragraph.
type paragraph struct {
	properties
	text   markdown.Inline
	source []byte // the same without any style, for a paragraph that turns out to be code
	raw    bool   // there is more in it than text
	other  bool   // and text that is not monospace
	rule   bool   // it has a line across the page
	hidden bool   // by its style, unless a run says otherwise
	boxes  []string

	// A run is held back until one looks different: Word cuts words into many.
	run  []byte
	like look
}

// look is the style and the link of a run.
type look struct {
	style markdown.Style
	link  string
}

// next returns the paragraph that comes next: the one that was begun, or an empty one.
func (f *flow) next() *paragraph {
	p := f.begun
	f.begun = nil
	if p == nil {
		if p = f.spare; p == nil {
			p = &paragraph{}
		}
		f.spare = nil
		p.text.Reset()
		*p = paragraph{text: p.text, source: p.source[:0], run: p.run[:0]}
	}
	p.properties, p.hidden = noProperties(), false
	return p
}

// paragraph reads a w:p (17.3.1.22).
func (r *renderer) paragraph(s *xmlscan.Scanner, f *flow) {
	p := f.next()
	r.children(s, func(name string) {
		if name == "w:pPr" {
			p.properties = r.properties(s)
			p.hidden = p.style != "" && r.styles.get(p.style).on&hidden != 0
			return
		}
		r.inline(s, name, p, look{})
	})
	r.closeFields()
	changes := r.q.Changes
	switch {
	case p.joins, p.deleted && (changes == document.Accept || changes == ""), p.inserted && changes == document.Reject:
		f.begun = p
	default:
		r.finish(f, p)
	}
}

func (r *renderer) write(p *paragraph, text []byte, like look) {
	if len(text) == 0 {
		return
	}
	if room := maxParagraph - len(p.source); len(text) > room {
		r.warn(longParagraph, fault.T("a paragraph is longer than %d bytes; the rest of it is not shown", maxParagraph))
		text = text[:max(0, room)]
	}
	p.source = append(p.source, text...)
	if like.style&(markdown.Inserted|markdown.Deleted) != 0 {
		p.raw = true // code cannot show changes
	}
	r.comments.quote(text)
	if like != p.like {
		p.flush()
		p.like = like
	}
	for _, c := range text {
		if c == '\n' { // within text, a line end is a space
			c = ' '
		}
		p.run = append(p.run, c)
	}
}

// flush adds the run that is held back.
func (p *paragraph) flush() {
	if len(p.run) > 0 {
		p.text.Text(string(p.run), p.like.style, p.like.link)
		p.run = p.run[:0]
	}
}

// insert adds Markdown: a picture, a reference, a formula.
func (p *paragraph) insert(text string) {
	if text != "" {
		p.flush()
		p.text.Raw(text)
		p.raw = true
	}
}

// lineBreak ends a line.
func (p *paragraph) lineBreak() {
	if len(p.source) < maxParagraph {
		p.flush()
		p.text.Break()
		p.source = append(p.source, '\n')
	}
}

// finish writes a paragraph in the form that its style and its list define.
func (r *renderer) finish(f *flow, p *paragraph) {
	p.flush()
	st := r.styles.usual
	if p.style != "" {
		st = r.styles.get(p.style)
	}
	all := st.properties.over(p.properties)
	level := st.heading
	if level == 0 && st.role == plain && all.outline >= 0 && all.outline < levels {
		level = all.outline + 1
	}
	label, numbered := "", false
	if all.list > 0 {
		if p.level == unset && p.list == unset && st.level == unset {
			all.level = r.numbering.levelOf(all.list, p.style)
		}
		label, numbered = r.numbering.next(all.list, max(0, all.level))
	}
	isCode := st.role == source || level == 0 && st.role == plain && !numbered && (!p.other || st.on&monospace != 0)
	switch {
	case isCode && !p.raw && len(strings.TrimSpace(string(p.source))) > 0:
		f.addCode(p.source)
	case p.text.Empty():
		if p.rule {
			f.flushCode()
			f.items = f.items[:0]
			f.to.Rule()
		} else if len(f.code) > 0 && isCode {
			f.addCode(nil)
		}
	default:
		f.flushCode()
		r.put(f, p, st, &all, level, label, numbered)
	}
	for _, box := range p.boxes {
		f.flushCode()
		f.items = f.items[:0]
		f.to.Block(box)
	}
	f.spare = p
}

// put writes a paragraph that is not empty.
func (r *renderer) put(f *flow, p *paragraph, st *style, all *properties, level int, label string, numbered bool) {
	text := p.text.String()
	switch {
	case level > 0 || st.role == title:
		f.items = f.items[:0]
		if numbered && label != "-" && label != "" {
			text = markdown.Escape(label) + " " + text
		}
		f.to.Heading(max(1, level), text)
	case numbered && label != "":
		f.to.Item(f.open(r.item(p, st, all)), label, text)
	case len(f.items) > 0 && (st.role == itemText || numbered || p.isWithin(f.items[len(f.items)-1])) && st.role != quotation:
		f.to.Within(f.openAt(all.level), text)
	case st.role == quotation || p.left > 0 && st.role != itemText && !numbered:
		f.items = f.items[:0]
		f.to.Quote(text)
	default:
		f.items = f.items[:0]
		f.to.Paragraph(text)
	}
}

// isWithin reports whether a paragraph is indented as the text of an item is.
func (p *paragraph) isWithin(i listItem) bool {
	return p.indent > 0 && p.indent > i.indent-indentTolerance
}

// indentTolerance is the largest distance, in twentieths of a point, that does not count as
// indentation.
const indentTolerance = 150

// listItem is an open item of a list.
type listItem struct{ list, level, indent int }

// item returns where the item stands that a paragraph is.
func (r *renderer) item(p *paragraph, st *style, all *properties) listItem {
	i := listItem{all.list, max(0, all.level), p.indent}
	if i.indent == 0 && st.list != unset {
		i.indent = st.indent
	}
	if i.indent == 0 {
		i.indent = r.numbering.indentOf(i.list, i.level)
	}
	return i
}

// open begins an item and returns how many others it is in. A list may begin at any level,
// and one that is indented more than another is within it.
func (f *flow) open(i listItem) int {
	n := len(f.items)
	for n > 0 && !f.items[n-1].holds(i) {
		n--
	}
	f.items = append(f.items[:n], i)
	return n
}

func (i listItem) holds(other listItem) bool {
	deeper := other.indent - i.indent
	if i.list == other.list || deeper > -indentTolerance && deeper < indentTolerance {
		return i.level < other.level
	}
	return deeper > 0
}

// openAt returns which of the open items a paragraph at a level stands in; the last one if
// it has no level.
func (f *flow) openAt(level int) int {
	n := len(f.items) - 1
	for level != unset && n > 0 && f.items[n].level > level {
		n--
	}
	return n
}

// addCode holds a line of code back, to be written with its neighbours.
func (f *flow) addCode(line []byte) {
	f.items = f.items[:0]
	if len(f.code) > maxParagraph {
		f.flushCode()
	}
	f.code = append(append(f.code, line...), '\n')
}

// flushCode writes the code that is held back.
func (f *flow) flushCode() {
	if len(f.code) > 0 {
		f.to.Code("", strings.Trim(string(f.code), "\n"))
		f.code = f.code[:0]
	}
}
