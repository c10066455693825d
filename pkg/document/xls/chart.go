package xls

import (
	"context"
	"strconv"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
)

// Records of a chart (MS-XLS 2.1.7.20.1).
const (
	chartSeriesText = 0x100D
	chartBar        = 0x1017
	chartLine       = 0x1018
	chartPie        = 0x1019
	chartArea       = 0x101A
	chartScatter    = 0x101B
	chartSeries     = 0x1003
	chartText       = 0x1025
	chartLinks      = 0x1027
	chartBegin      = 0x1033
	chartEnd        = 0x1034
	chartRadar      = 0x103E
	chartSurface    = 0x103F
	chartIndex      = 0x1065
)

// Limits of the data of a chart that is shown.
const (
	maxSeries = 64
	maxPoints = 1000
)

// chartReader collects the data of a chart's substream.
type chartReader struct {
	c      sheet.Chart
	depth  int
	series int
	names  []string
	text   string // the last text
	// block is the kind of the cells that follow: 1 values, 2 categories.
	block      int
	values     [][]string // by series
	categories []string
}

// chart reads a chart: its type, its title, and the values that Excel kept with it.
func (b *Book) chart(ctx context.Context, at int64) (sheet.Chart, error) {
	s := b.scan(at)
	r := &chartReader{}
	if !s.next() {
		return r.c, s.err
	}
	depth := 1
	for n := 0; depth > 0 && s.next(); n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return r.c, ctx.Err()
		}
		switch {
		case isBOF(s.id):
			depth++
		case s.id == recEOF:
			depth--
		case depth == 1:
			r.record(b, s)
		}
	}
	r.c.Rows = r.table()
	return r.c, s.err
}

// record reads one record.
func (r *chartReader) record(b *Book, s *scanner) {
	d := s.data
	switch s.id {
	case chartBar:
		r.kind("bar")
		if len(d) >= 6 && d[4]&1 == 0 {
			r.kind("column")
		}
	case chartLine:
		r.kind("line")
	case chartPie:
		r.kind("pie")
	case chartArea:
		r.kind("area")
	case chartScatter:
		r.kind("scatter")
	case chartRadar:
		r.kind("radar")
	case chartSurface:
		r.kind("surface")
	case chartBegin:
		r.depth++
	case chartEnd:
		r.depth--
	case chartSeries:
		r.series++
		if len(r.names) < maxSeries {
			r.names = append(r.names, "")
		}
	case chartText:
		r.text = ""
	case chartSeriesText:
		if len(d) < 4 {
			return
		}
		name, _ := b.nameOf(d[3:], int(d[2]))
		if r.text = name; r.series > 0 && r.series <= len(r.names) && r.depth == 2 {
			r.names[r.series-1] = name
		}
	case chartLinks: // the text before is the title
		if len(d) >= 2 && le16(d) == 1 {
			r.c.Title = r.text
		}
	case chartIndex:
		if len(d) >= 2 {
			r.block = le16(d)
		}
	case recNumber, recLabel, recBoolErr:
		r.cell(b, s)
	}
}

// kind notes the type of the chart; the first one counts.
func (r *chartReader) kind(name string) {
	if r.c.Type == "" || r.c.Type == "bar" {
		r.c.Type = name
	}
}

// cell reads a value that is kept: its row is the point, its column the series.
func (r *chartReader) cell(b *Book, s *scanner) {
	d := s.data
	if len(d) < 8 {
		return
	}
	point, series := le16(d), le16(d[2:])
	if point >= maxPoints || series >= maxSeries {
		return
	}
	text := ""
	switch {
	case s.id == recNumber && len(d) >= 14:
		text = string(numfmt.AppendExact(nil, float(d[6:])))
	case s.id == recLabel && b.version == 8 && len(d) >= 9:
		text, _ = short(d[8:], le16(d[6:]))
	case s.id == recLabel:
		text = b.narrow(d[8:min(len(d), 8+le16(d[6:]))])
	}
	switch r.block {
	case 1:
		for len(r.values) <= series {
			r.values = append(r.values, nil)
		}
		put(&r.values[series], point, text)
	case 2:
		put(&r.categories, point, text)
	}
}

func put(list *[]string, at int, text string) {
	for len(*list) <= at {
		*list = append(*list, "")
	}
	(*list)[at] = text
}

// table returns the data with a row of the series' names above it; nil if there is
// none.
func (r *chartReader) table() [][]string {
	points := len(r.categories)
	for _, v := range r.values {
		points = max(points, len(v))
	}
	if len(r.values) == 0 || points == 0 {
		return nil
	}
	head := []string{""}
	for i := range r.values {
		name := "Series " + strconv.Itoa(i+1)
		if i < len(r.names) && r.names[i] != "" {
			name = r.names[i]
		}
		head = append(head, name)
	}
	rows := [][]string{head}
	for p := range points {
		row := make([]string, 1+len(r.values))
		if p < len(r.categories) {
			row[0] = r.categories[p]
		}
		for i, v := range r.values {
			if p < len(v) {
				row[i+1] = v[p]
			}
		}
		rows = append(rows, row)
	}
	return rows
}
