package rank

import (
	"bytes"
	"strings"

	"github.com/helve-dev/helve/pkg/fault/similar"
)

// Qualities of how a name holds a part of a query, in percent.
const (
	whole  = 100 // as a part of its own
	begun  = 85  // at the start of a part
	ended  = 70  // at the end of one
	inside = 50
	// in another form
	inflected = 80 // handlers for handler
	shortened = 75 // auth for authentication
	initials  = 75 // vr for virtual reality
	misspelt  = 65
	squeezed  = 55 // db for database

	ownName   = 50 // points of a file whose name and directory say the same: it is the main one there
	leastSome = 30 // percent of a query that a path must have
	leastPart = 3  // bytes of a part that may be anywhere in a name
)

// boundary reports whether a part of the name begins at i, or ends there.
func (r *Ranker) boundary(i int) bool {
	return i == 0 || i == len(r.name) || !alnum(r.name[i]) || !alnum(r.name[i-1]) || begins(r.name, i)
}

// nextPart returns the bounds of the first part of the name at or after i.
func (r *Ranker) nextPart(i int) (start, end int) {
	for i < len(r.name) && !alnum(r.name[i]) {
		i++
	}
	start = i
	for i++; i < len(r.name) && !r.boundary(i); i++ {
	}
	return start, min(i, len(r.name))
}

// within returns how the name holds a text in lower case.
func (r *Ranker) within(text []byte) (quality uint8) {
	name := r.path[r.start:]
	for from := 0; ; {
		at := bytes.Index(name[from:], text)
		if at < 0 {
			return quality
		}
		at += from
		begins, ends := r.boundary(at), r.boundary(at+len(text))
		switch {
		case begins && ends:
			return whole
		case begins:
			quality = max(quality, begun)
		case len(text) >= leastPart && ends:
			quality = max(quality, ended)
		case len(text) >= leastPart:
			quality = max(quality, inside)
		}
		from = at + 1
	}
}

// above rates the matches of a part of a query in the directories: exact ones, and those
// in any form. own says that the directory of the name itself has one.
type above struct {
	exact, any uint8
	own        bool
}

// above returns how the directories above the name hold a part. That counts for less
// than the name, and for more if it is the directory of the name itself.
func (r *Ranker) above(p *part) (quality above) {
	if r.start == 0 {
		return above{}
	}
	for rest, depth := r.path[:r.start-1], 0; ; depth++ {
		slash := bytes.LastIndexByte(rest, '/')
		q := 0
		dir := rest[slash+1:]
		switch at := bytes.Index(dir, p.text); {
		case len(dir) == len(p.text) && at == 0:
			q = whole
		case at == 0 || at > 0 && !alnum(dir[at-1]):
			q = begun
		case at > 0 && len(p.text) >= leastPart:
			q = inside
		}
		share := 65
		if depth == 0 {
			share = 80
		}
		quality.exact = max(quality.exact, uint8(q*share/100))
		if q == 0 {
			q = int(likeness(p.text, dir))
		}
		quality.any = max(quality.any, uint8(q*share/100))
		quality.own = quality.own || depth == 0 && q > 0
		if slash < 0 {
			return quality
		}
		rest = rest[:slash]
	}
}

// all ranks by parts, all of which must be in the path and one of them in the name. It
// also returns how the name holds each.
func (r *Ranker) all(i int, w *wanted) (qualities [mostParts]uint8, s Score) {
	sum, weights, named, missing := 0, 0, 0, false
	for j := range w.parts {
		p := &w.parts[j]
		q := uint8(0)
		if r.nameSet.hold(p.letters) {
			q = r.within(p.text)
		}
		qualities[j] = q
		if q > 0 && !p.ending {
			named++
		}
		q = max(q, r.inDir[i][j].exact)
		missing = missing || q == 0
		sum += int(q) * p.weight
		weights += p.weight
	}
	if missing || named == 0 || len(w.parts) < 2 || w.path {
		return qualities, Score{Tier: None}
	}
	tier := Parts
	if w.words {
		tier = Words
	}
	return qualities, Score{Tier: tier, Path: named < len(w.parts), Points: r.points(10*sum/weights, r.surplus(named))}
}

// some ranks by the parts that the path has, in this or another form. They must be a
// good part of what was asked for. qualities say how the name holds each.
func (r *Ranker) some(i int, w *wanted, qualities [mostParts]uint8) Score {
	if len(w.parts) < 2 {
		return Score{Tier: None}
	}
	sum, weights, named := 0, 0, 0
	for j := range w.parts {
		p := &w.parts[j]
		if qualities[j] == 0 {
			qualities[j] = r.like(p)
		}
		weights += p.weight
	}
	r.acronyms(w, &qualities)
	principal := 0
	for j := range w.parts {
		if q := qualities[j]; q > 0 && !w.parts[j].ending {
			named++
			if r.inDir[i][j].own {
				principal = ownName
			}
		}
		sum += int(max(qualities[j], r.inDir[i][j].any)) * w.parts[j].weight
	}
	if named == 0 || sum < leastSome*weights {
		return Score{Tier: None}
	}
	points := 10*sum/weights + principal
	if !w.aside && r.isAsideAnywhere() {
		points /= 2 // who asks for a purpose means what serves it, not its tests
	}
	return Score{Tier: Some, Path: true, Points: r.points(points, r.surplus(named))}
}

// like returns how a part of the name is like a part of the query.
func (r *Ranker) like(p *part) (quality uint8) {
	if len(p.text) < leastPart || r.nameSet&letterOf(p.text[0]) == 0 {
		return 0
	}
	name := r.path[r.start:]
	for from := 0; from < len(name); {
		at, end := r.nextPart(from)
		if at < len(name) && name[at] == p.text[0] {
			quality = max(quality, likeness(p.text, name[at:end]))
		}
		from = end
	}
	return quality
}

// likeness returns how a part of a path is another form of a part of a query.
func likeness(want, got []byte) uint8 {
	same := 0
	for same < min(len(want), len(got)) && want[same] == got[same] {
		same++
	}
	switch longer := max(len(want), len(got)); {
	case same == 0:
		return 0
	case same >= 4 && longer-same <= 3:
		return inflected
	case same == len(got) && same >= leastPart:
		return shortened
	case same >= 4 && 10*same >= 6*longer:
		return shortened
	case len(want) >= 4 && len(got) >= 4:
		if _, ok := similar.Within(string(want), string(got), slips(string(want))); ok {
			return misspelt
		}
	case len(got) >= 2 && len(got) < 4 && len(want) > len(got)+2 && abbreviates(got, want):
		return squeezed
	}
	return 0
}

// abbreviates reports whether short is made of consonants of long, in order.
func abbreviates(short, long []byte) bool {
	for _, c := range short {
		if strings.IndexByte("aeiou", c) >= 0 {
			return false
		}
		at := bytes.IndexByte(long, c)
		if at < 0 {
			return false
		}
		long = long[at+1:]
	}
	return true
}

// acronyms finds parts of the name that are made of the first letters of parts of the
// query.
func (r *Ranker) acronyms(w *wanted, qualities *[mostParts]uint8) {
	if len(w.parts) < 2 {
		return
	}
	name := r.path[r.start:]
	for from := 0; from < len(name); {
		at, end := r.nextPart(from)
		if from = end; end-at < 2 || end-at > len(w.initial) {
			continue
		}
		if first := strings.Index(w.initial, string(name[at:end])); first >= 0 {
			for j := range end - at {
				qualities[first+j] = max(qualities[first+j], initials)
			}
		}
	}
}
