package content

import (
	"math"

	"github.com/helve-dev/helve/pkg/document/pdf/layout"
	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// adjust shows an element of TJ, or moves by it.
func (r *run) adjust(v object.Value) {
	var n float64
	switch v := v.(type) {
	case object.String:
		r.show(v)
		return
	case int64:
		n = float64(v)
	case float64:
		n = v
	default:
		return
	}
	s := &r.state
	move := -n / 1000 * s.size
	if s.font != nil && s.font.Vertical {
		s.advance(0, move)
	} else {
		s.advance(move*s.scale, 0)
	}
}

// advance moves the text matrix.
func (s *state) advance(x, y float64) {
	s.text[4] += x*s.text[0] + y*s.text[2]
	s.text[5] += x*s.text[1] + y*s.text[3]
}

// show shows a string: 9.4.3. Text that is not painted counts as well: it lies over the
// pictures of scanned pages.
func (r *run) show(v object.Value) {
	text, ok := v.(object.String)
	s := &r.state
	if !ok || s.font == nil {
		return
	}
	m := s.text.Times(s.ctm)
	vertical := s.font.Vertical
	up := math.Hypot(m[2], m[3]) * math.Abs(s.size)
	along := math.Hypot(m[0], m[1])
	// The direction of the baseline, and of what is above it.
	dx, dy := m[0], m[1]
	if s.size*s.scale < 0 {
		dx, dy = -dx, -dy
	}
	if vertical {
		dx, dy = -m[2], -m[3]
		along = math.Hypot(m[2], m[3])
	}
	glyph := layout.Glyph{Size: up * s.font.Em, Angle: angle(dx, dy), Bold: s.font.Bold}
	visible := r.covered == 0 && glyph.Size > 0 && glyph.Size < 1e5
	for len(text) > 0 && len(r.page.Glyphs) <= maxGlyphs {
		c, n := s.font.Next(text)
		text = text[n:]
		move := c.Width*s.size + s.charSpace
		glyph.Text = c.Text
		glyph.Advance = math.Abs(move) * along
		if !vertical {
			glyph.Advance *= math.Abs(s.scale)
		}
		glyph.X, glyph.Y = m.Point(0, s.rise)
		switch {
		case !visible:
		case c.Text != "":
			r.page.Glyphs = append(r.page.Glyphs, glyph)
		case !c.Space && c.Width != 0:
			r.page.Opaque++
		}
		if c.Space {
			move += s.wordSpace
		}
		x, y := move*s.scale, 0.0
		if vertical {
			x, y = 0, move
			if s.charSpace+s.wordSpace != 0 { // both make the way down longer
				y = c.Width*s.size - s.charSpace
			}
		}
		m[4] += x*m[0] + y*m[2]
		m[5] += x*m[1] + y*m[3]
		s.advance(x, y)
	}
}

// angle returns the angle of a direction in whole degrees, rounded to level or upright if
// it is close.
func angle(x, y float64) int16 {
	if y == 0 && x >= 0 {
		return 0
	}
	degrees := math.Round(math.Atan2(y, x) * 180 / math.Pi)
	if math.IsNaN(degrees) {
		return 0
	}
	whole := (int(degrees) + 360) % 360
	for _, straight := range []int{0, 90, 180, 270, 360} {
		if d := whole - straight; d >= -2 && d <= 2 {
			whole = straight % 360
		}
	}
	return int16(whole)
}
