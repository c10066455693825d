package xlsx

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/files/kind"
)

// maxDrawn limits the pictures and charts of one sheet that are listed.
const maxDrawn = 2 * sheet.MaxExtras

// drawing holds the pictures and charts of a sheet (20.5).
type drawing struct {
	pictures []drawn
	charts   []drawn
}

// drawn is a picture or chart: the relation that leads to it and the cell at its top left
// corner.
type drawn struct {
	cell sheet.Address
	alt  string
	rel  ooxml.Relation
}

func (d *drawing) count() (pictures, charts int) { return len(d.pictures), len(d.charts) }

// drawings returns the pictures and charts on a sheet, in its header and footer and behind it.
func (b *Book) drawings(index int) (all []*drawing) {
	if known, ok := b.drawingsOf[index]; ok {
		return known
	}
	for _, r := range b.pkg.Relations(b.sheets[index].part) {
		switch {
		case len(all) == maxDrawn:
		case r.Type == "drawing" && !r.External:
			all = append(all, b.readDrawing(r.Target))
		case r.Type == "vmlDrawing" && !r.External:
			all = append(all, b.readVML(r.Target))
		case r.Type == "image": // the picture behind the sheet (18.3.1.67)
			all = append(all, &drawing{pictures: []drawn{{cell: sheet.Address{Row: 1}, alt: "background", rel: r}}})
		}
	}
	if b.drawingsOf == nil {
		b.drawingsOf = map[int][]*drawing{}
	}
	b.drawingsOf[index] = all
	return all
}

// readDrawing reads a drawing. What was read of a damaged one is used.
func (b *Book) readDrawing(part string) *drawing {
	d := &drawing{}
	s, closer, err := b.scan(part)
	if err != nil {
		return d
	}
	defer closer.Close()
	rels := b.pkg.Relations(part)
	at, alt, before := sheet.Address{Row: 1}, "", 0
	for kind := s.Next(); kind != xmlscan.EOF && len(d.pictures)+len(d.charts) < maxDrawn; kind = s.Next() {
		if kind != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "xdr:twoCellAnchor", "xdr:oneCellAnchor", "xdr:absoluteAnchor":
			at, alt = sheet.Address{Row: 1}, ""
		case "xdr:from":
			at = readMarker(s)
		case "xdr:pos":
			at = cellAt(s)
		case "xdr:cNvPr":
			if alt = clip(s.String("descr"), maxName); alt == "" {
				alt = clip(s.String("title"), maxName)
			}
		case "a:blip":
			id := s.String("r:embed")
			if id == "" {
				id = s.String("r:link")
			}
			if r, ok := rels.Get(id); ok {
				d.pictures = append(d.pictures, drawn{at, alt, r})
			}
		case "c:chart", "cx:chart":
			if r, ok := rels.Get(s.String("r:id")); ok && !r.External {
				d.charts = append(d.charts, drawn{at, alt, r})
			}
		case "mc:AlternateContent":
			before = len(d.pictures) + len(d.charts)
		case "mc:Fallback": // the same for older programs
			if len(d.pictures)+len(d.charts) > before {
				s.Skip()
			}
		}
	}
	return d
}

// readMarker reads the corner of an anchor (20.5.2.15).
func readMarker(s *xmlscan.Scanner) sheet.Address {
	const longest = 16
	at := sheet.Address{Row: 1}
	for depth := s.Depth(); ; {
		switch s.Next() {
		case xmlscan.Start:
			switch s.Local() {
			case "col":
				if n, ok := digits([]byte(strings.TrimSpace(string(s.All(longest))))); ok && n < maxCol {
					at.Column = n
				}
			case "row":
				if n, ok := digits([]byte(strings.TrimSpace(string(s.All(longest))))); ok && n < maxRow {
					at.Row = n + 1
				}
			}
		case xmlscan.End:
			if s.Depth() < depth {
				return at
			}
		case xmlscan.EOF:
			return at
		}
	}
}

// cellAt returns the cell at an absolute position (20.1.7.6), if no row is higher and no
// column wider than usual: 20 by 64 pixels.
func cellAt(s *xmlscan.Scanner) sheet.Address {
	const pixel = 9525 // in English Metric Units
	x, _ := s.Int("x")
	y, _ := s.Int("y")
	return sheet.Address{Row: max(0, min(y/(20*pixel), maxRow-1)) + 1, Column: max(0, min(x/(64*pixel), maxCol-1))}
}

