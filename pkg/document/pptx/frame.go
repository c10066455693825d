package pptx

import (
	"math"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// frame is the position and size of a shape, in English Metric Units, of which an inch
// has 914,400.
type frame struct {
	x, y, w, h float64
	placed     bool
}

// inner is the coordinate space of a group's shapes (20.1.7.6), which its frame maps to
// the slide.
type inner struct{ x, y, w, h float64 }

// readFrame reads the a:xfrm in the element that the last Start opened, or is.
func readFrame(s *xmlscan.Scanner) frame {
	f, _ := readGroupFrame(s)
	return f
}

func readGroupFrame(s *xmlscan.Scanner) (f frame, in inner) {
	for name := range s.Descendants {
		switch name {
		case "a:off":
			f.x, f.y, f.placed = length(s, "x"), length(s, "y"), true
		case "a:ext":
			if _, ok := s.Attr("cx"); ok { // extensions have the same name
				f.w, f.h = length(s, "cx"), length(s, "cy")
			}
		case "a:chOff":
			in.x, in.y = length(s, "x"), length(s, "y")
		case "a:chExt":
			in.w, in.h = length(s, "cx"), length(s, "cy")
		case "a:extLst":
			s.Skip()
		}
	}
	return f, in
}

// length reads a coordinate: a number of EMUs or, in strict files, one with a unit
// (22.9.2.15).
func length(s *xmlscan.Scanner, attribute string) float64 {
	text := strings.TrimSpace(s.String(attribute))
	scale := 1.0
	if n := len(text) - 2; n > 0 {
		switch text[n:] {
		case "mm":
			scale = 36_000
		case "cm":
			scale = 360_000
		case "in":
			scale = 914_400
		case "pt":
			scale = 12_700
		case "pc", "pi":
			scale = 152_400
		}
		if scale != 1 {
			text = text[:n]
		}
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.Abs(value) > 1e12 {
		return 0
	}
	return value * scale
}

// within returns a frame on the slide of one in a group. A group without an extent leaves
// its shapes where they are.
func (f frame) within(group frame, in inner) frame {
	if !group.placed || in.w <= 0 || in.h <= 0 || group.w <= 0 || group.h <= 0 {
		return f
	}
	sx, sy := group.w/in.w, group.h/in.h
	f.x, f.y = group.x+(f.x-in.x)*sx, group.y+(f.y-in.y)*sy
	f.w, f.h = f.w*sx, f.h*sy
	return f
}
