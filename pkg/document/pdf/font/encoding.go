package font

import (
	_ "embed" // the tables below
	"strconv"
	"strings"
)

// encodings are the predefined encodings, one a line: its name and 256 glyph names, "-" for
// none. Annex D.
//
//go:embed encodings.txt
var encodings string

// glyphNames is a glyph name for each code, empty for none.
type glyphNames [256]string

// predefined returns an encoding by its name; false if there is none.
func predefined(name string) (*glyphNames, bool) {
	for line := range strings.Lines(encodings) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			e := new(glyphNames)
			for i, glyph := range strings.Fields(rest) {
				if i < len(e) && glyph != "-" {
					e[i] = glyph
				}
			}
			return e, true
		}
	}
	return nil, false
}

// widths are those of the standard 14 fonts: a glyph's name and its width in thousandths of
// an em in each of the columns that [column] names, sorted by name.
//
//go:embed widths.txt
var widths string

// column returns which column of widths a font has that brings none, by its name; -1 if
// its widths are all the same.
func column(name string) int {
	if _, rest, subset := strings.Cut(name, "+"); subset {
		name = rest
	}
	name = strings.ToLower(name)
	bold := strings.Contains(name, "bold") || strings.Contains(name, "black")
	slanted := strings.Contains(name, "italic") || strings.Contains(name, "oblique")
	switch {
	case strings.Contains(name, "courier"), strings.Contains(name, "mono"), strings.Contains(name, "consolas"):
		return -1
	case strings.HasPrefix(name, "symbol"):
		return 6
	case strings.Contains(name, "dingbats"):
		return 7
	case strings.Contains(name, "times"), strings.Contains(name, "serif") && !strings.Contains(name, "sans"),
		strings.Contains(name, "georgia"), strings.Contains(name, "roman"):
		switch {
		case bold && slanted:
			return 5
		case slanted:
			return 4
		case bold:
			return 3
		}
		return 2
	case bold:
		return 1
	}
	return 0
}

// courier is the width of all its glyphs.
const courier = 600

// standardWidth returns the width of a glyph of a standard font in thousandths of an em,
// and 0 if the font has no such glyph.
func standardWidth(column int, glyph string) float64 {
	if column < 0 {
		return courier
	}
	if row, ok := lookup(widths, glyph); ok {
		if w, err := strconv.Atoi(strings.Fields(row)[column]); err == nil {
			return float64(w)
		}
	}
	return 0
}
