package diff

import (
	"slices"

	"github.com/hexops/gotextdiff"
	"github.com/hexops/gotextdiff/myers"
	"github.com/hexops/gotextdiff/span"
)

const (
	// maxMyers is the most lines, of both sides together, that Myers' algorithm
	// is given at once. It keeps a row of 2(n+m)+1 ints for every step, 64 MB at
	// the worst for this many lines.
	maxMyers = 2000
	// maxWork bounds the sum of (n+m)² over all that Myers' algorithm is given
	// for one diff; what comes after is shown as replaced as a whole.
	maxWork = 24 * maxMyers * maxMyers
	// maxDepth is how often a stretch between lines that are unique on both
	// sides is searched for further such lines.
	maxDepth = 16
)

// change is a replacement of whole lines of the old text by others.
type change struct {
	line       int // lines of the old text before it
	start, end int // bytes old[start:end]
	text       string
	dels, ins  int // lines on either side
}

// comparison finds the lines that two texts have in common.
type comparison struct {
	old, new []string
	budget   int
	changes  []region
}

// region is a stretch of lines a0 to a1 that b0 to b1 replaces.
type region struct{ a0, a1, b0, b1 int }

// block appends the changes within a replacement of whole lines; line is the
// number of lines of the old text before it.
func (c *comparison) block(changes []change, old string, b Splice, line int) []change {
	c.old, c.new = splitLines(old[b.Start:b.End]), splitLines(b.Text)
	c.changes = c.changes[:0]
	c.compare(region{0, len(c.old), 0, len(c.new)}, 0)

	a, j, off, noff := 0, 0, b.Start, 0
	for _, r := range c.changes {
		for ; a < r.a0; a++ {
			off += len(c.old[a])
		}
		for ; j < r.b0; j++ {
			noff += len(c.new[j])
		}
		start, nstart := off, noff
		for ; a < r.a1; a++ {
			off += len(c.old[a])
		}
		for ; j < r.b1; j++ {
			noff += len(c.new[j])
		}
		changes = append(changes, change{
			line: line + r.a0, start: start, end: off, text: b.Text[nstart:noff],
			dels: r.a1 - r.a0, ins: r.b1 - r.b0,
		})
	}
	return changes
}

// compare appends the changes within a region: it leaves out what both sides
// begin and end with, splits the rest at lines that are unique on both sides
// (Bram Cohen's patience diff), and hands to Myers what has none.
func (c *comparison) compare(r region, depth int) {
	for r.a0 < r.a1 && r.b0 < r.b1 && c.old[r.a0] == c.new[r.b0] {
		r.a0++
		r.b0++
	}
	for r.a0 < r.a1 && r.b0 < r.b1 && c.old[r.a1-1] == c.new[r.b1-1] {
		r.a1--
		r.b1--
	}
	if r.a0 == r.a1 || r.b0 == r.b1 {
		c.add(r)
		return
	}
	if depth < maxDepth {
		if anchors := c.anchors(r); len(anchors) > 0 {
			a, b := r.a0, r.b0
			for _, p := range anchors {
				c.compare(region{a, p.a, b, p.b}, depth+1)
				a, b = p.a+1, p.b+1
			}
			c.compare(region{a, r.a1, b, r.b1}, depth+1)
			return
		}
	}
	n := r.a1 - r.a0 + r.b1 - r.b0
	if n > maxMyers || n*n > c.budget {
		c.add(r)
		return
	}
	c.budget -= n * n
	c.myers(r)
}

// add appends a change, as part of the one before when they touch.
func (c *comparison) add(r region) {
	if r.a0 == r.a1 && r.b0 == r.b1 {
		return
	}
	if n := len(c.changes); n > 0 && c.changes[n-1].a1 == r.a0 && c.changes[n-1].b1 == r.b0 {
		c.changes[n-1].a1, c.changes[n-1].b1 = r.a1, r.b1
		return
	}
	c.changes = append(c.changes, r)
}

// pair is a line of the old text and its equal in the new one.
type pair struct{ a, b int }

// anchors are the lines that occur once on each side of the region, as far as
// they stand in the same order on both.
func (c *comparison) anchors(r region) []pair {
	type seen struct{ a, b int } // index+1; -1 when it occurs again
	lines := make(map[string]seen, r.a1-r.a0)
	for i := r.a0; i < r.a1; i++ {
		s := lines[c.old[i]]
		if s.a != 0 {
			s.a = -1
		} else {
			s.a = i + 1
		}
		lines[c.old[i]] = s
	}
	for j := r.b0; j < r.b1; j++ {
		s, ok := lines[c.new[j]]
		if !ok {
			continue
		}
		if s.b != 0 {
			s.b = -1
		} else {
			s.b = j + 1
		}
		lines[c.new[j]] = s
	}
	var unique []pair
	for i := r.a0; i < r.a1; i++ {
		if s := lines[c.old[i]]; s.a > 0 && s.b > 0 {
			unique = append(unique, pair{i, s.b - 1})
		}
	}
	return increasing(unique)
}

// increasing is the longest part of pairs, which come in the order of a, that
// is in the order of b too (patience sorting).
func increasing(pairs []pair) []pair {
	piles := make([]int, 0, len(pairs)) // index of the top pair of each pile
	below := make([]int, len(pairs))    // the pair on top of the pile to the left
	for i, p := range pairs {
		k, _ := slices.BinarySearchFunc(piles, p.b, func(top, b int) int { return pairs[top].b - b })
		below[i] = -1
		if k > 0 {
			below[i] = piles[k-1]
		}
		if k == len(piles) {
			piles = append(piles, i)
		} else {
			piles[k] = i
		}
	}
	if len(piles) == 0 {
		return nil
	}
	longest := make([]pair, len(piles))
	for k, i := len(piles)-1, piles[len(piles)-1]; k >= 0; k, i = k-1, below[i] {
		longest[k] = pairs[i]
	}
	return longest
}

// myers appends the changes of the shortest edit script of a small region.
func (c *comparison) myers(r region) {
	a, b := r.a0, r.b0
	for _, e := range myers.ComputeEdits("", join(c.old[r.a0:r.a1]), join(c.new[r.b0:r.b1])) {
		start, end, ins := lineEdit(e)
		equal := r.a0 + start - a
		a, b = a+equal, b+equal
		c.add(region{a, r.a0 + end, b, b + ins})
		a, b = r.a0+end, b+ins
	}
}

// lineEdit is what an edit of whole lines deletes, as indices of lines, and how
// many lines it inserts.
func lineEdit(e gotextdiff.TextEdit) (start, end, inserted int) {
	from, to := e.Span.Start(), e.Span.End()
	return line0(from), line0(to), countLines(e.NewText)
}

func line0(p span.Point) int { return p.Line() - 1 }
