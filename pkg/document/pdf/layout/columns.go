package layout

import (
	"cmp"
	"math"
	"slices"
)

// Limits of the search for columns.
const (
	maxColumnWords = 10_000 // on a page; with more it is read as one column
	maxEdges       = 64     // where a column may begin
	maxSplits      = 16     // of columns within columns
)

// arrange returns the blocks of words in reading order.
func arrange(words []word) []Block {
	if len(words) == 0 {
		return nil
	}
	slices.SortStableFunc(words, func(a, b word) int {
		return cmp.Or(cmp.Compare(b.y, a.y), cmp.Compare(a.x0, b.x0))
	})
	pointers := make([]*word, len(words))
	opposite := 0
	for i := range words {
		pointers[i] = &words[i]
		if words[i].opposite {
			opposite++
		}
	}
	p := &page{size: typical(pointers), opposite: opposite*2 > len(words)}
	p.region(pointers, 0)
	return p.blocks
}

// page is the state of arranging a page.
type page struct {
	size     float64 // of most of its text
	opposite bool    // most of it is written from right to left
	blocks   []Block
}

// typical returns the size of most text.
func typical(words []*word) float64 {
	counts := map[int]int{}
	best, most := 0, 0
	for _, w := range words {
		size := int(math.Round(w.size * 4))
		counts[size] += len(w.glyphs)
		if n := counts[size]; n > most || n == most && size < best {
			best, most = size, n
		}
	}
	return max(float64(best)/4, 0.25)
}

// region arranges words that are sorted from top to bottom. Columns are read one after the
// other, and what is above or below all of them before or after.
func (p *page) region(words []*word, depth int) {
	if len(words) == 0 {
		return
	}
	split, ok := columns{}, false
	if depth < maxSplits && len(words) <= maxColumnWords {
		split, ok = p.split(words)
	}
	if !ok {
		p.paragraphs(words)
		return
	}
	p.region(words[:split.from], depth+1)
	var left, right []*word
	for _, w := range words[split.from:split.to] {
		if w.x0 < split.x {
			left = append(left, w)
		} else {
			right = append(right, w)
		}
	}
	if p.opposite {
		left, right = right, left
	}
	p.region(left, depth+1)
	p.region(right, depth+1)
	p.region(words[split.to:], depth+1)
}

// columns are the words from..to of a region that the column beginning at x divides.
type columns struct {
	from, to int
	x        float64
	score    int
}

// split returns the best way to divide a region.
func (p *page) split(words []*word) (columns, bool) {
	best := columns{}
	starts := lines(words)
	for _, x := range edges(words) {
		try := func(first, last int) {
			if first == last {
				return
			}
			if c, ok := p.judge(words, starts[first], starts[last], x); ok && c.score > best.score {
				best = c
			}
		}
		for first := 0; first < len(starts)-1; {
			last := first
			for last < len(starts)-1 && !p.crosses(words[starts[last]:starts[last+1]], x) {
				last++
			}
			if last > first {
				try(first, last)
				rows(words, starts[first:last+1], x, func(from, to int) { try(first+from, first+to) })
			}
			first = last + 1
		}
	}
	return best, best.score > 0
}

// lines returns where the lines of a region begin, and its end.
func lines(words []*word) []int {
	starts := []int{0}
	for i, w := range words {
		if first := words[starts[len(starts)-1]]; first.y-w.y > 0.3*first.size {
			starts = append(starts, i)
		}
	}
	return append(starts, len(words))
}

// rows divides lines where the file goes back from the right of x to its left: between the
// rows of a table, or above a new pair of columns. It calls visit with each part.
func rows(words []*word, starts []int, x float64, visit func(from, to int)) {
	from, right := 0, -1 // the last word of the right side in the file
	for i := range len(starts) - 1 {
		left := -1
		for _, w := range words[starts[i]:starts[i+1]] {
			if w.x0 < x && (left < 0 || w.order < left) {
				left = w.order
			}
		}
		if left > right && right >= 0 {
			visit(from, i)
			from, right = i, -1
		}
		for _, w := range words[starts[i]:starts[i+1]] {
			if w.x0 >= x {
				right = max(right, w.order)
			}
		}
	}
	if from > 0 {
		visit(from, len(starts)-1)
	}
}

// gutter is the least space between columns, in ems.
const gutter = 0.9

// crosses reports whether a word of a line stands in the gutter before x.
func (p *page) crosses(line []*word, x float64) bool {
	for _, w := range line {
		if w.x0 < x-0.5 && w.x1 > x-gutter*p.size {
			return true
		}
	}
	return false
}

