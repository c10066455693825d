package ooxml

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/omml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of the text of one shape, and of all that one reader reads: a slide.
const (
	maxParagraphs = 50_000
	maxRunText    = 1 << 20  // bytes
	maxText       = 16 << 20 // bytes, with the overhead of each run
	runBytes      = 100
)

// TextReader reads text of DrawingML (ECMA-376 Part 1, 21.1.2): that of shapes, of cells
// of tables on slides, of SmartArt. Equations become LaTeX.
type TextReader struct {
	// Relations are those of the part, for links.
	Relations Relations
	// Cut says that there is more text than is read.
	Cut bool

	used int // of maxText
}

// room returns how much of a run may be read.
func (t *TextReader) room() int {
	if t.used += runBytes; t.used >= maxText {
		t.Cut = true
		return 0
	}
	return min(maxRunText, maxText-t.used)
}

// TextParagraph is a paragraph of a shape.
type TextParagraph struct {
	Level  int    // of the list, from 0
	Bullet Bullet // as far as the paragraph itself says
	Text   markdown.Inline
}

// BulletKind is a kind of [Bullet].
type BulletKind uint8

// The kinds of bullets.
const (
	Inherited  BulletKind = iota // as the style says
	NoBullet                     // a:buNone
	CharBullet                   // a sign or a picture
	AutoNumber                   // a:buAutoNum
)

// Bullet is the mark before a paragraph: a sign, or a number in a scheme such as
// "arabicPeriod", from Start on.
type Bullet struct {
	Kind   BulletKind
	Scheme string
	Start  int
}

// ReadBullet reads the bullet of an a:pPr or a:lvl1pPr, which the last Start opened.
func ReadBullet(s *xmlscan.Scanner) (b Bullet) {
	for name := range s.Children {
		switch name {
		case "a:buNone":
			b = Bullet{Kind: NoBullet}
		case "a:buChar", "a:buBlip":
			b = Bullet{Kind: CharBullet}
		case "a:buAutoNum":
			b = Bullet{Kind: AutoNumber, Scheme: s.String("type"), Start: 1}
			if n, ok := s.Int("startAt"); ok && n > 0 {
				b.Start = n
			}
		}
	}
	return b
}

// Paragraph reads the a:p that the last Start opened.
func (t *TextReader) Paragraph(s *xmlscan.Scanner) (p TextParagraph) {
	for name := range s.Children {
		t.part(s, name, &p)
	}
	return p
}

// Body reads all paragraphs of the element that the last Start opened.
func (t *TextReader) Body(s *xmlscan.Scanner) (all []TextParagraph) {
	for name := range s.Children {
		if name == "a:p" && len(all) < maxParagraphs {
			all = append(all, t.Paragraph(s))
		}
	}
	return all
}

// part reads a part of a paragraph.
func (t *TextReader) part(s *xmlscan.Scanner, name string, p *TextParagraph) {
	switch name {
	case "a:pPr":
		if n, ok := s.Int("lvl"); ok {
			p.Level = max(0, min(n, 8))
		}
		p.Bullet = ReadBullet(s)
	case "a:r", "a:fld":
		t.run(s, p)
	case "a:br":
		if t.room() > 0 {
			p.Text.Break()
		}
	case "a14:m":
		for name := range s.Descendants {
			if name == "m:oMath" || name == "m:oMathPara" {
				p.Text.Math(omml.LaTeX(s))
			}
		}
	case "mc:AlternateContent":
		t.alternate(s, p)
	}
}

// alternate reads what is understood of one or the other content: equations, or what
// stands in for them.
func (t *TextReader) alternate(s *xmlscan.Scanner, p *TextParagraph) {
	done := false
	for name := range s.Children {
		switch {
		case done:
		case name == "mc:Choice" && strings.Contains(s.String("Requires"), "a14"), name == "mc:Fallback":
			done = true
			for name := range s.Children {
				if name != "mc:AlternateContent" {
					t.part(s, name, p)
				}
			}
		}
	}
}

// run reads a run of text or a field, which shows the text that it had last.
func (t *TextReader) run(s *xmlscan.Scanner, p *TextParagraph) {
	var style markdown.Style
	link := ""
	for name := range s.Children {
		switch name {
		case "a:rPr":
			style, link = t.style(s)
		case "a:t":
			text := s.All(t.room())
			t.used += len(text)
			p.Text.Text(lines(string(text)), style, link)
		}
	}
}

// lines returns text with the vertical tabs, which some programs write for line breaks,
// as spaces.
func lines(text string) string {
	if !strings.ContainsAny(text, "\v\n\r\t") {
		return text
	}
	return strings.NewReplacer("\v", " ", "\n", " ", "\r", "", "\t", " ").Replace(text)
}

func (t *TextReader) style(s *xmlscan.Scanner) (style markdown.Style, link string) {
	if s.Bool("b", false) {
		style |= markdown.Bold
	}
	if s.Bool("i", false) {
		style |= markdown.Italic
	}
	if strike := s.String("strike"); strike != "" && strike != "noStrike" {
		style |= markdown.Strike
	}
	switch baseline := s.String("baseline"); {
	case strings.HasPrefix(baseline, "-"):
		style |= markdown.Subscript
	case baseline != "" && strings.Trim(baseline, "0%") != "":
		style |= markdown.Superscript
	}
	for name := range s.Children {
		if name != "a:hlinkClick" {
			continue
		}
		if r, ok := t.Relations.Get(s.String("r:id")); ok && r.External {
			link = r.Target
		}
	}
	return style, link
}

// titleText returns the text of a title or a name, on one line, of what the last Start
// opened: of a:t of rich text, of c:v and cx:v of a cache.
func titleText(s *xmlscan.Scanner) string {
	text, _ := titleAndSource(s)
	return text
}

// titleAndSource returns the text of a title as well, and the formula of the cells that
// it comes from.
func titleAndSource(s *xmlscan.Scanner) (text, source string) {
	var words []string
	var part strings.Builder
	for range s.Descendants {
		switch s.Local() {
		case "p", "br":
			words = append(words, part.String())
			part.Reset()
		case "f":
			source = strings.TrimSpace(string(s.All(maxChartText)))
		case "t", "v":
			part.Write(s.All(max(0, maxChartText-part.Len())))
		}
	}
	words = append(words, part.String())
	text = strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	return text[:min(len(text), maxChartText)], source
}
