package edit

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// The search for candidates never changes anything. It finds the places of the
// file that are most similar to a text that was not found.

const (
	// searchCells bounds the search, in cells of the matrices that it fills.
	searchCells = 4_000_000
	// searchLines is the longest file, in lines, that is searched.
	searchLines = 2_000_000
)

// line is a line prepared for comparison.
type line struct {
	text  string // trimmed
	grams uint64 // the set of its pairs of bytes, hashed to 64 bits
}

func newLine(s string) line {
	l := line{text: trim(s)}
	for i := 1; i < len(l.text); i++ {
		// Set the bit of lower case: case is a small difference.
		l.grams |= 1 << ((uint32(l.text[i-1]|0x20)*31 + uint32(l.text[i]|0x20)) * 2654435761 >> 26)
	}
	return l
}

// weight returns how much a line counts. Blank lines hardly count.
func (l line) weight() float64 { return 0.1 + math.Sqrt(float64(len(l.text))) }

// search finds windows of a file that are similar to a block of lines.
type search struct {
	old    []line
	text   string
	starts []int32 // where the lines of text begin
	cells  int     // cells that may still be filled
}

// window is a range of lines, from 0 and half open. pairs[i] is the line of the
// file that pairs with old line i, or -1.
type window struct {
	from, to int
	score    float64
	pairs    []int
}

func newSearch(old []string, text string) *search {
	s := &search{text: text, cells: searchCells}
	for _, l := range old {
		s.old = append(s.old, newLine(l))
	}
	for at := 0; at < len(text) && len(s.starts) <= searchLines; {
		s.starts = append(s.starts, int32(at))
		at = lineEnd(text, at) + 1
	}
	return s
}

func (s *search) line(i int) string {
	start := int(s.starts[i])
	if i+1 < len(s.starts) {
		return s.text[start : s.starts[i+1]-1]
	}
	return s.text[start:lineEnd(s.text, start)]
}

// best returns the windows most similar to the old lines, best first, without
// overlaps.
func (s *search) best() []window {
	if len(s.old) == 0 || len(s.starts) == 0 || len(s.starts) > searchLines {
		return nil
	}
	type vote struct {
		start int
		count float64
	}
	var votes []vote
	for start, count := range s.votes() {
		votes = append(votes, vote{start, count})
	}
	slices.SortFunc(votes, func(a, b vote) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.start, b.start))
	})
	var found []window
	slack := max(2, len(s.old)/5)
	var tried []int
	for _, v := range votes {
		if len(tried) == 12 || s.cells <= 0 {
			break
		}
		if slices.ContainsFunc(tried, func(t int) bool { return abs(t-v.start) <= slack }) {
			continue
		}
		tried = append(tried, v.start)
		if w := s.align(v.start, slack); w.score >= 0.5 {
			found = append(found, w)
		}
	}
	slices.SortStableFunc(found, func(a, b window) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.from, b.from))
	})
	var kept []window
	for _, w := range found {
		if len(kept) < maxCandidates &&
			!slices.ContainsFunc(kept, func(k window) bool { return w.from < k.to && k.from < w.to }) {
			kept = append(kept, w)
		}
	}
	return kept
}

func abs(n int) int { return max(n, -n) }

// votes returns for every line of the file how much speaks for the block to begin
// there. Every line that equals an old line votes, and so does every line that is
// similar to one of the longest old lines.
func (s *search) votes() map[int]float64 {
	const often = 200 // a line this frequent says nothing
	equal := make(map[string][]int)
	for i, l := range s.old {
		if l.text != "" {
			equal[l.text] = append(equal[l.text], i)
		}
	}
	anchors := s.anchors()
	votes := make(map[int]float64)
	given := make(map[string]int)
	for f := range s.starts {
		l := trim(s.line(f))
		if l == "" {
			continue
		}
		if indices, ok := equal[l]; ok {
			if given[l]++; given[l] > often {
				continue
			}
			for _, i := range indices[:min(len(indices), often)] {
				votes[f-i] += newLine(l).weight()
			}
			continue
		}
		var own line
		for _, i := range anchors {
			a := s.old[i]
			if len(l) > 2*len(a.text)+8 || len(a.text) > 2*len(l)+8 {
				continue
			}
			if own.text == "" {
				own = newLine(l)
			}
			if like := jaccard(own, a); like > 0.6 && len(votes) < 1<<16 {
				votes[f-i] += a.weight() * like / 2
			}
		}
	}
	return votes
}

