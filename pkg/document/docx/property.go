package docx

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// flags are properties of text: the bits of a markdown.Style, and others.
type flags uint16

const (
	hidden    flags = 1 << (8 + iota)
	monospace       // its font has letters of one width
)

// marks are properties of text that a style or a run sets or takes away; others are
// inherited.
type marks struct{ known, on flags }

func (m *marks) set(f flags, on bool) {
	m.known |= f
	m.on &^= f
	if on {
		m.on |= f
	}
}

// over returns m with what the more specific one says.
func (m marks) over(more marks) marks {
	return marks{m.known | more.known, m.on&^more.known | more.on}
}

// runProperties reads a w:rPr (17.3.2). mark is called for what only the properties of a
// paragraph's mark have; it may be nil.
func (r *renderer) runProperties(s *xmlscan.Scanner, mark func(name string)) (m marks, style string) {
	r.children(s, func(name string) {
		switch name {
		case "w:rStyle":
			style = s.String("w:val")
		case "w:ins", "w:del", "w:moveFrom", "w:moveTo":
			if mark != nil {
				mark(name)
			}
		case "w:rPrChange":
			if r.q.Changes == document.Reject {
				m, style = marks{}, ""
				r.children(s, func(name string) {
					if name == "w:rPr" {
						m, style = r.runProperties(s, nil)
					}
				})
			}
		default:
			m.read(s, name)
		}
	})
	return m, style
}

// read reads one property.
func (m *marks) read(s *xmlscan.Scanner, name string) {
	switch name {
	case "w:b":
		m.set(flags(markdown.Bold), s.Bool("w:val", true))
	case "w:i":
		m.set(flags(markdown.Italic), s.Bool("w:val", true))
	case "w:strike", "w:dstrike":
		m.set(flags(markdown.Strike), s.Bool("w:val", true))
	case "w:vanish":
		m.set(hidden, s.Bool("w:val", true))
	case "w:vertAlign":
		v, _ := s.Attr("w:val")
		m.set(flags(markdown.Superscript), string(v) == "superscript")
		m.set(flags(markdown.Subscript), string(v) == "subscript")
	case "w:rFonts":
		if font, ok := s.Attr("w:ascii"); ok {
			m.set(monospace, isMonospace(string(font)))
		} else if _, ok := s.Attr("w:asciiTheme"); ok {
			m.set(monospace, false)
		}
	}
}

// isMonospace reports whether a font is one that code is set in. Courier is not: whole
// documents are typed in it.
func isMonospace(font string) bool {
	font = strings.ToLower(font)
	switch font {
	case "consolas", "menlo", "monaco", "lucida console", "inconsolata", "monospace", "sfmono-regular":
		return true
	}
	return strings.HasSuffix(font, " mono") || strings.HasSuffix(font, " code") || strings.HasPrefix(font, "source code")
}

// unset is a number that a file does not give.
const unset = -1

// properties are those of a paragraph (17.3.1).
type properties struct {
	style    string
	list     int // w:numId; 0 is none
	level    int // w:ilvl
	outline  int // 0 is the level of "heading 1", 9 that of text
	indent   int // in twentieths of a point
	left     int // the same of the first line, if that hangs
	joins    bool
	inserted bool // the mark at its end was
	deleted  bool
}

func noProperties() properties {
	return properties{list: unset, level: unset, outline: unset}
}

// over returns p with what the more specific one says.
func (p properties) over(more properties) properties {
	if more.list != unset {
		p.list = more.list
	}
	if more.level != unset {
		p.level = more.level
	}
	if more.outline != unset {
		p.outline = more.outline
	}
	if more.indent != 0 {
		p.indent, p.left = more.indent, more.left
	}
	return p
}

// properties reads a w:pPr. text is called with the properties of text in it, if it is not nil.
func (r *renderer) properties(s *xmlscan.Scanner) properties {
	p := noProperties()
	r.children(s, func(name string) {
		switch name {
		case "w:rPr":
			r.runProperties(s, func(name string) {
				switch name {
				case "w:ins", "w:moveTo":
					p.inserted = true
				default:
					p.deleted = true
				}
			})
		case "w:pPrChange":
			if r.q.Changes == document.Reject {
				inserted, deleted := p.inserted, p.deleted
				r.children(s, func(name string) {
					if name == "w:pPr" {
						p = r.properties(s)
					}
				})
				p.inserted, p.deleted = inserted, deleted
			}
		case "w:numPr", "w:listPr":
			r.children(s, func(name string) { p.readList(s, name) })
		default:
			p.read(s, name)
		}
	})
	return p
}

// read reads one property.
func (p *properties) read(s *xmlscan.Scanner, name string) {
	switch name {
	case "w:pStyle":
		p.style = s.String("w:val")
	case "w:outlineLvl":
		if n, ok := s.Int("w:val"); ok && n >= 0 && n <= 9 {
			p.outline = n
		}
	case "w:ind":
		p.indent = indentation(s)
		hanging, _ := s.Attr("w:hanging")
		p.left = p.indent - twips(hanging)
	case "w:framePr":
		if v, _ := s.Attr("w:dropCap"); string(v) == "drop" || string(v) == "margin" {
			p.joins = true
		}
	}
}

// indentation returns that of the w:ind that just began.
func indentation(s *xmlscan.Scanner) int {
	left, ok := s.Attr("w:left")
	if !ok {
		left, _ = s.Attr("w:start")
	}
	return twips(left)
}

// readList reads one property of a w:numPr (17.3.1.19).
func (p *properties) readList(s *xmlscan.Scanner, name string) {
	switch name {
	case "w:numId", "w:ilfo":
		if n, ok := s.Int("w:val"); ok && n >= 0 {
			p.list = n
		}
	case "w:ilvl":
		if n, ok := s.Int("w:val"); ok && n >= 0 && n < levels {
			p.level = n
		}
	}
}

// twips reads a length: twentieths of a point, or a number with a unit (strict, 22.9.2.14).
func twips(v []byte) int {
	text := string(v)
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n > 1e6 || n < -1e6 {
		return 0
	}
	switch text[len(number):] {
	case "pt":
		n *= 20
	case "in":
		n *= 1440
	case "cm":
		n *= 567
	case "mm":
		n *= 56.7
	case "pc", "pi":
		n *= 240
	}
	return int(n)
}
