package ooxml

import (
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/numfmt"
)

// number returns a cached number in a form that is easy to calculate with. Other values,
// such as #N/A, stay unchanged.
func (r *chartReader) number(text, code string) string {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	f := r.formats[code]
	if f == nil {
		if f = numfmt.Parse(code); len(r.formats) < maxSeries {
			r.formats[code] = f
		}
	}
	return strings.TrimSpace(string(f.AppendAuto(nil, value, numfmt.Options{Date1904: r.date1904})))
}

// set returns points with one of them set, if the limits allow.
func (r *chartReader) set(points []string, at int, text string) []string {
	more := at + 1 - len(points)
	if at < 0 || at >= maxChartRows || more > 0 && r.cells+more > maxChartCells {
		r.chart.Cut = true
		return points
	}
	if more > 0 {
		r.cells += more
		points = append(points, make([]string, more)...)
	}
	points[at] = text
	return points
}

// table makes one table of the series: beside one another if they have the same
// categories, else one under the other.
func (r *chartReader) table() {
	keys, width := [][]string(nil), 0
	same := true
	for _, s := range r.series {
		width = max(width, len(s.keys))
		switch {
		case len(s.keys) == 0 || len(s.keys) == 1 && len(s.keys[0]) == 0:
		case keys == nil:
			keys = s.keys
		case !slices.EqualFunc(keys, s.keys, slices.Equal):
			same = false
		}
	}
	switch {
	case len(r.series) == 0:
	case same:
		r.beside(keys)
	default:
		r.below(width)
	}
}

func (r *chartReader) beside(keys [][]string) {
	var head []string
	for range len(keys) - 1 {
		head = append(head, "")
	}
	if head = append(head, r.axis); r.axis == "" && r.series[0].isXY {
		head[0] = "x"
	}
	columns := slices.Clone(keys)
	if len(keys) == 0 {
		columns = append(columns, nil)
	}
	for i, s := range r.series {
		for j, values := range s.values {
			head, columns = append(head, r.name(i, j)), append(columns, values)
		}
	}
	r.chart.Rows = append(r.chart.Rows, head)
	rows := 0
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	for i := range rows {
		row, used := make([]string, len(columns)), false
		for c, values := range columns {
			if i < len(values) {
				row[c] = values[i]
				used = used || row[c] != ""
			}
		}
		if len(keys) == 0 {
			row[0] = strconv.Itoa(i + 1)
		}
		if !used {
			continue
		}
		if r.used(len(row)); r.chart.Cut && r.cells > 2*maxChartCells {
			return
		}
		r.chart.Rows = append(r.chart.Rows, row)
	}
}

// below writes each series with its own categories, which take so many columns.
func (r *chartReader) below(width int) {
	extra := 0
	for _, s := range r.series {
		extra = max(extra, len(s.values))
	}
	head := make([]string, 1+width+extra)
	head[0], head[width] = "series", r.axis
	if r.axis == "" && r.series[0].isXY {
		head[width] = "x"
	}
	if extra > 0 {
		if head[width+1] = "value"; r.series[0].isXY {
			head[width+1] = "y"
		}
	}
	if extra > 1 {
		head[width+2] = "size"
	}
	r.chart.Rows = append(r.chart.Rows, head)
	for n, s := range r.series {
		rows := 0
		for _, values := range s.values {
			rows = max(rows, len(values))
		}
		for i := range rows {
			row := make([]string, len(head))
			row[0] = r.name(n, 0)
			for c, keys := range s.keys {
				if i < len(keys) {
					row[1+c] = keys[i]
				}
			}
			for c, values := range s.values {
				if i < len(values) {
					row[1+width+c] = values[i]
				}
			}
			if r.used(len(row)); r.chart.Cut && r.cells > 2*maxChartCells {
				return
			}
			r.chart.Rows = append(r.chart.Rows, row)
		}
	}
}

// used counts cells of the table. They are about as many as were read, unless the series
// have very different lengths.
func (r *chartReader) used(cells int) {
	if r.cells += cells; r.cells > 2*maxChartCells {
		r.chart.Cut = true
	}
}

// name returns the name of a series, or of its sizes.
func (r *chartReader) name(i, column int) string {
	name := r.series[i].name
	if name == "" {
		name = "Series " + strconv.Itoa(i+1)
	}
	if column > 0 {
		name += " (size)"
	}
	return name
}
