package odf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxParagraph is the longest text that is one paragraph, in bytes. A longer one goes
	// on in another.
	maxParagraph = 256 << 10
	// maxSpaces limits the spaces that one element stands for.
	maxSpaces = 1000
)

// paragraph is one that is being read.
type paragraph struct {
	r      *reader
	form   form
	item   *item // the item of a list that it is in
	look   look  // of the text
	link   string
	header bool // a heading without a number
	hidden bool // nothing of it is to be seen

	in      markdown.Inline
	pending []byte // text that is not in yet: it looks as style and link say
	style   markdown.Style
	to      string
	plain   []byte // the text alone, for code
	size    int
	space   bool // more white space says nothing
	began   bool
	ended   bool // its first piece was put
	after   []block
}

// text adds text as it is.
func (p *paragraph) text(b []byte, style markdown.Style, link string) {
	if len(b) == 0 {
		return
	}
	if style != p.style || link != p.to {
		p.settle()
		p.style, p.to = style, link
	}
	p.pending = append(p.pending, b...)
	if p.form.code {
		p.plain = append(p.plain, b...)
	}
	p.size += len(b)
	p.r.quote(b)
}

// settle passes the pending text on.
func (p *paragraph) settle() {
	p.in.Text(string(p.pending), p.style, p.to)
	p.pending = p.pending[:0]
}

// raw adds inline Markdown.
func (p *paragraph) raw(markdown string) {
	p.settle()
	p.in.Raw(markdown)
	p.space = false
	p.size += len(markdown)
}

// literal adds text of the file, in which white space counts as one space (part 3, 6.1.2).
func (p *paragraph) literal(b []byte, style markdown.Style, link string) {
	at := 0
	for i, c := range b {
		white := c == ' ' || c == '\n' || c == '\t' || c == '\r'
		if white && c == ' ' && !p.space && p.began {
			p.space = true
			continue // one space stays as it is
		}
		if white {
			p.text(b[at:i], style, link)
			at = i + 1
			if !p.space && p.began {
				p.text([]byte{' '}, style, link)
			}
			p.space = true
			continue
		}
		p.space, p.began = false, true
	}
	p.text(b[at:], style, link)
}

// end puts the paragraph, and then the blocks that belong to it.
func (p *paragraph) end(to place) {
	p.put(to)
	for _, b := range p.after {
		to.write(p.r, b)
	}
	p.after = nil
}

// split ends the paragraph and begins another one.
func (p *paragraph) split(to place) {
	p.put(to)
	p.form = form{look: p.form.look, code: p.form.code}
	p.space, p.began = false, false
}

// put writes the part of the paragraph that was read.
func (p *paragraph) put(to place) {
	p.settle()
	r := p.r
	code := p.form.code && len(p.plain) > 0 && !to.flat && p.item == nil
	switch {
	case p.hidden:
	case p.in.Empty() && !(p.form.code && len(r.codeLines) > 0):
	case code || p.form.code && p.in.Empty():
		to.write(r, block{what: codeBlock, text: string(p.plain)})
	case p.form.level > 0:
		text := p.in.String()
		if label := r.headingLabel(p); label != "" {
			text = markdown.Escape(label) + " " + text
		}
		to.write(r, block{what: headingBlock, level: p.form.level, text: text})
	case p.item != nil:
		to.write(r, p.item.block(p.in.String()))
	case p.form.quote && !to.flat:
		to.write(r, block{what: quoteBlock, text: p.in.String()})
	default:
		to.write(r, block{what: paragraphBlock, text: p.in.String()})
	}
	p.in.Reset()
	p.plain, p.size, p.ended = p.plain[:0], 0, true
}

// headingLabel returns the number of a heading, as its list or the outline has it.
func (r *reader) headingLabel(p *paragraph) string {
	if p.item != nil {
		label := p.item.count()
		if label == "-" {
			return ""
		}
		return label
	}
	o := r.styles.outline
	level := p.form.level - 1
	if o == nil || p.header || p.ended || level >= maxLevels || !o.levels[level].defined {
		return ""
	}
	r.headings.next(o, level, nil)
	if o.levels[level].format == "" {
		return ""
	}
	return r.headings.label(o, level)
}

// inline reads the content of the element that just began.
func (r *reader) inline(to place, p *paragraph, l look, link string) {
	for depth := r.s.Depth(); !r.done(); {
		switch r.s.Next() {
		case xmlscan.EOF:
			return
		case xmlscan.End:
			if r.s.Depth() < depth {
				return
			}
		case xmlscan.Text:
			if style, shown := r.shown(l); shown {
				p.literal(r.s.Text(), style, link)
			}
			if p.size > maxParagraph {
				p.split(to)
			}
		case xmlscan.Start:
			outer, outerLink := p.look, p.link
			p.look, p.link = l, link
			r.inlineElement(to, p)
			p.look, p.link = outer, outerLink
		}
	}
}

