package rank

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Ranker ranks the names of one directory after the other. It is for one goroutine.
type Ranker struct {
	query *Query
	// What is known of the byte values: in lower case, and their bit.
	lower   [256]byte
	letters [256]letters

	dir     string  // the path of the directory with a slash; "" for the root
	depth   int     // its levels
	path    []byte  // of an entry, in lower case; starts with the directory
	start   int     // where the name begins in path
	dirSet  letters // of the directory
	aside   bool    // the directory holds tests or copies
	asides  [len(asides)]letters
	inDir   [mostAlternatives][mostParts]above
	name    string // as it was given
	nameSet letters
	scratch []byte
}

// Ranker returns a ranker for the query, at the root.
func (q *Query) Ranker() *Ranker {
	r := &Ranker{query: q}
	for i := range r.lower {
		c := byte(i)
		if upper(c) {
			c += 'a' - 'A'
		}
		r.lower[i], r.letters[i] = c, letterOf(c)
	}
	for i, word := range asides {
		r.asides[i] = lettersOf([]byte(word))
	}
	return r
}

// Enter says in which directory the next names are: its path with a slash at the end,
// or "" for the root.
func (r *Ranker) Enter(dir string) {
	if dir == r.dir {
		return
	}
	r.dir, r.depth = dir, strings.Count(dir, "/")
	r.path = append(r.path[:0], strings.ToLower(composed(dir))...)
	r.start, r.dirSet = len(r.path), lettersOf(r.path)
	r.aside = r.isAside(r.path, r.dirSet)
	for i := range r.query.alternatives {
		w := &r.query.alternatives[i]
		for j := range w.parts {
			r.inDir[i][j] = r.above(&w.parts[j])
		}
	}
}

// Rank returns how well a name in the directory fits, as far as the tiers up to worst
// say.
func (r *Ranker) Rank(name string, worst Tier) Score {
	if len(name) > longest {
		name = name[:longest]
	}
	r.name = name
	r.path = r.path[:r.start]
	ascii := true
	r.nameSet = 0
	for i := range len(name) {
		c := r.lower[name[i]]
		ascii = ascii && c < utf8.RuneSelf
		r.nameSet |= r.letters[c]
		r.path = append(r.path, c)
	}
	if !ascii {
		r.path = append(r.path[:r.start], strings.ToLower(composed(name))...)
		r.nameSet = lettersOf(r.path[r.start:])
		if len(r.path)-r.start != len(name) {
			r.name = string(r.path[r.start:]) // its capitals are lost
		}
	}
	best := Score{Tier: None}
	for i := range r.query.alternatives {
		s := r.rank(i, &r.query.alternatives[i], worst)
		if s.Compare(best) < 0 {
			best = s
		}
	}
	return best
}

func (r *Ranker) rank(i int, w *wanted, worst Tier) Score {
	if s := r.literal(w); s.Tier < None || worst < Words {
		return s
	}
	joined := r.joined(w)
	qualities, s := r.all(i, w)
	if joined.Compare(s) < 0 {
		s = joined
	}
	if s.Tier < None || worst < Near {
		return s
	}
	if s = r.near(w); s.Tier < None || worst < Some {
		return s
	}
	return r.some(i, w, qualities)
}

// literal ranks by the text as it was given.
func (r *Ranker) literal(w *wanted) Score {
	if w.path {
		return r.literalPath(w)
	}
	if !r.nameSet.hold(w.letters) {
		return Score{Tier: None}
	}
	name := r.path[r.start:]
	at := bytes.Index(name, w.text)
	if at < 0 {
		return Score{Tier: None}
	}
	end := at + len(w.text)
	switch {
	case len(name) == len(w.text):
		return Score{Tier: Exact, Points: r.points(1000, 0)}
	case at == 0 && name[end] == '.', at == 1 && name[0] == '.' && end == len(name):
		return Score{Tier: Tail, Points: r.points(1000, bytes.Count(name[end:], []byte(".")))}
	}
	return Score{Tier: Part, Points: r.points(10*int(r.within(w.text)), r.surplus(1))}
}

func (r *Ranker) literalPath(w *wanted) Score {
	if !(r.nameSet | r.dirSet).hold(w.letters) {
		return Score{Tier: None}
	}
	at := bytes.LastIndex(r.path, w.text)
	if at < 0 {
		return Score{Tier: None}
	}
	end := at + len(w.text)
	begins := at == 0 || r.path[at-1] == '/'
	switch {
	case at == 0 && end == len(r.path):
		return Score{Tier: Exact, Path: true, Points: r.points(1000, 0)}
	case begins && end == len(r.path):
		return Score{Tier: Tail, Path: true, Points: r.points(1000, 0)}
	case begins && end > r.start && r.path[end] == '.':
		return Score{Tier: Tail, Path: true, Points: r.points(900, 0)}
	case end > r.start:
		return Score{Tier: Part, Path: true, Points: r.points(800, r.surplus(1))}
	}
	return Score{Tier: Part, Path: true, Points: r.points(400, 0)}
}

// joined ranks by letters and digits alone: fileState is in file_state.py. So are the
// words file state, in their order and with nothing between them.
func (r *Ranker) joined(w *wanted) Score {
	set, text := r.nameSet, r.path[r.start:]
	if w.path {
		set, text = set|r.dirSet, r.path
	}
	if len(w.squash) < 3 || !set.hold(w.allSet) {
		return Score{Tier: None}
	}
	r.scratch = squash(r.scratch[:0], text)
	at := bytes.LastIndex(r.scratch, w.squash)
	if at < 0 {
		return Score{Tier: None}
	}
	rest := len(r.scratch) - len(w.squash)
	if w.path {
		after := len(r.scratch) - at - len(w.squash) // what follows must be in the name
		if squashed := len(squash(nil, r.path[r.start:])); after >= squashed {
			return Score{Tier: None}
		}
		return Score{Tier: Parts, Path: true, Points: r.points(1000-10*after, 0)}
	}
	if name := r.path[r.start:]; at == 0 {
		rest -= len(name) - stemOf(name) - 1 // an extension is no surplus
	} else {
		rest += 10
	}
	tier := Parts
	if w.words && len(w.parts) > 1 {
		tier = Words
	}
	return Score{Tier: tier, Points: r.points(1000-10*min(max(rest, 0), 40), 0)}
}

// points returns points less what makes a file unlikely: surplus parts, tests and
// copies, and its depth.
func (r *Ranker) points(points, surplus int) int16 {
	points -= 15 * min(surplus, 6)
	if r.isAsideAnywhere() {
		points -= 60
	}
	return int16(points - 2*min(r.depth, 15))
}

// surplus counts the parts of the name, without its extension, beyond those that were
// asked for.
func (r *Ranker) surplus(wanted int) int {
	end := stemOf(r.path[r.start:])
	n := 0
	for from := 0; from < end; {
		at, stop := r.nextPart(from)
		if at < end {
			n++
		}
		from = stop
	}
	return max(0, n-wanted)
}

// asides are in the paths of tests, examples and copies.
var asides = [...]string{"test", "spec", "mock", "fixture", "example", "vendor", "legacy", "dist/", "build/", ".min.", "bench", "deprecated"}

// isAsideAnywhere reports whether the name or its directory is of a test, an example or a copy.
func (r *Ranker) isAsideAnywhere() bool { return r.aside || r.isAside(r.path[r.start:], r.nameSet) }

// isAside reports whether a part of a path, in lower case, is of a test, an example or a
// copy.
func (r *Ranker) isAside(text []byte, set letters) bool {
	for i, word := range asides {
		if set.hold(r.asides[i]) && bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}
