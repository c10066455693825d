package pdf

import (
	"math"
	"strings"

	"github.com/helve-dev/helve/pkg/document/pdf/layout"
	"github.com/helve-dev/helve/pkg/document/pdf/meta"
	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// maxTests bounds how often a glyph of a page is compared with a link.
const maxTests = 20_000_000

// mark sets the numbers, from 1, of the links that cover the glyphs of a page, and
// returns their targets.
func (d *Document) mark(p *object.Page, glyphs []layout.Glyph) []string {
	var targets []string
	numbers := map[string]int32{}
	m := base(p)
	for i, link := range meta.Links(d.file, p) {
		if i*len(glyphs) > maxTests {
			break
		}
		if scheme, _, _ := strings.Cut(strings.ToLower(link.URI), ":"); scheme == "file" || scheme == "javascript" || scheme == "data" {
			continue // it leads nowhere from here
		}
		number := numbers[link.URI]
		if number == 0 {
			targets = append(targets, link.URI)
			number = int32(len(targets))
			numbers[link.URI] = number
		}
		x0, y0 := m.Point(link.Rect.X0, link.Rect.Y0)
		x1, y1 := m.Point(link.Rect.X1, link.Rect.Y1)
		x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
		for j := range glyphs {
			x, y := middle(&glyphs[j])
			if x >= x0 && x <= x1 && y >= y0 && y <= y1 {
				glyphs[j].Link = number
			}
		}
	}
	return targets
}

// middle returns a point within a glyph.
func middle(g *layout.Glyph) (x, y float64) {
	along, up := g.Advance/2, g.Size/4
	if g.Angle == 0 {
		return g.X + along, g.Y + up
	}
	sin, cos := math.Sincos(float64(g.Angle) * math.Pi / 180)
	return g.X + along*cos - up*sin, g.Y + along*sin + up*cos
}
