package rank

import (
	"bytes"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault/similar"
)

// slips returns how many slips may be in a text: by its bytes, as a character of three
// says more than a letter, but in no more than half of its characters.
func slips(text string) int {
	most := utf8.RuneCountInString(text) / 2
	switch {
	case len(text) < 3:
		return 0
	case len(text) < 6:
		return min(1, most)
	}
	return min(2, most)
}

// near ranks by names with slips, with another extension, or in another directory.
func (r *Ranker) near(w *wanted) Score {
	most := slips(w.stem)
	bytesOff := most // that slips may change
	if utf8.RuneCountInString(w.stem) < len(w.stem) {
		bytesOff *= utf8.UTFMax
	}
	name := r.path[r.start:]
	if len(w.stem) < 2 || len(name) < len(w.stem)-bytesOff || r.nameSet.missing(w.stemSet) > bytesOff {
		return Score{Tier: None}
	}
	dot := stemOf(name)
	r.scratch = squash(r.scratch[:0], name[:dot])
	if len(r.scratch) == 0 || w.stemSet.missing(lettersOf(r.scratch)) > bytesOff {
		return Score{Tier: None}
	}
	distance, ok := similar.Within(w.stem, string(r.scratch), most)
	if !ok || (distance > 1 || distance == 1 && len(w.stem) == 3) && w.stem[0] != r.scratch[0] { // few slips are in the first letter
		return Score{Tier: None}
	}
	points := 1000 - 150*distance
	extension, wanted := name[dot:], w.base[w.dot:]
	if len(wanted) > 0 && !bytes.Equal(extension, wanted) {
		points -= 100
	}
	if len(w.dirs) > 0 {
		points -= 200 * (len(w.dirs) - r.dirsOf(w)) / len(w.dirs)
	}
	return Score{Tier: Near, Path: w.path, Points: r.points(points, 0)}
}

// dirsOf counts the directories of a query that the path goes through, also with
// slips.
func (r *Ranker) dirsOf(w *wanted) (n int) {
	for _, want := range w.dirs {
		for dir := range bytes.SplitSeq(r.path[:r.start], []byte("/")) {
			if _, ok := similar.Within(want, string(dir), slips(want)); ok {
				n++
				break
			}
		}
	}
	return n
}
