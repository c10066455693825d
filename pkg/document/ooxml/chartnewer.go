package ooxml

import (
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// newerData is a cx:data: what series refer to.
type newerData struct {
	id string
	series
}

// newerSpace reads one of the newer charts: waterfalls, treemaps, sunbursts, histograms,
// funnels, boxes. Data stands before the series.
func (r *chartReader) newerSpace(s *xmlscan.Scanner) {
	var all []newerData
	for name := range s.Descendants {
		switch name {
		case "cx:data":
			if len(all) < maxSeries {
				all = append(all, r.newerData(s))
			}
		case "cx:title":
			if title := titleText(s); r.chart.Title == "" {
				r.chart.Title = title
			}
		case "cx:axis": // its title is not that of the chart
			s.Skip()
		case "cx:series":
			r.newerSeries(s, all)
		}
	}
}

func (r *chartReader) newerData(s *xmlscan.Scanner) (d newerData) {
	d.id = s.String("id")
	for name := range s.Children {
		numeric := name == "cx:numDim"
		if !numeric && name != "cx:strDim" {
			continue
		}
		kind := s.String("type")
		var levels [][]string
		if numeric {
			levels = r.newerNumbers(s)
		} else {
			levels = r.levels(s)
		}
		switch {
		case !numeric || kind == "x":
			d.keys = append(d.keys, levels...)
		case len(levels) > 0:
			d.values = append(d.values, levels[0])
		}
	}
	return d
}

// newerNumbers reads the levels of a cx:numDim.
func (r *chartReader) newerNumbers(s *xmlscan.Scanner) (levels [][]string) {
	for name := range s.Children {
		if name != "cx:lvl" || len(levels) == maxSeries {
			continue
		}
		code := s.String("formatCode")
		var points []string
		for name := range s.Children {
			if at, ok := s.Int("idx"); ok && name == "cx:pt" {
				points = r.set(points, at, r.number(string(s.All(maxChartText)), code))
			}
		}
		levels = append(levels, points)
	}
	return levels
}

// newerSeries reads a series, whose data is among all.
func (r *chartReader) newerSeries(s *xmlscan.Scanner, all []newerData) {
	r.addKind(s.String("layoutId"))
	var one series
	for name := range s.Children {
		switch name {
		case "cx:tx":
			one.name = titleText(s)
		case "cx:dataId":
			id := s.String("val")
			for _, d := range all {
				if d.id == id {
					one.keys, one.values = d.keys, d.values
				}
			}
		}
	}
	if len(r.series) == maxSeries {
		r.chart.Cut = true
		return
	}
	r.series = append(r.series, one)
}
