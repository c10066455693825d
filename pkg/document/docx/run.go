package docx

import (
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/omml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// change is a tracked change of text (17.13.5).
type change bool

const (
	inserted change = false
	deleted  change = true
)

// shows reports whether changed text is shown.
func (r *renderer) shows(c change) bool {
	r.q.Changed()
	switch r.q.Changes {
	case document.All:
		return true
	case document.Reject:
		return c == deleted
	}
	return c == inserted
}

// inline reads an element of a paragraph.
func (r *renderer) inline(s *xmlscan.Scanner, name string, p *paragraph, like look) {
	within := func(like look) {
		r.children(s, func(name string) { r.inline(s, name, p, like) })
	}
	switch name {
	case "w:r":
		r.run(s, p, like)
	case "w:hyperlink":
		if to := r.rels[s.String("r:id")]; to.External && !strings.HasPrefix(to.Target, "#") {
			like.link = withAnchor(to.Target, s.String("w:anchor"))
		}
		within(like)
	case "w:hlink": // of Word 2003
		if to := s.String("w:dest"); to != "" {
			like.link = withAnchor(to, s.String("w:bookmark"))
		}
		within(like)
	case "w:fldSimple":
		if link := linkOf(s.String("w:instr")); link != "" {
			like.link = link
		}
		within(like)
	case "w:ins", "w:moveTo":
		if r.shows(inserted) {
			if r.q.Changes == document.All {
				like.style |= markdown.Inserted
			}
			within(like)
		}
	case "w:del", "w:moveFrom":
		if r.shows(deleted) {
			if r.q.Changes == document.All {
				like.style |= markdown.Deleted
			}
			within(like)
		}
	case "w:sdt", "w:sdtContent", "w:smartTag", "w:customXml", "w:dir", "w:bdo":
		within(like)
	case "mc:AlternateContent":
		r.alternatives(s, func(name string) { r.inline(s, name, p, like) })
	case "m:oMath":
		p.insert(inlineMath(omml.LaTeX(s)))
	case "m:oMathPara":
		p.insert(displayMath(omml.LaTeX(s)))
	case "w:commentRangeStart", "w:commentRangeEnd":
		r.commentRange(name, s.String("w:id"))
	default:
		r.content(s, name, p, like, 0)
	}
}

// run reads a w:r (17.3.2.25).
func (r *renderer) run(s *xmlscan.Scanner, p *paragraph, like look) {
	var m marks
	r.children(s, func(name string) {
		if name == "w:rPr" {
			direct, style := r.runProperties(s, nil)
			m = direct
			if style != "" {
				m = r.styles.character(style).over(direct)
			}
			return
		}
		on := m.on
		if p.hidden && m.known&hidden == 0 {
			on |= hidden
		}
		if on&monospace != 0 {
			on |= flags(markdown.Code)
		}
		look := look{like.style | markdown.Style(on), like.link}
		r.content(s, name, p, look, on)
	})
}

// content reads an element of a run.
func (r *renderer) content(s *xmlscan.Scanner, name string, p *paragraph, like look, on flags) {
	switch name {
	case "w:instrText", "w:delInstrText":
		r.instruction(s)
		return
	case "w:fldChar":
		r.fieldChar(s, p, like)
		return
	}
	if on&hidden != 0 || r.inInstruction() {
		return
	}
	if like.link == "" {
		like.link = r.fieldLink()
	}
	switch name {
	case "w:t", "w:delText":
		for depth := s.Depth(); !r.stopped; {
			switch s.Next() {
			case xmlscan.Text:
				r.text(p, s.Text(), like, on)
			case xmlscan.End:
				if s.Depth() < depth {
					return
				}
			case xmlscan.EOF:
				return
			}
		}
	case "w:tab", "w:ptab":
		r.write(p, []byte{'\t'}, like)
	case "w:br":
		if kind, _ := s.Attr("w:type"); len(kind) == 0 || string(kind) == "textWrapping" {
			p.lineBreak()
		} else if len(p.source) > 0 { // a page ends between two words
			r.write(p, []byte{' '}, like)
		}
	case "w:cr":
		p.lineBreak()
	case "w:noBreakHyphen":
		r.text(p, []byte("\u2011"), like, on)
	case "w:sym":
		if c := symbol(s.String("w:font"), s.String("w:char")); c != 0 {
			r.text(p, utf8.AppendRune(nil, c), like, on)
		}
	case "w:footnoteReference":
		p.insert(r.footnotes.refer(s.String("w:id"), ""))
	case "w:endnoteReference":
		p.insert(r.endnotes.refer(s.String("w:id"), "e"))
	case "w:commentReference":
		r.comments.refer(s.String("w:id"))
	case "w:drawing", "w:pict", "w:object":
		r.drawing(s, name, p, like)
	case "mc:AlternateContent":
		r.alternatives(s, func(name string) { r.content(s, name, p, like, on) })
	case "w:ruby":
		r.ruby(s, p, like)
	case "w:r": // in a ruby or a broken file
		r.run(s, p, like)
	}
}

// text adds text of a run.
func (r *renderer) text(p *paragraph, text []byte, like look, on flags) {
	if on&monospace == 0 && !blank(text) {
		p.other = true
	}
	r.write(p, text, like)
}

func blank(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\t' && c != '\n' {
			return false
		}
	}
	return true
}

// ruby writes text and, in parentheses, how it is spoken (17.3.3.25).
func (r *renderer) ruby(s *xmlscan.Scanner, p *paragraph, like look) {
	spoken := &paragraph{}
	r.children(s, func(name string) {
		switch name {
		case "w:rt":
			r.children(s, func(name string) { r.inline(s, name, spoken, look{}) })
		case "w:rubyBase":
			r.children(s, func(name string) { r.inline(s, name, p, like) })
		}
	})
	if len(spoken.source) > 0 {
		r.write(p, append(append([]byte("("), spoken.source...), ')'), like)
		p.other = true
	}
}

func inlineMath(latex string) string {
	if latex == "" {
		return ""
	}
	return "$" + latex + "$"
}

func displayMath(latex string) string {
	if latex == "" {
		return ""
	}
	return "$$" + latex + "$$"
}

func withAnchor(target, anchor string) string {
	if anchor == "" {
		return target
	}
	return target + "#" + anchor
}
