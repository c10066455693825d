package rtf

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
)

// paragraph is one that is being read.
type paragraph struct {
	in    markdown.Inline
	plain strings.Builder
	prose bool   // some of it is not code
	label string // of an item of a list
	size  int
	after []string // boxes at it
}

// show adds text to the paragraph.
func (r *reader) show(text string) {
	look, shown := r.look()
	if !shown {
		return
	}
	link := ""
	if r.st.field != nil {
		link = r.st.field.link
	}
	p := r.p
	if strings.TrimSpace(text) != "" && look&markdown.Code == 0 {
		p.prose = true
	}
	if r.headingLevel() > 0 {
		look &^= markdown.Bold | markdown.Italic | markdown.Code
	}
	p.in.Text(text, look, link)
	p.plain.WriteString(text)
	if p.size += len(text); p.size > maxParagraph {
		r.endParagraph()
	}
}

func (r *reader) lineBreak() {
	if _, shown := r.look(); shown && r.st.to == body {
		r.p.in.Break()
		r.p.plain.WriteByte('\n')
	}
}

// headingLevel returns the level of the paragraph as a heading; 0 if it is not one.
func (r *reader) headingLevel() int {
	if r.st.para.outline > 0 {
		return r.st.para.outline
	}
	s := r.styles[r.st.para.style]
	switch {
	case s == nil || r.st.flow != nil || r.st.para.table > 0:
		return 0
	case s.outline > 0:
		return s.outline
	case s.name == "title":
		return 1
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(s.name, "heading ")); err == nil && n > 0 && n < 10 {
		return n
	}
	return 0
}

// endParagraph writes the paragraph, or keeps it where it belongs.
func (r *reader) endParagraph() {
	p := r.p
	after := p.after
	r.p = &paragraph{}
	text := p.in.String()
	empty := p.in.Empty()
	if p.label == "" { // programs that know no lists write their signs as text
		if before, rest, ok := strings.Cut(text, "\t"); ok && isListSign(before) {
			p.label, text = before, rest
		}
	}
	switch f := r.st.flow; {
	case f != nil:
		if !empty {
			f.lines = append(f.lines, withLabel(p.label, text))
			r.held += len(text) + 16
		}
		f.lines = append(f.lines, after...)
		return
	case r.st.para.table > 0:
		if !empty {
			r.lines = append(r.lines, withLabel(p.label, text))
			r.held += len(text) + 16
		}
		r.lines = append(r.lines, after...)
		return
	}
	r.flushTable()
	if !empty {
		level := r.headingLevel()
		isCode := level == 0 && !p.prose && strings.TrimSpace(p.label) == ""
		if !isCode {
			r.flushCode()
		}
		switch {
		case level > 0:
			r.w.Heading(level, withLabel(p.label, text))
		case isCode && !strings.HasPrefix(strings.TrimSpace(text), "!["):
			r.codes = append(r.codes, p.plain.String())
			r.held += p.plain.Len()
		case strings.TrimSpace(p.label) != "":
			r.w.Item(r.st.para.level, label(p.label), text)
		default:
			r.w.Paragraph(text)
		}
	} else {
		r.flushCode()
	}
	for _, line := range after {
		r.flushCode()
		r.w.Paragraph(line)
	}
}

// withLabel returns text after its label, in a place where no list can be.
func withLabel(before, text string) string {
	if l := label(before); l != "" && strings.TrimSpace(before) != "" {
		return markdown.Escape(l) + " " + text
	}
	return text
}

// label returns the marker of an item: "-" for all bullets.
func label(text string) string {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0123456789.()abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" && text != "o" && text != "" {
		return text
	}
	for _, c := range text {
		if c < 0x2000 && c != 0xb7 && c != 0xa7 && c != 'o' && c != '*' {
			return text
		}
	}
	return "-"
}

// isListSign reports whether text before a tab is the mark of an item.
func isListSign(text string) bool {
	digits := strings.TrimRight(text, ".)")
	if len(text) == 2 && isLetter(text[0]) && (text[1] == '.' || text[1] == ')') {
		return true
	}
	return text == "•" || text == "–" || len(digits) == len(text)-1 && digits != "" && len(digits) < 4 && strings.Trim(digits, "0123456789") == ""
}

func (r *reader) flushCode() {
	if len(r.codes) > 0 {
		r.w.Code("", strings.Join(r.codes, "\n"))
		r.codes = r.codes[:0]
	}
}

// addNote keeps a footnote and refers to it.
func (r *reader) addNote(f *flow) {
	if _, shown := r.look(); !shown {
		return
	}
	r.notes = append(r.notes, strings.TrimSpace(strings.Join(f.lines, "\n\n")))
	r.p.in.Raw("[^" + strconv.Itoa(len(r.notes)) + "]")
	r.p.prose = true
}

func (r *reader) addComment(f *flow) {
	by := strings.TrimSpace(r.by)
	if by == "" {
		by = "?"
	}
	r.comments = append(r.comments, "**"+markdown.Escape(by)+"**: "+strings.TrimSpace(strings.Join(f.lines, " ")))
	r.by = ""
}

func (r *reader) writeNotes() {
	for i, text := range r.notes {
		r.w.Note(strconv.Itoa(i+1), text)
	}
	if len(r.comments) > 0 {
		r.w.Paragraph("**Comments**")
	}
	for _, text := range r.comments {
		r.w.Item(0, "-", text)
	}
}
