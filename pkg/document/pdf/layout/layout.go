// Package layout arranges the glyphs of a page as people read them: in words, lines,
// columns and paragraphs. It knows nothing of the file that they are from.
package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Glyph is a glyph on a page: usually one character, sometimes several. Lengths are in
// points, y grows upwards.
type Glyph struct {
	Text    string  // a space divides words
	X, Y    float64 // where it begins, on the baseline
	Advance float64 // how far the baseline leads on to the next glyph
	Size    float64 // of an em
	Angle   int16   // of the baseline, in degrees anticlockwise
	Bold    bool
	Link    int32 // a number that glyphs of one link have in common; 0 for none
}

// Span is a part of a line. Spaces between spans are in their text.
type Span struct {
	Text string
	Link int32
}

// Line is a line of text, in the order in which it is read.
type Line []Span

// String returns a line's text.
func (l Line) String() string {
	if len(l) == 1 {
		return l[0].Text
	}
	var b strings.Builder
	for _, span := range l {
		b.WriteString(span.Text)
	}
	return b.String()
}

// Block is a paragraph, or another group of lines that belong together.
type Block struct {
	Lines []Line
	Size  float64 // of its largest characters that are not few
	Bold  bool    // as a whole
	Left  float64 // of its lines, in points
	Top   float64
}

// Page returns the blocks of a page in reading order. Text at another angle than most of
// the page's follows at the end.
func Page(glyphs []Glyph) []Block {
	counts := map[int16]int{}
	for i := range glyphs {
		counts[glyphs[i].Angle]++
	}
	angles := make([]int16, 0, len(counts))
	for angle := range counts {
		angles = append(angles, angle)
	}
	slices.SortFunc(angles, func(a, b int16) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var blocks []Block
	for _, angle := range angles {
		words := words(glyphs, angle)
		blocks = append(blocks, arrange(words)...)
	}
	return blocks
}

// turned returns where a point is when the page is turned so that text at an angle is level.
func turned(x, y float64, angle int16) (float64, float64) {
	switch angle {
	case 0:
		return x, y
	case 90:
		return y, -x
	case 180:
		return -x, -y
	case 270:
		return -y, x
	}
	sin, cos := math.Sincos(float64(angle) * math.Pi / 180)
	return x*cos + y*sin, y*cos - x*sin
}
