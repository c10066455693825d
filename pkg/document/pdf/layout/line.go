package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// row is the words of one line, from left to right.
type row struct {
	words       []*word
	y, size     float64 // of its largest words
	x0, x1      float64
	top, bottom float64 // of all its words' baselines
}

// join groups words, sorted from top to bottom, into lines. Superscripts and subscripts
// belong to the line that they stand beside.
func join(words []*word) []row {
	var rows []row
	for _, w := range words {
		best, distance := -1, math.Inf(1)
		for i := len(rows) - 1; i >= max(0, len(rows)-maxOpenRows); i-- {
			if d := rows[i].distance(w); d < distance {
				best, distance = i, d
			}
		}
		if best < 0 {
			rows = append(rows, newRow(w))
			continue
		}
		rows[best].add(w)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.y, a.y) })
	rows = raised(rows)
	for i := range rows {
		slices.SortStableFunc(rows[i].words, func(a, b *word) int { return cmp.Compare(a.x0, b.x0) })
	}
	return rows
}

// raised moves small words that stand right beside a word of the next or the last line, such
// as the numbers of notes, into that line.
func raised(rows []row) []row {
	for i := range rows {
		small := &rows[i]
		for _, j := range []int{i + 1, i - 1} {
			if j < 0 || j >= len(rows) || len(rows[j].words) == 0 {
				continue
			}
			large := &rows[j]
			if len(small.words)*len(large.words) > maxCompared || small.size > 0.85*large.size || math.Abs(small.y-large.y) > 0.6*large.size {
				continue
			}
			kept := small.words[:0]
			for _, w := range small.words {
				if large.beside(w) {
					large.add(w)
				} else {
					kept = append(kept, w)
				}
			}
			small.words = kept
		}
	}
	return slices.DeleteFunc(rows, func(r row) bool { return len(r.words) == 0 })
}

// beside reports whether a word stands between the words of a line, right after one of them.
func (r *row) beside(w *word) bool {
	near := false
	for _, o := range r.words {
		if o.x0 < w.x1-0.1*w.size && o.x1 > w.x0+0.1*w.size && o.size > w.size {
			return false
		}
		near = near || math.Abs(w.x0-o.x1) < 0.4*r.size || math.Abs(o.x0-w.x1) < 0.4*r.size
	}
	return near
}

// Limits of the comparisons, for pages with absurdly many words.
const (
	maxOpenRows = 4       // lines with one word
	maxCompared = 100_000 // words of a line with those of another
	maxOverlap  = 1000    // words of a line with one
)

func newRow(w *word) row {
	return row{words: []*word{w}, y: w.y, size: w.size, x0: w.x0, x1: w.x1, top: w.y, bottom: w.y}
}

// distance returns how far a word's baseline is from the line's, and infinity for a word of
// another line.
func (r *row) distance(w *word) float64 {
	d := math.Abs(r.y - w.y)
	small, large := min(r.size, w.size), max(r.size, w.size)
	switch {
	case d <= 0.25*small, d <= 0.08*large:
		return d
	case d <= 0.6*large && small <= 0.85*large && w.x0 < r.x1+0.6*large && w.x1 > r.x0-0.6*large && r.overlap(w) <= 0.3*(w.x1-w.x0):
		return d // beside the line, and smaller or larger
	}
	return math.Inf(1)
}

// overlap returns how much of a word's width stands over words of the line.
func (r *row) overlap(w *word) float64 {
	sum := 0.0
	for _, o := range r.words[max(0, len(r.words)-maxOverlap):] {
		sum += max(0, min(o.x1, w.x1)-max(o.x0, w.x0))
	}
	return sum
}

func (r *row) add(w *word) {
	if w.size > r.size {
		r.y, r.size = w.y, w.size
	}
	r.words = append(r.words, w)
	r.x0, r.x1 = min(r.x0, w.x0), max(r.x1, w.x1)
	r.top, r.bottom = max(r.top, w.y), min(r.bottom, w.y)
}