// anchors returns the indices of the longest old lines.
func (s *search) anchors() []int {
	order := make([]int, 0, len(s.old))
	for i, l := range s.old {
		if len(l.text) > 3 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(s.old[b].text) - len(s.old[a].text) })
	return order[:min(len(order), 3)]
}

// jaccard returns the share of pairs of bytes that two lines have in common.
func jaccard(a, b line) float64 {
	if a.grams|b.grams == 0 {
		return 0
	}
	return float64(bits.OnesCount64(a.grams&b.grams)) / float64(bits.OnesCount64(a.grams|b.grams))
}

// align pairs the old lines with lines of the file near a start, in order, so that
// the sum of their likeness is greatest.
func (s *search) align(start, slack int) window {
	lo, hi := max(0, start-slack), min(len(s.starts), start+len(s.old)+slack)
	n, m := len(s.old), hi-lo
	if s.cells -= (n + 1) * (m + 1); s.cells < 0 || m <= 0 {
		return window{}
	}
	file := make([]line, m)
	for j := range file {
		file[j] = newLine(s.line(lo + j))
	}
	sum := make([]float64, (n+1)*(m+1))
	like := make([]float64, n*m)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			like[i*m+j] = s.likeness(s.old[i], file[j])
			at := i*(m+1) + j
			sum[at] = max(sum[at+m+1], sum[at+1])
			if l := like[i*m+j]; l > 0 {
				// A pair on the diagonal of start counts slightly more, so that of
				// equal lines the one at the right distance is paired.
				sum[at] = max(sum[at], sum[at+m+2]+l*s.old[i].weight()+1e-6*float64(1-min(1, abs(lo+j-start-i))))
			}
		}
	}
	w := window{pairs: make([]int, n)}
	total, got := 0.0, 0.0
	first, last := -1, -1
	for i, j := 0, 0; i < n; {
		at := i*(m+1) + j
		switch {
		case j == m || sum[at] == sum[at+m+1]:
			w.pairs[i] = -1
			i++
		case sum[at] == sum[at+1]:
			j++
		default:
			w.pairs[i] = lo + j
			got += like[i*m+j] * s.old[i].weight()
			if s.old[i].text != "" {
				if first < 0 {
					first = i
				}
				last = i
			}
			i, j = i+1, j+1
		}
	}
	if first < 0 {
		return window{}
	}
	for _, l := range s.old {
		total += l.weight()
	}
	w.from = max(0, w.pairs[first]-first)
	w.to = min(len(s.starts), w.pairs[last]+n-last)
	// Lines without a partner at the ends count as replaced.
	w.score = got / total * min(1, float64(n+1)/float64(w.to-w.from+1))
	return w
}

// likeness returns how much of two lines is the same, 0 to 1.
func (s *search) likeness(a, b line) float64 {
	if a.text == b.text {
		return 1
	}
	like := jaccard(a, b)
	if like < 0.4 {
		return 0
	}
	const most = 256
	if cells := len(a.text) * len(b.text); len(a.text) <= most && len(b.text) <= most && cells <= s.cells {
		s.cells -= cells
		like = 1 - float64(levenshtein(a.text, b.text))/float64(max(len(a.text), len(b.text)))
	}
	return min(like, 0.99)
}

// levenshtein returns the least number of bytes that must be changed, added or
// removed to turn a into b. It is not the distance of package similar, which also
// counts swaps and compares short names by characters: this one runs for thousands
// of pairs of lines and is bounded by the cells it fills.
func levenshtein(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
