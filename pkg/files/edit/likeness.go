package edit

import (
	"math"
	"math/bits"
	"unicode"
)

// line is a line prepared for comparison.
type line struct {
	raw   string
	text  string    // raw without white space
	grams [4]uint64 // the set of its pairs of bytes, hashed to 256 bits
	words []string  // of raw, once they are needed; see wordsOf
}

func newLine(s string) line {
	l := line{raw: s, text: string(squeeze(nil, s))}
	for i := 1; i < len(l.text); i++ {
		// Set the bit of lower case: case is a small difference.
		bit := (uint32(l.text[i-1]|0x20)*31 + uint32(l.text[i]|0x20)) * 2654435761 >> 24
		l.grams[bit>>6] |= 1 << (bit & 63)
	}
	return l
}

// squeeze appends a line without its white space to a buffer.
func squeeze(to []byte, line string) []byte {
	for i := range len(line) {
		if line[i] != ' ' && line[i] != '\t' {
			to = append(to, line[i])
		}
	}
	return to
}

// weight returns how much a line counts. Blank lines hardly count.
func (l line) weight() float64 { return 0.1 + math.Sqrt(float64(len(l.text))) }

// jaccard returns the share of pairs of bytes that two lines have in common.
func jaccard(a, b line) float64 {
	both, either := 0, 0
	for i := range a.grams {
		both += bits.OnesCount64(a.grams[i] & b.grams[i])
		either += bits.OnesCount64(a.grams[i] | b.grams[i])
	}
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
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
	x, y := differing([]byte(a.text), []byte(b.text))
	longest := float64(max(len(a.text), len(b.text)))
	if cells := len(x) * len(y); len(x) <= most && len(y) <= most && cells <= s.cells {
		s.cells -= cells
		like = 1 - float64(levenshtein(x, y))/longest
	} else if len(a.text) > most || len(b.text) > most { // their sets of pairs are full and say little
		like = 1 - float64(max(len(x), len(y)))/longest
	}
	return min(like, 0.99)
}

// Alike returns how much of two lines is the same, 0 to 1. White space is not
// compared.
func Alike(a, b string) float64 {
	s := search{cells: searchCells}
	return s.likeness(newLine(a), newLine(b))
}

// wordsKept returns how much of the words and signs of an old line a line of the file
// keeps, 0 to 1, the rarer ones counting more. A word counts as one, however little of
// it has changed: people and programs change words, and where blocks were written after
// one example, a word of theirs may differ in a letter only. Of very long lines it
// returns how much they are alike.
func (s *search) wordsKept(old, file *line, like float64) float64 {
	const (
		longest = 4 << 10 // bytes of a line
		most    = 256     // words that differ
	)
	if max(len(old.raw), len(file.raw)) > longest {
		return like
	}
	v, w := old.wordsOf(), file.wordsOf()
	x, y := differing(v, w)
	cells := len(x) * len(y)
	if len(x) > most || len(y) > most || cells > s.cells {
		return like
	}
	s.cells -= cells
	all := 0.0
	for _, word := range v {
		all += s.rarity(word)
	}
	return max(0, 1-s.wordsLost(x, y)/all)
}

// wordsLost returns the least rarity of words that must be changed or removed to turn
// old words into others. A word that is added counts as one that is everywhere.
func (s *search) wordsLost(old, file []string) float64 {
	row := make([]float64, len(file)+1)
	for j := range file {
		row[j+1] = row[j] + common
	}
	for _, word := range old {
		lost := s.rarity(word)
		diagonal := row[0]
		row[0] += lost
		for j := range file {
			change := diagonal
			if word != file[j] {
				change += lost
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+lost, row[j]+common)
		}
	}
	return row[len(file)]
}

// common is the weight of a line or a word that is everywhere; one that occurs once has 1.
const common = 0.3

// rare returns the weight of a line or a word that the file has so often: a "}", which is
// everywhere, says little about a place.
func rare(often int) float64 { return common + (1-common)/float64(max(1, often)) }

// rarity is rare for a word of the old lines.
func (s *search) rarity(word string) float64 {
	if s.words == nil {
		s.countWords()
	}
	return rare(s.words[word])
}

// countWords counts the words of the old lines in the file, or at the beginning of a
// large one.
func (s *search) countWords() {
	const most = 4 << 20 // bytes
	s.words = make(map[string]int)
	for i := range s.old {
		for _, w := range s.old[i].wordsOf() {
			s.words[w] = 0
		}
	}
	for i := 0; i < len(s.starts) && s.starts[i] < most; i++ {
		l := s.line(i)
		for _, w := range words(l[:min(len(l), most)]) {
			if n, ok := s.words[w]; ok {
				s.words[w] = n + 1
			}
		}
	}
}

// wordsOf returns the words and signs of a line. In scripts that are written without
// spaces, every character is one.
func (l *line) wordsOf() []string {
	if l.words != nil {
		return l.words
	}
	for _, w := range words(l.raw) {
		spaced := true
		for _, r := range w {
			spaced = spaced && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
		}
		switch {
		case trim(w) == "":
		case spaced:
			l.words = append(l.words, w)
		default:
			for _, r := range w {
				l.words = append(l.words, string(r))
			}
		}
	}
	return l.words
}

// differing returns two texts without what both begin and end with.
func differing[T comparable](a, b []T) (x, y []T) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	n = 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return a[:len(a)-n], b[:len(b)-n]
}

// levenshtein returns the least number of elements, which are bytes or words, that must
// be changed, added or removed to turn a into b. It is not the distance of package
// similar, which also counts swaps and compares short names by characters: this one
// runs for thousands of pairs of lines and is bounded by the cells it fills.
func levenshtein[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
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
