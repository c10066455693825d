package layout

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Gaps, in ems.
const (
	wordGap  = 0.17 // more than this divides words
	backward = 0.35 // further back than this, a glyph begins another word
	level    = 0.12 // glyphs of a word differ less in height
	again    = 0.12 // a glyph so near to its like is the same one, printed twice
)

// word is a piece of a line without a gap in it.
type word struct {
	glyphs   []Glyph // as the file shows them
	x0, x1   float64
	y        float64 // the baseline
	size     float64
	bold     bool
	link     int32
	order    int  // in the file
	before   bool // a space stands before it
	after    bool // a space stands after it
	opposite bool // it has letters that are written from right to left
}

// words joins the glyphs at one angle to words, turned level.
func words(glyphs []Glyph, angle int16) []word {
	level := make([]Glyph, 0, len(glyphs))
	for _, g := range glyphs {
		if g.Angle == angle {
			g.X, g.Y = turned(g.X, g.Y, angle)
			level = append(level, g)
		}
	}
	var words []word
	space := false // since the last word
	start := 0     // of the word that is being read
	end := 0.0     // where it ends
	finish := func(i int) {
		if start < i {
			words = append(words, newWord(level[start:i], len(words), space))
			space = false
		}
	}
	for i := range level {
		g := &level[i]
		if blank(g.Text) {
			finish(i)
			start = i + 1
			space = true
			if n := len(words); n > 0 {
				words[n-1].after = words[n-1].after || follows(&words[n-1], g)
			}
			continue
		}
		if start < i {
			last := &level[i-1]
			if !isMark(g.Text) && !same(last, g) && !joins(last, end, g) {
				finish(i)
				start = i
			}
		}
		if start == i {
			end = g.X + g.Advance
		} else if !isMark(g.Text) {
			end = max(end, g.X+g.Advance)
		}
	}
	finish(len(level))
	return unique(words)
}

// follows reports whether a space stands right after a word.
func follows(w *word, space *Glyph) bool {
	return math.Abs(space.Y-w.y) < level*w.size && math.Abs(space.X-w.x1) < w.size
}

// joins reports whether a glyph goes on with the word that ends with last at end.
func joins(last *Glyph, end float64, g *Glyph) bool {
	size := max(last.Size, g.Size)
	gap := g.X - end
	return gap <= wordGap*size && gap >= -backward*size &&
		math.Abs(g.Y-last.Y) <= level*size &&
		last.Link == g.Link && last.Size < g.Size*1.6 && g.Size < last.Size*1.6 && last.Bold == g.Bold
}

// newWord makes a word of glyphs.
func newWord(glyphs []Glyph, order int, space bool) word {
	first := &glyphs[0]
	w := word{
		x0: first.X, x1: first.X + first.Advance, y: first.Y, size: first.Size,
		bold: first.Bold, link: first.Link, order: order, before: space,
	}
	kept := glyphs[:0]
	for i := range glyphs {
		g := glyphs[i]
		if n := len(kept); n > 0 && same(&kept[n-1], &g) {
			continue
		}
		w.x0, w.x1 = min(w.x0, g.X), max(w.x1, g.X+g.Advance)
		if !isMark(g.Text) {
			w.size = max(w.size, g.Size)
		}
		w.opposite = w.opposite || rightToLeft(g.Text)
		kept = append(kept, g)
	}
	w.glyphs = kept
	return w
}

// same reports whether a glyph is another one printed again, which imitates a bold font.
func same(a, b *Glyph) bool {
	size := max(a.Size, b.Size)
	return a.Text == b.Text && math.Abs(a.X-b.X) < again*size && math.Abs(a.Y-b.Y) < again*size
}

// unique removes words that are printed over themselves.
func unique(words []word) []word {
	type place struct{ x, y int }
	grid := make(map[place][]int, len(words))
	kept := words[:0]
next:
	for _, w := range words {
		cell := max(w.size, 1)
		p := place{int(math.Floor(w.x0 / cell)), int(math.Floor(w.y / cell))}
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				for _, i := range grid[place{p.x + dx, p.y + dy}] {
					if twice(&kept[i], &w) {
						kept[i].before = kept[i].before || w.before
						kept[i].after = kept[i].after || w.after
						continue next
					}
				}
			}
		}
		if len(grid[p]) < maxNear {
			grid[p] = append(grid[p], len(kept))
		}
		kept = append(kept, w)
	}
	return kept
}

// maxNear bounds how many words are compared at one place.
const maxNear = 16

// twice reports whether two words are one.
func twice(a, b *word) bool {
	return len(a.glyphs) == len(b.glyphs) && same(&a.glyphs[0], &b.glyphs[0]) &&
		slices.EqualFunc(a.glyphs, b.glyphs, func(g, h Glyph) bool { return g.Text == h.Text })
}

// blank reports whether a glyph shows nothing.
func blank(text string) bool { return text == " " || text == "" }

// isMark reports whether a glyph is a mark on its neighbour.
func isMark(text string) bool {
	if len(text) < 2 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me)
}
