package pptx

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of one slide. PowerPoint becomes unusable long before.
const (
	maxShapes     = 20_000
	maxParagraphs = 100_000
	maxCells      = 200_000 // of all tables
	maxGroups     = 32      // in one another
)

// slide is the content of a slide.
type slide struct {
	title  string
	hidden bool
	shapes []*shape
	rels   ooxml.Relations
	cut    bool // there is more
}

// shape is a shape with what it shows. Most show one thing.
type shape struct {
	placeholder
	frame
	name, alt  string
	hidden     bool
	paragraphs []paragraph
	rows       [][]string
	picture    string // ID of a relation, as all of these
	chart      string
	diagram    string
	object     string // its kind, if it cannot be shown
	group      []*shape
}

// paragraph is a paragraph of a shape with its bullet.
type paragraph struct {
	level  int
	bullet ooxml.Bullet
	text   string // inline Markdown
}

// slideReader reads one slide.
type slideReader struct {
	ctx                  context.Context
	d                    *Document
	slide                slide
	text                 ooxml.TextReader
	layout               *layout
	shapes, paras, cells int
}

// readSlide reads a slide. What was read before an error is good.
func (d *Document) readSlide(ctx context.Context, ref slideRef) (*slide, error) {
	r := slideReader{ctx: ctx, d: d}
	r.slide.rels = d.parts.Relations(ref.part)
	r.text = ooxml.TextReader{Relations: r.slide.rels}
	r.layout = d.readLayout(r.slide.rels, "slideLayout")
	s, file, err := d.parts.Scan(ref.part)
	if err != nil {
		return &r.slide, err
	}
	defer file.Close()
	for name := range rooted(s) {
		switch name {
		case "p:sld":
			r.slide.hidden = !s.Bool("show", true)
		case "p:spTree":
			r.slide.shapes = r.tree(s, nil, 0)
		}
	}
	for i, sh := range r.slide.shapes {
		if sh.isTitle() && r.slide.title == "" {
			r.slide.title = titleText(sh.paragraphs)
			if r.slide.title != "" {
				r.slide.shapes[i].paragraphs = nil
			}
		}
	}
	r.slide.cut = r.slide.cut || r.text.Cut
	if err := ctx.Err(); err != nil {
		return &r.slide, err
	}
	return &r.slide, s.Err()
}

func titleText(paragraphs []paragraph) string {
	var lines []string
	for _, p := range paragraphs {
		lines = append(lines, p.text)
	}
	return strings.Join(lines, "\n")
}

// titleOf returns the title that a p:sp has, as plain text; "" if it is no title.
func titleOf(s *xmlscan.Scanner) string {
	title := false
	var words []string
	for name := range s.Children {
		switch name {
		case "p:nvSpPr":
			about := readProperties(s)
			title = about.isTitle() && !about.hidden
		case "p:txBody":
			if !title {
				continue
			}
			for name := range s.Descendants {
				switch name {
				case "a:p", "a:br":
					words = append(words, " ")
				case "a:t":
					words = append(words, string(s.All(maxTitle)))
				}
			}
		}
	}
	text := oneLine(strings.Join(words, ""))
	return strings.ToValidUTF8(text[:min(len(text), maxTitle)], "")
}

// maxTitle is the longest title in an outline, in bytes.
const maxTitle = 1_000

// readProperties reads the name, the alternative text and the placeholder of a shape from
// its p:nvSpPr or the like.
func readProperties(s *xmlscan.Scanner) (sh shape) {
	for name := range s.Descendants {
		switch name {
		case "p:cNvPr":
			sh.name, sh.hidden = oneLine(s.String("name")), s.Bool("hidden", false)
			if sh.alt = oneLine(s.String("descr")); sh.alt == "" {
				sh.alt = oneLine(s.String("title"))
			}
		case "p:ph":
			sh.is = true
			if sh.kind = s.String("type"); sh.kind == "" {
				sh.kind = "obj"
			}
			sh.index, _ = s.Int("idx")
		case "a:videoFile", "a:quickTimeFile":
			sh.object = "video"
		case "a:audioFile", "a:wavAudioFile", "a:audioCd":
			sh.object = "audio"
		}
	}
	return sh
}

// tree reads the shapes of the slide or of a group, appended to all.
func (r *slideReader) tree(s *xmlscan.Scanner, all []*shape, depth int) []*shape {
	for name := range s.Children {
		all = r.member(s, name, all, depth)
	}
	return all
}

func (r *slideReader) member(s *xmlscan.Scanner, name string, all []*shape, depth int) []*shape {
	switch name {
	case "p:sp", "p:pic", "p:graphicFrame", "p:grpSp", "p:cxnSp":
		if r.shapes++; r.shapes > maxShapes || depth > maxGroups || r.ctx.Err() != nil {
			r.slide.cut = true
			return all
		}
		var sh *shape
		if name == "p:grpSp" {
			sh = r.group(s, depth)
		} else {
			sh = r.shape(s)
		}
		if !sh.hidden && !sh.isFooter() {
			all = append(all, sh)
		}
	case "mc:AlternateContent":
		done := false
		for name := range s.Children {
			if !done && (name == "mc:Choice" && understood(s.String("Requires")) || name == "mc:Fallback") {
				done = true
				all = r.tree(s, all, depth+1)
			}
		}
	case "p:controls":
		for name := range s.Descendants {
			if r.shapes++; name == "p:control" && r.shapes <= maxShapes {
				all = append(all, &shape{object: "control", name: oneLine(s.String("name"))})
			}
		}
	}
	return all
}

