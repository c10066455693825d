package ooxml

import (
	"slices"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of SmartArt.
const (
	maxDiagramPoints = 10_000
	maxDiagramDepth  = 32
)

// DiagramItem is a node of SmartArt.
type DiagramItem struct {
	Depth int    // from 0
	Text  string // inline Markdown
}

// diagramPoint is a dgm:pt.
type diagramPoint struct {
	id, kind, text string
	children       []diagramChild
	seen           bool
}

type diagramChild struct {
	id    string
	order int
}

// Diagram reads the text of SmartArt from the part of its data (ECMA-376 Part 1,
// 21.4.2): nested items in their order. What was read before an error is good.
func (p *Package) Diagram(part string) ([]DiagramItem, error) {
	s, file, err := p.Scan(part)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d := diagram{text: TextReader{Relations: p.Relations(part)}, index: map[string]int{}}
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		switch {
		case kind != xmlscan.Start:
		case s.Name() == "dgm:pt":
			d.point(s)
		case s.Name() == "dgm:cxn":
			d.connection(s)
		}
	}
	return d.items(), s.Err()
}

type diagram struct {
	text   TextReader
	points []diagramPoint
	index  map[string]int // by ID
	all    []DiagramItem
}

func (d *diagram) point(s *xmlscan.Scanner) {
	pt := diagramPoint{id: s.String("modelId"), kind: s.String("type")}
	for name := range s.Children {
		if name != "dgm:t" {
			continue
		}
		var text markdown.Inline
		for _, p := range d.text.Body(s) {
			if !text.Empty() && !p.Text.Empty() {
				text.Break()
			}
			text.Raw(p.Text.String())
		}
		pt.text = text.String()
	}
	if _, known := d.index[pt.id]; !known && len(d.points) < maxDiagramPoints {
		d.index[pt.id] = len(d.points)
		d.points = append(d.points, pt)
	}
}

// connection notes who is the child of whom. Points stand before connections.
func (d *diagram) connection(s *xmlscan.Scanner) {
	if kind := s.String("type"); kind != "" && kind != "parOf" {
		return // it says how things are drawn
	}
	if i, ok := d.index[s.String("srcId")]; ok && len(d.points[i].children) < maxDiagramPoints {
		order, _ := s.Int("srcOrd")
		d.points[i].children = append(d.points[i].children, diagramChild{s.String("destId"), order})
	}
}

// items returns the nodes below the document; those that are not below it come last.
func (d *diagram) items() []DiagramItem {
	for i := range d.points {
		if d.points[i].kind == "doc" {
			d.walk(i, -1)
		}
	}
	for i, pt := range d.points {
		if !pt.seen && (pt.kind == "" || pt.kind == "node" || pt.kind == "asst") {
			d.walk(i, 0)
		}
	}
	return d.all
}

func (d *diagram) walk(i, depth int) {
	pt := &d.points[i]
	if pt.seen || depth > maxDiagramDepth {
		return
	}
	pt.seen = true
	if pt.text != "" {
		d.all = append(d.all, DiagramItem{max(0, depth), pt.text})
	}
	slices.SortStableFunc(pt.children, func(a, b diagramChild) int { return a.order - b.order })
	for _, c := range pt.children {
		if next, ok := d.index[c.id]; ok {
			d.walk(next, depth+1)
		}
	}
}
