package rank

import (
	"bytes"

	"github.com/helve-dev/helve/pkg/fault/similar"
)

// slips returns how many slips may be in a text of that many bytes.
func slips(length int) int {
	switch {
	case length < 3:
		return 0
	case length < 6:
		return 1
	}
	return 2
}

// near ranks by names with slips, with another extension, or in another directory.
func (r *Ranker) near(w *wanted) Score {
	most := slips(len(w.stem))
	name := r.path[r.start:]
	if len(w.stem) < 2 || len(name) < len(w.stem)-most || r.nameSet.missing(w.stemSet) > most {
		return Score{Tier: None}
	}
	dot := stemOf(name)
	r.scratch = squash(r.scratch[:0], name[:dot])
	if w.stemSet.missing(lettersOf(r.scratch)) > most {
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
			if _, ok := similar.Within(want, string(dir), slips(len(want))); ok {
				n++
				break
			}
		}
	}
	return n
}