// understood reports whether the content that requires some namespaces can be read. They
// are named by prefixes, which are always the same.
func understood(requires string) bool {
	for prefix := range strings.FieldsSeq(requires) {
		switch {
		case strings.HasPrefix(prefix, "cx"), strings.HasPrefix(prefix, "p1"), strings.HasPrefix(prefix, "a1"), prefix == "asvg":
		default:
			return false
		}
	}
	return true
}

// group reads a p:grpSp. Its shapes stay together.
func (r *slideReader) group(s *xmlscan.Scanner, depth int) *shape {
	g := &shape{}
	var in inner
	for name := range s.Children {
		switch name {
		case "p:nvGrpSpPr":
			about := readProperties(s)
			g.name, g.alt, g.hidden = about.name, about.alt, about.hidden
		case "p:grpSpPr":
			g.frame, in = readGroupFrame(s)
		default:
			g.group = r.member(s, name, g.group, depth+1)
		}
	}
	settle(g, in)
	return g
}

// settle moves what is in a group to where it is on the slide, and a group that does not
// say where it is to its first shape.
func settle(g *shape, in inner) {
	for _, sh := range g.group {
		move(sh, g.frame, in)
	}
	if g.placed && (g.w > 0 || g.h > 0) {
		return
	}
	for i, sh := range g.group {
		if i == 0 || sh.y < g.y {
			g.y = sh.y
		}
		if i == 0 || sh.x < g.x {
			g.x = sh.x
		}
	}
}

func move(sh *shape, group frame, in inner) {
	sh.frame = sh.frame.within(group, in)
	for _, child := range sh.group {
		move(child, group, in)
	}
}

// shape reads any shape but a group.
func (r *slideReader) shape(s *xmlscan.Scanner) *shape {
	sh := &shape{}
	for name := range s.Children {
		switch name {
		case "p:nvSpPr", "p:nvPicPr", "p:nvGraphicFramePr", "p:nvCxnSpPr":
			*sh = readProperties(s)
		case "p:spPr":
			r.look(s, sh)
		case "p:xfrm":
			sh.frame = readFrame(s)
		case "p:blipFill":
			sh.picture = readBlip(s)
		case "p:txBody":
			r.body(s, sh)
		case "a:graphic":
			r.graphic(s, sh)
		}
	}
	sh.frame, _ = r.layout.inherit(sh.placeholder, sh.frame, listStyle{}, listStyle{})
	return sh
}

// look reads what a shape looks like: where it stands, and a picture that fills it.
func (r *slideReader) look(s *xmlscan.Scanner, sh *shape) {
	for name := range s.Children {
		switch name {
		case "a:xfrm":
			sh.frame = readFrame(s)
		case "a:blipFill":
			sh.picture = readBlip(s)
		}
	}
}

// readBlip returns the relation of a picture: that of what stands in for an SVG, if there
// is both, as it can be looked at by more.
func readBlip(s *xmlscan.Scanner) (id string) {
	for name := range s.Descendants {
		switch name {
		case "a:blip":
			if id = s.String("r:embed"); id == "" {
				id = s.String("r:link")
			}
		case "asvg:svgBlip":
			if id == "" {
				id = s.String("r:embed")
			}
		}
	}
	return id
}

// body reads the text of a shape.
func (r *slideReader) body(s *xmlscan.Scanner, sh *shape) {
	var own listStyle
	for name := range s.Children {
		switch name {
		case "a:lstStyle":
			own = readListStyle(s)
		case "a:p":
			if r.paras++; r.paras > maxParagraphs {
				r.slide.cut = true
				continue
			}
			p := r.text.Paragraph(s)
			if !p.Text.Empty() {
				sh.paragraphs = append(sh.paragraphs, paragraph{p.Level, p.Bullet, p.Text.String()})
			}
		}
	}
	_, style := r.layout.inherit(sh.placeholder, sh.frame, own, r.d.style)
	for i := range sh.paragraphs {
		if p := &sh.paragraphs[i]; p.bullet.Kind == ooxml.Inherited {
			p.bullet = style[p.level]
		}
	}
}

// plain returns Markdown of the text in a cell of a table: its paragraphs on lines.
func (r *slideReader) plain(s *xmlscan.Scanner) string {
	var text markdown.Inline
	var numbers numbering
	for name := range s.Children {
		if name != "a:p" {
			continue
		}
		if r.paras++; r.paras > maxParagraphs {
			r.slide.cut = true
			continue
		}
		p := r.text.Paragraph(s)
		if p.Text.Empty() {
			continue
		}
		if !text.Empty() {
			text.Break()
		}
		switch marker := numbers.marker(p.Level, p.Bullet); marker {
		case "":
		case "-":
			text.Raw("• ")
		default:
			text.Raw(markdown.Escape(marker) + " ")
		}
		text.Raw(p.Text.String())
	}
	return text.String()
}
