package ooxml

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of a chart. A program that draws charts allows 255 series of 32,000 points.
const (
	maxSeries     = 255
	maxChartRows  = 5_000
	maxChartCells = 100_000
	maxChartText  = 2_000 // bytes of a name or value
)

// Chart is the data of a chart.
type Chart struct {
	Title string
	Kind  string // "column", "pie", "line, column", …; as the format says it if it is a newer one
	Value string // the title of the axis of values
	// Rows are the data as a table of plain text. The first row has the names of the series.
	Rows [][]string
	Cut  bool // there is more
}

// Chart reads the data of a chart from what its part keeps of it: a DrawingML chart
// (ECMA-376 Part 1, 21.2) or one of the newer ones ([MS-ODRAWXML] 2.24.3). What was read
// before an error is good.
func (p *Package) Chart(part string) (*Chart, error) {
	s, file, err := p.Scan(part)
	if err != nil {
		return &Chart{}, err
	}
	defer file.Close()
	return readChart(s), s.Err()
}

// Write writes the chart as a table with a line that says what it is. name stands in for
// a title that it does not have.
func (c *Chart) Write(w *markdown.Writer, name string) {
	title := c.Title
	if title == "" {
		title = name
	}
	line := "Chart"
	if title != "" {
		line += " **" + markdown.Escape(strings.Join(strings.Fields(title), " ")) + "**"
	}
	var about []string
	if c.Kind != "" {
		about = append(about, c.Kind)
	}
	if c.Value != "" {
		about = append(about, "values: "+markdown.Escape(c.Value))
	}
	if len(about) > 0 {
		line += " (" + strings.Join(about, "; ") + ")"
	}
	w.Paragraph(line)
	rows := make([][]string, len(c.Rows))
	for i, r := range c.Rows {
		rows[i] = make([]string, len(r))
		for j, text := range r {
			rows[i][j] = markdown.Escape(text)
		}
	}
	w.Table(rows)
	if c.Cut {
		w.Paragraph("*(the chart has more data)*")
	}
}

// chartReader reads a chart.
type chartReader struct {
	chart    Chart
	kinds    []string
	series   []series
	axis     string   // the title of the axis of categories
	values   []string // those of the axes of values
	date1904 bool
	cells    int // so many were read
	formats  map[string]*numfmt.Format
}

// series is a series of values. All are by the index of the point.
type series struct {
	name   string
	keys   [][]string // categories, the outermost level first; or the x of each point
	values [][]string // one column; of bubbles, a second one with sizes
	isXY   bool
}

func readChart(s *xmlscan.Scanner) *Chart {
	r := chartReader{formats: map[string]*numfmt.Format{}}
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		switch {
		case kind != xmlscan.Start:
		case s.Name() == "c:chartSpace":
			r.space(s)
		case s.Name() == "cx:chartSpace":
			r.newerSpace(s)
		}
	}
	r.chart.Kind = strings.Join(r.kinds, ", ")
	r.table()
	return &r.chart
}

func (r *chartReader) space(s *xmlscan.Scanner) {
	for name := range s.Children {
		switch name {
		case "c:date1904":
			r.date1904 = s.Bool("val", true)
		case "c:chart":
			for name := range s.Children {
				switch name {
				case "c:title":
					r.chart.Title = titleText(s)
				case "c:plotArea":
					r.plotArea(s)
				}
			}
		}
	}
}

func (r *chartReader) plotArea(s *xmlscan.Scanner) {
	for name := range s.Children {
		switch local := strings.TrimPrefix(name, "c:"); {
		case strings.HasSuffix(local, "Chart"):
			r.group(s, strings.TrimSuffix(strings.TrimSuffix(local, "Chart"), "3D"))
		case local == "catAx" || local == "dateAx":
			for name := range s.Children {
				if name == "c:title" && r.axis == "" {
					r.axis = titleText(s)
				}
			}
		case local == "valAx":
			for name := range s.Children {
				if name == "c:title" {
					r.values = append(r.values, titleText(s))
				}
			}
		}
	}
	if scatters := len(r.series) > 0 && r.series[0].isXY; scatters && len(r.values) > 1 {
		r.axis, r.values = r.values[0], r.values[1:]
	}
	r.chart.Value = strings.Join(r.values, ", ")
}

// group reads the series that are drawn in one way.
func (r *chartReader) group(s *xmlscan.Scanner, kind string) {
	for name := range s.Children {
		switch {
		case name == "c:barDir" && s.String("val") == "col":
			kind = "column"
		case name == "c:ser" && len(r.series) < maxSeries:
			r.series = append(r.series, r.one(s))
		case name == "c:ser":
			r.chart.Cut = true
		}
	}
	r.addKind(kind)
}

func (r *chartReader) addKind(kind string) {
	if !slices.Contains(r.kinds, kind) && len(r.kinds) < 10 {
		r.kinds = append(r.kinds, kind)
	}
}

// one reads a series.
func (r *chartReader) one(s *xmlscan.Scanner) (one series) {
	for name := range s.Children {
		switch name {
		case "c:tx":
			name, source := titleAndSource(s)
			if one.name = name; name == "" && source != "" {
				one.name = "=" + source
			}
		case "c:cat":
			one.keys = r.levels(s)
		case "c:xVal":
			one.keys, one.isXY = r.levels(s), true
		case "c:val", "c:yVal", "c:bubbleSize":
			if levels := r.levels(s); len(levels) > 0 {
				one.values = append(one.values, levels[0])
			}
		}
	}
	return one
}

// levels reads what a cache or a literal holds, by the index of the point: one list, or
// those of the levels of categories, the outermost first.
func (r *chartReader) levels(s *xmlscan.Scanner) (levels [][]string) {
	number, code, source := false, "", ""
	begin := func() {
		if n := len(levels); n == 0 || len(levels[n-1]) > 0 {
			levels = append(levels, nil)
		}
	}
	begin()
	for range s.Descendants {
		switch s.Local() {
		case "f":
			source = strings.TrimSpace(string(s.All(maxChartText)))
		case "numCache", "numLit":
			number = true
			begin()
		case "strCache", "strLit":
			begin()
		case "lvl":
			code = s.String("formatCode")
			begin()
		case "formatCode":
			code = string(s.All(maxChartText))
		case "pt":
			at, ok := s.Int("idx")
			own, text := s.String("formatCode"), strings.TrimSpace(string(s.All(maxChartText)))
			if own == "" {
				own = code
			}
			if number {
				text = r.number(text, own)
			}
			if ok {
				last := &levels[len(levels)-1]
				*last = r.set(*last, at, text)
			}
		}
	}
	if len(levels) == 1 && len(levels[0]) == 0 && source != "" {
		levels[0] = r.set(nil, 0, "="+source) // some programs write no cache
	}
	for i, j := 0, len(levels)-1; i < j; i, j = i+1, j-1 {
		levels[i], levels[j] = levels[j], levels[i]
	}
	inner := levels[len(levels)-1]
	for l, outer := range levels[:len(levels)-1] { // an outer category is named once
		if n := len(inner); n > len(outer) {
			outer = r.set(outer, n-1, "")
			levels[l] = outer
		}
		for i := 1; i < len(outer); i++ {
			if outer[i] == "" {
				outer[i] = outer[i-1]
			}
		}
	}
	return levels
}