// shown returns the style of text with regard to tracked changes, and whether it is to be
// shown at all.
func (r *reader) shown(l look) (markdown.Style, bool) {
	switch {
	case l.hidden:
		return 0, false
	case r.gone():
		return 0, false
	case (r.deleting || r.removed > 0) && r.q.Changes == document.All:
		return l.style | markdown.Deleted, true
	case r.inserted > 0 && r.q.Changes == document.All:
		return l.style | markdown.Inserted, true
	}
	return l.style, true
}

// inlineElement reads the element that just began within a paragraph.
func (r *reader) inlineElement(to place, p *paragraph) {
	style, shown := r.shown(p.look)
	switch name := r.s.Name(); name {
	case "text:span":
		r.inline(to, p, r.styles.text(p.look, r.s.String("text:style-name")), p.link)
	case "text:a", "draw:a":
		link := r.s.String("xlink:href")
		if strings.HasPrefix(link, "#") {
			link = "" // to another place of the document
		}
		r.inline(to, p, p.look, link)
	case "text:s":
		n, ok := r.s.Int("text:c")
		if !ok {
			n = 1
		}
		if shown {
			p.text([]byte(strings.Repeat(" ", max(0, min(n, maxSpaces)))), style, p.link)
			p.space = false
		}
	case "text:tab", "text:tab-stop":
		if shown {
			p.text([]byte{'\t'}, style, p.link)
			p.space = false
		}
	case "text:line-break":
		if shown {
			if p.form.code {
				p.plain = append(p.plain, '\n')
			}
			p.raw("\\\n")
			p.began = true
		}
	case "text:note", "text:footnote", "text:endnote":
		r.readNote(p, shown)
	case "office:annotation":
		r.readComment(shown)
	case "office:annotation-end":
		r.endComment(r.s.String("office:name"))
	case "text:change", "text:change-start", "text:change-end":
		r.changeMark(to, p)
	case "text:hidden-paragraph":
		p.hidden = p.hidden || r.isHidden()
		r.s.Skip()
	case "text:hidden-text":
		if r.isHidden() {
			r.s.Skip()
			return
		}
		r.inline(to, p, p.look, p.link)
	case "text:ruby-text", "text:script", "office:event-listeners", "text:tracked-changes", "office:forms":
		r.s.Skip()
	case "text:p", "text:h", "text:list", "table:table":
		// Blocks within a paragraph are those of a shape.
		var box collected
		r.block(place{sink: &box, flat: true})
		p.after = append(p.after, box.blocks...)
	default:
		if strings.HasPrefix(name, "draw:") || strings.HasPrefix(name, "dr3d:") {
			if !shown {
				r.s.Skip()
				return
			}
			r.frame(to, p)
			return
		}
		r.inline(to, p, p.look, p.link)
	}
}

// readNote reads a footnote or endnote.
func (r *reader) readNote(p *paragraph, shown bool) {
	label := ""
	var body collected
	inserted, removed := r.inserted, r.removed
	r.inserted, r.removed = 0, 0 // within the note, changes begin and end by themselves
	for depth := r.s.Depth(); !r.done(); {
		k := r.s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
			break
		}
		if k != xmlscan.Start {
			continue
		}
		switch r.s.Name() {
		case "text:note-citation", "text:footnote-citation", "text:endnote-citation":
			label = strings.TrimSpace(string(r.s.All(100)))
		case "text:note-body", "text:footnote-body", "text:endnote-body":
			held := r.codeLines
			r.codeLines = nil
			r.blocks(place{sink: &body, flat: true})
			r.codeLines = held
		default:
			r.s.Skip()
		}
	}
	r.inserted, r.removed = inserted, removed
	if !shown {
		return
	}
	label = r.noteLabel(label)
	r.notes = append(r.notes, note{label, strings.TrimSpace(body.lines("\n\n"))})
	r.held += 64
	p.raw("[^" + label + "]")
}

// noteLabel returns a label that is like the one people see and that no other note has.
func (r *reader) noteLabel(seen string) string {
	label := strings.Map(func(c rune) rune {
		if c < utf8.RuneSelf && (c < '0' || c > '9' && c|0x20 < 'a' || c|0x20 > 'z') {
			return -1
		}
		return c
	}, seen)
	if label == "" || r.noteLabels[label] {
		label = "n" + strconv.Itoa(len(r.notes)+1)
	}
	r.noteLabels[label] = true
	return label
}

// missing warns of a picture that cannot be read.
func (r *reader) missing(part string) {
	r.q.Warning(fault.T("the picture %s is missing or damaged", part))
}