// cellGap is the gap from which on the parts of a line are set apart, in ems.
const cellGap = 2.5

// pieces returns the text of a row in the order in which it is read.
func (r *row) pieces(opposite bool) []piece {
	spread := r.spread()
	var pieces []piece
	right := false // there is text that is written from right to left
	for i, w := range r.words {
		if i > 0 {
			last := r.words[i-1]
			d, size := w.x0-last.x1, min(last.size, w.size)
			switch {
			case d > cellGap*size && !(w.spaced(last) && w.order == last.order+1):
				pieces = append(pieces, piece{text: "  "})
			case spread != nil && spread[i]:
			case d > wordGap*size, d < -backward*size, d > -0.5*size && (w.spaced(last) && d > 0.05*size):
				pieces = append(pieces, piece{text: " "})
			}
		}
		right = right || w.opposite
		pieces = w.pieces(pieces)
	}
	if right {
		pieces = reorder(pieces, opposite)
	}
	return pieces
}

// spaced reports whether the file has a space between two words.
func (w *word) spaced(last *word) bool { return last.after || w.before }

// spread finds words that are written with wide gaps between their letters. It reports for
// each piece of the row whether it goes on with the word before it; nil if there are none.
func (r *row) spread() []bool {
	var joined []bool
	for i := 0; i < len(r.words); {
		j := i + 1
		for j < len(r.words) && !r.words[j].spaced(r.words[j-1]) {
			j++
		}
		if least := letters(r.words[i:j]); least > 0 {
			if joined == nil {
				joined = make([]bool, len(r.words))
			}
			for k := i + 1; k < j; k++ {
				joined[k] = r.words[k].x0-r.words[k-1].x1 < least
			}
		}
		i = j
	}
	return joined
}

// letters returns the gap under which pieces without spaces between them are the letters
// of a word; 0 if they are words.
func letters(words []*word) float64 {
	if len(words) < 3 {
		return 0
	}
	gaps := make([]float64, 0, len(words)-1)
	for i, w := range words {
		if r, _ := utf8.DecodeRuneInString(w.glyphs[0].Text); len(w.glyphs) > 3 || !unicode.IsLetter(r) {
			return 0
		}
		if i > 0 {
			gaps = append(gaps, w.x0-words[i-1].x1)
		}
	}
	slices.Sort(gaps)
	size := words[0].size
	if usual := gaps[len(gaps)/2]; usual > 0 && usual < 0.8*size {
		return usual + 0.2*size
	}
	return 0
}

// piece is one or several glyphs of a line that keep their order.
type piece struct {
	text    string
	link    int32
	bracket bool // it may stand for its mirror image: it is among letters from right to left
}

// pieces appends the pieces of a word: the whole, or its glyphs if their order may change.
func (w *word) pieces(to []piece) []piece {
	if w.opposite {
		for _, g := range w.glyphs {
			to = append(to, piece{text: g.Text, link: g.Link})
		}
		return to
	}
	if len(w.glyphs) == 1 {
		return append(to, piece{text: w.glyphs[0].Text, link: w.link})
	}
	var b strings.Builder
	for i := range w.glyphs {
		b.WriteString(w.glyphs[i].Text)
	}
	return append(to, piece{text: b.String(), link: w.link})
}

// spans joins pieces of one link. A space belongs to the link on both of its sides.
func spans(pieces []piece) Line {
	var line Line
	for i := 0; i < len(pieces); {
		link := pieces[i].link
		end := i + 1
		for end < len(pieces) {
			if pieces[end].link != link {
				if !blank(strings.TrimSpace(pieces[end].text)) || end+1 == len(pieces) || pieces[end+1].link != link {
					break
				}
			}
			end++
		}
		n := 0
		for _, p := range pieces[i:end] {
			n += len(p.text)
		}
		var b strings.Builder
		b.Grow(n)
		for _, p := range pieces[i:end] {
			b.WriteString(p.text)
		}
		line = append(line, Span{b.String(), link})
		i = end
	}
	return line
}
