package edit

import (
	"cmp"
	"slices"
)

// The search for candidates never changes anything. It finds the places of the
// file that are most similar to a text that was not found.

const (
	// searchCells bounds the search, in cells of the matrices that it fills.
	searchCells = 4_000_000
	// searchLines is the longest file, in lines, that is searched.
	searchLines = 2_000_000
	// windowsTried limits the places that are compared line by line.
	windowsTried = 24
	// replaced is the cost of a line of the file in place of an old line that is not
	// similar to it.
	replaced = 0.8
	// least is the score of a place that is worth a look, and leastRare that of one
	// that has a line of the block which the file has nowhere else.
	least, leastRare = 0.5, 0.35
)

// search finds windows of a file that are similar to a block of lines.
type search struct {
	hints  hints
	old    []line
	often  map[string]int // how often the file has each old line
	words  map[string]int // and each word of them, once that is needed
	text   string
	starts []int32 // where the lines of text begin
	cells  int     // cells that may still be filled
}

// hints holds the caller's hints about the position of a block. The zero value has none.
type hints struct {
	line       int  // that the block is at, from 1, as the caller counts; 0 says nothing
	start, end int  // bytes of the text that the block is between
	bounded    bool // by start and end
}

// window is a range of lines, from 0 and half open. pairs[i] is the line of the
// file that pairs with old line i, or -1.
type window struct {
	from, to int
	score    float64 // how much of the old lines is there, 0 to 1
	rank     float64 // the evidence for this window less that against it
	rare     bool    // it has an equal line that is nowhere else
	outside  bool    // of where the caller says the block is
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
	s.often = make(map[string]int, len(s.old))
	for _, l := range s.old {
		if l.text != "" {
			s.often[l.text] = 0
		}
	}
	var squeezed []byte
	for i := range s.starts {
		squeezed = squeeze(squeezed[:0], s.line(i))
		if n, ok := s.often[string(squeezed)]; ok {
			s.often[string(squeezed)] = n + 1
		}
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
		if len(tried) == windowsTried || s.cells <= 0 {
			break
		}
		if slices.ContainsFunc(tried, func(t int) bool { return abs(t-v.start) <= slack }) {
			continue
		}
		tried = append(tried, v.start)
		if w := s.align(v.start, slack); w.score >= least || w.score >= leastRare && w.rare {
			s.heed(&w, slack)
			found = append(found, w)
		}
	}
	slices.SortStableFunc(found, func(a, b window) int {
		if a.outside != b.outside {
			if b.outside {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.from, b.from))
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

// heed applies the caller's hints to a window. Lines move, so a line number only decides
// between windows that are nearly as good; bounds by the surrounding text are firm.
func (s *search) heed(w *window, slack int) {
	if l := s.hints.line - 1; l >= 0 && l >= w.from-slack && l < w.to+slack {
		w.rank *= 1.25
	}
	w.outside = s.hints.bounded && (int(s.starts[w.from]) < s.hints.start || int(s.starts[w.from]) >= s.hints.end)
}

func abs(n int) int { return max(n, -n) }

// votes returns for every line of the file how much speaks for the block to begin
// there. Every line that equals an old line votes, the more the rarer it is, and so
// does every line that is similar to one of the longest old lines.
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
	var squeezed []byte
	for f := range s.starts {
		if squeezed = squeeze(squeezed[:0], s.line(f)); len(squeezed) == 0 {
			continue
		}
		if indices, ok := equal[string(squeezed)]; ok {
			l := s.old[indices[0]]
			if given[l.text]++; given[l.text] > often {
				continue
			}
			for _, i := range indices[:min(len(indices), often)] {
				votes[f-i] += s.worth(l)
			}
			continue
		}
		var own line
		for _, i := range anchors {
			a := s.old[i]
			if len(squeezed) > 2*len(a.text)+8 || len(a.text) > 2*len(squeezed)+8 {
				continue
			}
			if own.text == "" {
				own = newLine(string(squeezed))
			}
			if like := jaccard(own, a); like > 0.5 && len(votes) < 1<<16 {
				votes[f-i] += a.weight() * like / 2
			}
		}
	}
	return votes
}

// worth returns how much it counts that the file has an old line, the more the
// rarer it is.
func (s *search) worth(l line) float64 { return l.weight() * rare(s.often[l.text]) }

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

// align pairs the old lines with lines of the file near a start, in order, so that
// most speaks for the pairs, less what the lines without a partner cost.
func (s *search) align(start, slack int) window {
	lo, hi := max(0, start-slack), min(len(s.starts), start+len(s.old)+slack)
	n, m := len(s.old), hi-lo
	if s.cells -= (n + 1) * (m + 1); s.cells < 0 || m <= 0 {
		return window{}
	}
	file := make([]line, m)
	extra := make([]float64, m) // the cost of a line of the file without a partner
	for j := range file {
		file[j] = newLine(s.line(lo + j))
		extra[j] = replaced + 0.3*file[j].weight() // the longer, the more somebody had to write
	}
	skipped := func(i, j int) float64 {
		if i == 0 { // lines before the first are outside of the block
			return 0
		}
		return extra[j]
	}
	sum := make([]float64, (n+1)*(m+1))
	like, value := make([]float64, n*m), make([]float64, n*m)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			pair, at := i*m+j, i*(m+1)+j
			sum[at] = max(sum[at+m+1], sum[at+1]-skipped(i, j), sum[at+m+2]-replaced)
			if like[pair] = s.likeness(s.old[i], file[j]); like[pair] > 0 {
				value[pair] = s.value(&s.old[i], &file[j], like[pair])
				// A pair on the diagonal of start counts slightly more, so that of
				// equal lines the one at the right distance is paired.
				sum[at] = max(sum[at], sum[at+m+2]+value[pair]+1e-6*float64(1-min(1, abs(lo+j-start-i))))
			}
		}
	}
	w := window{pairs: make([]int, n), rank: sum[0]}
	total, got := 0.0, 0.0
	first, last := -1, -1
	for i, j := 0, 0; i < n; {
		at := i*(m+1) + j
		switch {
		case j == m || sum[at] == sum[at+m+1]:
			w.pairs[i] = -1
			i++
		case sum[at] == sum[at+1]-skipped(i, j):
			j++
		case sum[at] == sum[at+m+2]-replaced:
			w.pairs[i] = -1
			i, j = i+1, j+1
		default:
			w.pairs[i] = lo + j
			got += like[i*m+j] * s.old[i].weight()
			w.rare = w.rare || like[i*m+j] == 1 && s.often[s.old[i].text] == 1 && len(s.old[i].text) >= 6
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

// value returns how much a pair of lines speaks for a window. What is equal counts
// before what is only alike: a block that was changed keeps most of its lines, while one
// that was written after its example has hardly a line in common with it.
func (s *search) value(old, file *line, like float64) float64 {
	if like == 1 {
		return s.worth(*old)
	}
	kept := s.wordsKept(old, file, like)
	return kept * kept * old.weight() / 3
}
