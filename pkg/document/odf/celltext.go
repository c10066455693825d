package odf

import (
	"context"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// cellText reads the content of the cell that just began: its paragraphs go to r.text. It
// reports whether there were any.
func (r *rowReader) cellText(at sheet.Address) (found bool) {
	s := r.s
	from := len(r.text)
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			return found
		}
		if k != xmlscan.Start {
			continue
		}
		switch name := s.Name(); {
		case name == "text:p":
			if found {
				r.text = append(r.text, '\n')
			}
			found = true
			r.text = r.paragraphText(r.text, from+sheet.MaxText, func(target string) {
				if sheetName, cell := splitAddress(strings.TrimPrefix(target, "#")); strings.HasPrefix(target, "#") && sheetName != "" {
					target = "#" + sheetName + "!" + cell
				}
				one := sheet.Range{Top: at.Row, Left: at.Column, Bottom: at.Row, Right: at.Column}
				r.extras.Links = keep(r.extras, r.extras.Links, sheet.Link{Range: one, Target: target})
			})
		case name == "office:annotation":
			r.annotation(at)
		case strings.HasPrefix(name, "draw:"):
			r.shape(at)
		default:
			s.Skip()
		}
	}
}

// paragraphText appends the plain text of the paragraph that just began, up to a length.
// It reports links.
func (r *rowReader) paragraphText(dst []byte, most int, link func(target string)) []byte {
	s := r.s
	space := true // white space at the beginning says nothing
	for depth := s.Depth(); ; {
		switch s.Next() {
		case xmlscan.EOF:
			return dst
		case xmlscan.End:
			if s.Depth() < depth {
				return dst
			}
		case xmlscan.Text:
			if len(dst) >= most {
				continue
			}
			for _, c := range s.Text() {
				if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
					if !space {
						dst = append(dst, ' ')
					}
					space = true
					continue
				}
				dst, space = append(dst, c), false
			}
		case xmlscan.Start:
			switch s.Name() {
			case "text:s":
				n, ok := s.Int("text:c")
				if !ok {
					n = 1
				}
				for range max(0, min(n, maxSpaces, most-len(dst))) {
					dst = append(dst, ' ')
				}
			case "text:tab":
				dst = append(dst, '\t')
			case "text:line-break":
				dst = append(dst, '\n')
			case "text:a":
				if link != nil {
					link(s.String("xlink:href"))
				}
			case "office:annotation", "text:note", "text:ruby-text":
				s.Skip()
			}
		}
	}
}

// annotation reads the comment on a cell.
func (r *rowReader) annotation(at sheet.Address) {
	s := r.s
	c := sheet.Comment{Cell: at}
	var text []byte
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			break
		}
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "dc:creator":
			c.Author = strings.TrimSpace(string(s.All(200)))
		case "text:p":
			if len(text) > 0 {
				text = append(text, '\n')
			}
			text = r.paragraphText(text, sheet.MaxText, nil)
		case "text:list", "text:list-item":
		default:
			s.Skip()
		}
	}
	c.Text = string(text)
	r.extras.Comments = keep(r.extras, r.extras.Comments, c)
}

// shapes reads the shapes that stand at no cell.
func (r *rowReader) shapes(at sheet.Address) {
	for depth := r.s.Depth(); ; {
		k := r.s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
			return
		}
		if k == xmlscan.Start {
			r.shape(at)
		}
	}
}

// shape reads the shape that just began: a picture or a chart.
func (r *rowReader) shape(at sheet.Address) {
	s := r.s
	p := sheet.Picture{Cell: at}
	title, object := "", ""
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			break
		}
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "draw:image":
			if href := s.String("xlink:href"); href != "" && (p.Link == "" || isVectorName(p.Link)) {
				p.Link, p.MIME = href, s.String("draw:mime-type")
			}
		case "draw:object":
			object = s.String("xlink:href")
			s.Skip()
		case "svg:title":
			title = oneLine(s.All(2000))
		case "svg:desc":
			p.Alt = oneLine(s.All(2000))
		case "office:binary-data":
			data := binaryData(s.All(32 << 20))
			p.MIME = imageType(data, "", p.MIME)
			p.Data = func(context.Context) ([]byte, error) { return data, nil }
		}
	}
	if p.Alt == "" {
		p.Alt = title
	}
	if object != "" && !r.book.parts.flat {
		if c, ok := r.chart(path.Clean(object)); ok {
			c.Cell = at
			r.extras.Charts = keep(r.extras, r.extras.Charts, c)
			return
		}
	}
	switch {
	case p.Data != nil:
		p.Link = ""
	case p.Link == "" || strings.HasPrefix(p.Link, "./ObjectReplacements"):
		return
	case !strings.Contains(p.Link, "://") && !r.book.parts.flat:
		part := path.Clean(p.Link)
		p.Link = ""
		p.MIME = imageTypeOfName(part, p.MIME)
		p.Data = func(context.Context) ([]byte, error) { return r.book.parts.read(part) }
	}
	r.extras.Pictures = keep(r.extras, r.extras.Pictures, p)
}

func isVectorName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".svg", ".emf", ".wmf", ".svm", ".pdf":
		return true
	}
	return false
}

// imageTypeOfName returns the media type of an image by the name of its part, if the
// document does not say.
func imageTypeOfName(name, said string) string {
	if said != "" {
		return said
	}
	switch extension := strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")); extension {
	case "jpg":
		return "image/jpeg"
	case "svg":
		return "image/svg+xml"
	case "":
		return "application/octet-stream"
	default:
		return "image/" + extension
	}
}

// maxChartCells limits the values of a chart that are read.
const maxChartCells = 20_000

// chart reads an embedded chart: the table that it keeps of its values.
func (r *rowReader) chart(folder string) (c sheet.Chart, ok bool) {
	part, err := r.book.parts.open(folder + "/content.xml")
	if err != nil {
		return c, false // its picture stands for it
	}
	defer part.Close()
	s := xmlscan.New(part)
	sub := &rowReader{ctx: r.ctx, book: r.book, s: s, extras: &sheet.Extras{}, next: 1, window: sheet.Window{Range: sheet.All()}}
	cells := 0
	sub.yield = func(row *sheet.Row) bool {
		var line []string
		for i := range row.Cells {
			for len(line) < row.Cells[i].Column && cells < maxChartCells {
				line = append(line, "")
				cells++
			}
			line = append(line, string(row.Cells[i].Display))
			cells++
		}
		c.Rows = append(c.Rows, line)
		return cells < maxChartCells
	}
	for k := s.Next(); k != xmlscan.EOF && r.ctx.Err() == nil; k = s.Next() {
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "chart:chart":
			ok = true
			c.Type = strings.TrimPrefix(s.String("chart:class"), "chart:")
		case "chart:title":
			if title := oneLine(s.All(1000)); c.Title == "" && s.Parent() != "chart:axis" {
				c.Title = title
			}
		case "office:automatic-styles", "office:styles", "chart:axis":
			s.Skip()
		case "table:table":
			sub.table()
			return c, ok
		}
	}
	return c, ok
}