// edges returns where several lines begin, after a gap or at the region's left.
func edges(words []*word) []float64 {
	counts := map[int]int{}
	for _, w := range words {
		counts[int(math.Round(w.x0))]++
	}
	type edge struct {
		x, n int
	}
	var found []edge
	for x, n := range counts {
		if n += counts[x+1]; n >= 2 {
			found = append(found, edge{x, n})
		}
	}
	slices.SortFunc(found, func(a, b edge) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.x, b.x))
	})
	xs := make([]float64, 0, maxEdges)
	for _, e := range found[:min(len(found), maxEdges)] {
		xs = append(xs, float64(e.x)-0.5)
	}
	return xs
}

// side measures the text on one side of a gutter.
type side struct {
	words, lines int
	top, bottom  float64
	left, right  float64
	filled       float64 // the sum of the lines' widths
	y, x0, x1    float64 // of the line that is being read
}

func (s *side) addIf(w *word, here bool) {
	if !here {
		return
	}
	if s.words == 0 {
		s.top, s.left, s.right = w.y, w.x0, w.x1
	}
	s.words++
	if s.lines == 0 || s.y-w.y > 0.3*w.size {
		s.filled += s.x1 - s.x0
		s.lines++
		s.y, s.x0, s.x1 = w.y, w.x0, w.x1
	}
	s.bottom = w.y
	s.x0, s.x1 = min(s.x0, w.x0), max(s.x1, w.x1)
	s.left, s.right = min(s.left, w.x0), max(s.right, w.x1)
}

// prose reports whether lines are filled as those of running text are.
func (s *side) prose() bool {
	filled := s.filled + s.x1 - s.x0
	return s.lines >= 5 && s.words >= 4*s.lines && filled >= 0.65*float64(s.lines)*(s.right-s.left)
}

// marks reports whether a side is nothing but what stands before the lines of the other: the
// numbers of a list.
func (s *side) marks(both int, size float64) bool {
	width := (s.filled + s.x1 - s.x0) / float64(s.lines)
	return s.words*2 <= s.lines*3 && width < 3*size && both*5 >= s.lines*4
}

// shared counts the lines between top and bottom that stand on both sides of x.
func shared(words []*word, x, top, bottom float64) int {
	n := 0
	starts := lines(words)
	for i := range len(starts) - 1 {
		left, right := false, false
		line := words[starts[i]:starts[i+1]]
		for _, w := range line {
			left, right = left || w.x0 < x, right || w.x0 >= x
		}
		if left && right && line[0].y <= top && line[0].y >= bottom {
			n++
		}
	}
	return n
}

// judge decides whether words on both sides of a gutter are columns. The rows of a table
// are not: its cells stand in the file row by row.
func (p *page) judge(words []*word, from, to int, x float64) (columns, bool) {
	from, to = p.trim(words, from, to, x)
	if to-from < 4 {
		return columns{}, false
	}
	run := words[from:to]
	var left, right side
	for _, w := range run {
		left.addIf(w, w.x0 < x)
		right.addIf(w, w.x0 >= x)
	}
	top, bottom := min(left.top, right.top)+p.size/3, max(left.bottom, right.bottom)-p.size/3
	left, right = side{}, side{}
	for _, w := range run {
		if w.y <= top && w.y >= bottom {
			left.addIf(w, w.x0 < x)
			right.addIf(w, w.x0 >= x)
		}
	}
	both := shared(run, x, top, bottom)
	if left.lines < 2 || right.lines < 2 || left.marks(both, p.size) || right.marks(both, p.size) {
		return columns{}, false
	}
	inFile := slices.Clone(run)
	slices.SortFunc(inFile, func(a, b *word) int { return cmp.Compare(a.order, b.order) })
	changes := 0
	for i := 1; i < len(inFile); i++ {
		if (inFile[i].x0 < x) != (inFile[i-1].x0 < x) {
			changes++
		}
	}
	few := changes <= 2 || changes*8 <= min(left.lines, right.lines)
	// Or all of it is written line by line, across the columns.
	if !few && !(changes >= both && both*3 >= 2*min(left.lines, right.lines) && left.prose() && right.prose()) {
		return columns{}, false
	}
	return columns{from: from, to: to, x: x, score: to - from}, true
}

// trim takes off what stands at the top and the bottom of one side alone, beyond a gap.
func (p *page) trim(words []*word, from, to int, x float64) (int, int) {
	first := func(from, to, step int) (left, right int) {
		left, right = -1, -1
		for i := from; i != to && (left < 0 || right < 0); i += step {
			if words[i].x0 < x {
				if left < 0 {
					left = i
				}
			} else if right < 0 {
				right = i
			}
		}
		return left, right
	}
	left, right := first(from, to, 1)
	if left < 0 || right < 0 {
		return from, from
	}
	for i := max(left, right); i > from; i-- {
		if words[i-1].y-words[i].y > 2.2*p.size {
			from = i
			break
		}
	}
	left, right = first(to-1, from-1, -1)
	if left < 0 || right < 0 {
		return from, from
	}
	for i := min(left, right); i < to-1; i++ {
		if words[i].y-words[i+1].y > 2.2*p.size {
			to = i + 1
			break
		}
	}
	return from, to
}