// readVML reads a drawing in the Vector Markup Language, for the pictures in the header
// and footer of a sheet ([MS-OI29500] 2.1.726). They stand at its top.
func (b *Book) readVML(part string) *drawing {
	d := &drawing{}
	s, closer, err := b.scan(part)
	if err != nil {
		return d
	}
	defer closer.Close()
	rels := b.pkg.Relations(part)
	place := ""
	for kind := s.Next(); kind != xmlscan.EOF && len(d.pictures) < maxDrawn; kind = s.Next() {
		if kind != xmlscan.Start {
			continue
		}
		switch s.Local() {
		case "shape":
			place = headerOf(s.String("id"))
		case "imagedata":
			id := s.String("o:relid")
			if id == "" {
				id = s.String("r:id")
			}
			if r, ok := rels.Get(id); ok {
				alt := clip(s.String("o:title"), maxName)
				if place != "" {
					alt = strings.TrimSuffix(place+": "+alt, ": ")
				}
				d.pictures = append(d.pictures, drawn{sheet.Address{Row: 1}, alt, r})
			}
		}
	}
	return d
}

// headerOf returns the position of a shape by an ID such as LH, the left of the header.
func headerOf(id string) string {
	if len(id) < 2 || !strings.ContainsRune("LCR", rune(id[0])) {
		return ""
	}
	switch id[1] {
	case 'H':
		return "header"
	case 'F':
		return "footer"
	}
	return ""
}

// addDrawing adds the pictures and charts in a window.
func (b *Book) addDrawing(x *sheet.Extras, d *drawing, w sheet.Range) {
	for _, p := range d.pictures {
		switch {
		case !w.Contains(p.cell):
		case len(x.Pictures) == sheet.MaxExtras:
			x.More++
		default:
			x.Pictures = append(x.Pictures, b.picture(p))
		}
	}
	for _, c := range d.charts {
		if !w.Contains(c.cell) {
			continue
		}
		if len(x.Charts) == maxCharts {
			x.More++
			continue
		}
		x.Charts = append(x.Charts, b.chart(c))
	}
}

// maxCharts limits the charts that are read: each may have many rows.
const maxCharts = 50

// chart reads a chart, of a damaged one as much as possible.
func (b *Book) chart(d drawn) sheet.Chart {
	c, err := b.pkg.Chart(d.rel.Target)
	if c == nil || err != nil && len(c.Rows) == 0 {
		return sheet.Chart{Cell: d.cell, Title: d.alt}
	}
	if c.Title == "" {
		c.Title = d.alt
	}
	return sheet.Chart{Cell: d.cell, Title: c.Title, Type: c.Kind, Rows: c.Rows}
}

// picture makes a picture of a relation. What it is, its first bytes say.
func (b *Book) picture(d drawn) sheet.Picture {
	p := sheet.Picture{Cell: d.cell, Alt: strings.TrimSpace(d.alt)}
	if d.rel.External {
		p.Link = d.rel.Target
		return p
	}
	p.MIME = b.imageType(d.rel.Target)
	p.Data = func(context.Context) ([]byte, error) { return b.pkg.Read(d.rel.Target) }
	return p
}

// imageType returns the media type of an image. Many cells may have the same one.
func (b *Book) imageType(part string) string {
	known, ok := b.imageTypes[part]
	if !ok {
		known = b.detectImage(part)
		if b.imageTypes == nil {
			b.imageTypes = map[string]string{}
		}
		b.imageTypes[part] = known
	}
	return known
}

func (b *Book) detectImage(part string) string {
	switch strings.ToLower(path.Ext(part)) {
	case ".emf":
		return "image/emf"
	case ".wmf":
		return "image/wmf"
	}
	if f, err := b.pkg.Open(part); err == nil {
		defer f.Close()
		head := make([]byte, 512)
		if n, err := io.ReadFull(f, head); n > 0 && (err == nil || n < len(head)) {
			if k := kind.Of(head[:n], path.Base(part), nil, b.pkg.Size(part)); k.Class == kind.Image || k.MIME == "image/svg+xml" {
				return k.MIME
			}
		}
	}
	return b.pkg.ContentType(part)
}
