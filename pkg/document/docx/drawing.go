package docx

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxShown limits the pictures remembered so that one in several places is read once.
const maxShown = 1000

// maxBoxes limits the text boxes, charts and diagrams of one paragraph.
const maxBoxes = 1000

// graphic holds the properties of a drawing that precede its picture.
type graphic struct{ alt, link string }

// drawing reads what is drawn: DrawingML (20.4), VML (part 4, 19), embedded objects by
// the picture that stands for them. Text in it comes after the paragraph.
func (r *renderer) drawing(s *xmlscan.Scanner, name string, p *paragraph, like look) {
	g := graphic{link: like.link}
	r.drawn(s, name, p, &g)
}

func (r *renderer) drawn(s *xmlscan.Scanner, name string, p *paragraph, g *graphic) {
	switch name {
	case "wp:docPr", "pic:cNvPr", "wps:cNvPr", "wpg:cNvPr":
		if alt := description(s); alt != "" && (g.alt == "" || !isFileName(alt)) {
			g.alt = alt
		}
	case "a:hlinkClick":
		if to := r.rels[s.String("r:id")]; to.External {
			g.link = to.Target
		}
	case "a:blip": // of an SVG, the PNG that stands for it
		if id := s.String("r:embed"); id != "" {
			r.picture(p, id, g)
		} else if id := s.String("r:link"); id != "" {
			r.picture(p, id, g)
		}
		return
	case "v:shape", "v:rect", "v:roundrect", "v:oval", "v:image", "v:group":
		if alt := s.String("alt"); alt != "" {
			g.alt = alt
		}
		p.rule = p.rule || s.Bool("o:hr", false)
	case "v:imagedata":
		if alt := s.String("o:title"); g.alt == "" {
			g.alt = alt
		}
		if id := s.String("r:id"); id != "" {
			r.picture(p, id, g)
		} else if id := s.String("r:href"); id != "" {
			r.picture(p, id, g)
		}
		return
	case "v:textpath":
		r.write(p, []byte(s.String("string")), look{link: g.link})
		p.other = true
		return
	case "c:chart", "cx:chart":
		r.chart(p, r.rels[s.String("r:id")].Target, g)
	case "dgm:relIds":
		r.diagram(p, r.rels[s.String("r:dm")].Target)
	case "w:txbxContent":
		fields := r.fields
		r.fields = nil
		if box := r.within(s, maxBox); box != "" && len(p.boxes) < maxBoxes {
			p.boxes = append(p.boxes, box)
		}
		r.fields = fields
		return
	case "mc:AlternateContent":
		r.alternatives(s, func(name string) { r.drawn(s, name, p, g) })
		return
	}
	r.children(s, func(name string) { r.drawn(s, name, p, g) })
}

// chart shows the data of a chart after the paragraph.
func (r *renderer) chart(p *paragraph, part string, g *graphic) {
	if part == "" || len(p.boxes) == maxBoxes {
		return
	}
	c, err := r.parts.Chart(part)
	if err != nil && len(c.Rows) == 0 {
		r.warn(lostChart, fault.T("a chart cannot be read: %s", err.Error()))
		return
	}
	w := markdown.NewWriter(markdown.Window{Bytes: maxBox})
	c.Write(w, g.alt)
	p.boxes = append(p.boxes, string(w.Bytes()))
}

// diagram shows the text of SmartArt after the paragraph.
func (r *renderer) diagram(p *paragraph, part string) {
	if part == "" || len(p.boxes) == maxBoxes {
		return
	}
	items, err := r.parts.Diagram(part)
	if err != nil && len(items) == 0 {
		r.warn(lostChart, fault.T("a diagram cannot be read: %s", err.Error()))
		return
	}
	w := markdown.NewWriter(markdown.Window{Bytes: maxBox})
	for _, item := range items {
		w.Item(item.Depth, "-", item.Text)
	}
	p.boxes = append(p.boxes, string(w.Bytes()))
}

// description returns the alternative text of the element that just began. Some programs
// keep the name of the file there, and the text in the title.
func description(s *xmlscan.Scanner) string {
	text, title := s.String("descr"), s.String("title")
	if text == "" || title != "" && isFileName(text) {
		return title
	}
	return text
}

func isFileName(text string) bool {
	switch strings.ToLower(path.Ext(text)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".emf", ".wmf", ".webp":
		return true
	}
	return false
}

// picture shows the picture of a relation.
func (r *renderer) picture(p *paragraph, id string, g *graphic) {
	rel, ok := r.rels[id]
	if !ok || r.q.Image == nil {
		return
	}
	key := rel.Target + "\x00" + g.alt
	text, known := r.shown[key]
	if !known {
		i, err := r.parts.Image(rel, g.alt)
		if err == nil {
			text = r.q.Show(i)
		} else {
			text = r.q.Show(document.Image{Alt: g.alt, Link: rel.Target})
		}
		if r.shown == nil {
			r.shown = map[string]string{}
		}
		if len(r.shown) < maxShown {
			r.shown[key] = text
		}
	}
	if g.link != "" && text != "" {
		text = markdown.Link(text, g.link)
	}
	p.insert(text)
}
