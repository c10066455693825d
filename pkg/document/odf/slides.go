package odf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxShapes limits the shapes of one slide that are read.
const maxShapes = 20_000

// slideShape is a shape of a slide with its text.
type slideShape struct {
	class  string // title, subtitle, outline, …; "" for a shape of one's own
	x, y   float64
	blocks []block
}

// page reads the slide that just began: its title, its shapes in the order in which people
// read them, and its notes.
func (r *reader) page(p place) {
	r.slide++
	if !r.pages.Has(r.slide) {
		r.s.Skip()
		return
	}
	r.read++
	r.q.At(r.read, r.pages.Len())
	chain := r.styles.chain("drawing-page", r.s.String("draw:style-name"))
	hidden := look{}.apply(chain).hidden
	shapes, notes := r.shapes()
	title := ""
	slices.SortStableFunc(shapes, inReadingOrder)
	for i, s := range shapes {
		if s.class == "title" && title == "" {
			c := collected{s.blocks}
			title = strings.TrimSpace(strings.ReplaceAll(c.lines(" "), "\\\n", " "))
			shapes[i].blocks = nil
		}
	}
	head := "Slide "
	if strings.HasSuffix(r.parts.format(), "odg") {
		head = "Page "
	}
	head += strconv.Itoa(r.slide)
	if title != "" {
		head += ": " + title
	}
	if hidden {
		head += " (hidden)"
	}
	p.write(r, block{what: headingBlock, level: 2, text: head})
	for _, s := range shapes {
		for _, b := range s.blocks {
			p.put(b)
		}
	}
	if text := notes.lines("\n\n"); text != "" {
		p.put(block{what: quoteBlock, text: "Notes: " + text})
	}
}

// inReadingOrder compares shapes: the placeholders first, then from top to bottom, and
// from left to right those that begin at about one height.
func inReadingOrder(a, b slideShape) int {
	const band = 0.13 // centimetres
	return cmp.Or(cmp.Compare(rank(a.class), rank(b.class)), cmp.Compare(int(a.y/band), int(b.y/band)), cmp.Compare(a.x, b.x))
}

func rank(class string) int {
	switch class {
	case "title":
		return 0
	case "subtitle":
		return 1
	}
	return 2
}

// shapes reads the shapes and the notes of the slide that just began.
func (r *reader) shapes() (shapes []slideShape, notes collected) {
	for depth := r.s.Depth(); !r.done(); {
		k := r.s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
			break
		}
		if k != xmlscan.Start {
			continue
		}
		var in collected
		inner := place{sink: &in, flat: true}
		class := r.s.String("presentation:class")
		switch name := r.s.Name(); {
		case name == "presentation:notes":
			about, _ := r.shapes()
			for _, s := range about {
				if s.class == "notes" {
					notes.blocks = append(notes.blocks, s.blocks...)
				}
			}
		case r.s.String("presentation:placeholder") == "true", len(shapes) >= maxShapes,
			class == "page-number", class == "footer", class == "header", class == "date-time", class == "page",
			name == "draw:page-thumbnail":
			r.s.Skip()
		case name == "office:annotation":
			r.readComment(true)
		case strings.HasPrefix(name, "draw:") || strings.HasPrefix(name, "dr3d:") || strings.HasPrefix(name, "table:"):
			s := slideShape{class: class, x: length(r.s.String("svg:x")), y: length(r.s.String("svg:y"))}
			if at := r.s.String("draw:transform"); at != "" {
				s.x, s.y = moved(at)
			}
			r.block(inner)
			s.blocks = in.blocks
			shapes = append(shapes, s)
		default:
			r.s.Skip()
		}
	}
	return shapes, notes
}

// length returns a length such as "2.54cm" in centimetres; 0 if it is not a length.
func length(text string) float64 {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz%")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n != n || n > 1e5 || n < -1e5 {
		return 0
	}
	switch text[len(number):] {
	case "in":
		return n * 2.54
	case "mm":
		return n / 10
	case "pt":
		return n * 2.54 / 72
	case "px":
		return n * 2.54 / 96
	case "pc":
		return n * 2.54 / 6
	}
	return n
}

// moved returns where a transformation such as "rotate (1.57) translate (2cm 3cm)" puts a
// shape.
func moved(transform string) (x, y float64) {
	_, rest, found := strings.Cut(transform, "translate")
	if !found {
		return 0, 0
	}
	var a, b string
	rest = strings.TrimLeft(strings.TrimSpace(rest), "( ")
	if n, err := fmt.Sscanf(strings.NewReplacer(",", " ", ")", " ").Replace(rest), "%s %s", &a, &b); err != nil && n == 0 {
		return 0, 0
	}
	return length(a), length(b)
}
