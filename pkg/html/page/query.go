package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxTerms limits the words of a query that count.
const maxTerms = 32

// term is a word or a phrase that is searched for.
type term struct {
	text   string // folded
	shown  string // as it was asked for
	phrase bool
	loose  bool // it may begin inside a word
}

type query []term

// asked reads a query: words, and phrases in quotes. Words such as "the" count only if
// there are no others.
func asked(words string) query {
	var all, common query
	add := func(shown string, phrase bool) {
		text := plain(shown)
		if !phrase {
			text = strings.Trim(text, " \t.,;:!?\"'“”‘’「」『』《》。，；：！？、")
		}
		t := term{text: text, shown: strings.TrimSpace(shown), phrase: phrase}
		if text == "" || slices.ContainsFunc(all, func(o term) bool { return o.text == text }) || len(all) == maxTerms {
			return
		}
		if !phrase && isCommon(text) {
			common = append(common, t)
			return
		}
		all = append(all, t)
	}
	rest := words
	for rest != "" {
		at := strings.IndexAny(rest, "\"“”„「『«")
		if at < 0 {
			break
		}
		_, size := utf8.DecodeRuneInString(rest[at:])
		end := strings.IndexAny(rest[at+size:], "\"”“」』»")
		if end < 0 {
			break
		}
		for w := range strings.FieldsSeq(rest[:at]) {
			add(w, false)
		}
		inner := rest[at+size : at+size+end]
		add(inner, len(strings.Fields(inner)) > 1 || strings.ContainsFunc(inner, isIdeographic))
		_, closing := utf8.DecodeRuneInString(rest[at+size+end:])
		rest = rest[at+size+end+closing:]
	}
	for w := range strings.FieldsSeq(rest) {
		add(w, false)
	}
	if len(all) == 0 {
		return common
	}
	return all
}

// isCommon reports whether a word says nothing about what is searched for.
func isCommon(word string) bool {
	switch word {
	case "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "how", "i", "in", "is", "it", "of", "on", "or", "that", "the", "this", "to", "was", "what", "when", "where", "which", "who", "why", "with", "的", "了", "是":
		return true
	}
	return false
}

// in reports whether a plain text has the term.
func (t *term) in(text string) bool {
	if t.loose {
		return strings.Contains(text, t.text)
	}
	return wordAt(text, t.text)
}

// wordAt reports whether a plain text has a word that begins so.
func wordAt(text, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 || !inWord(first) || !inWord(before) || isIdeographic(first) || isIdeographic(before) {
			return true
		}
		from = at + len(word)
	}
}

// occurring returns the terms that occur, in the form in which they do, and those that do
// not. A word is tried as it is, then without its plural, then inside others; then a
// phrase, or a word in a script without spaces, by its parts.
func (q query) occurring(units []unit) (found query, missing []string) {
	occurs := func(t term) bool {
		return slices.ContainsFunc(units, func(u unit) bool { return t.in(u.text) })
	}
	add := func(forms ...term) bool {
		at := slices.IndexFunc(forms, occurs)
		if at < 0 {
			return false
		}
		if !slices.ContainsFunc(found, func(t term) bool { return t.text == forms[at].text }) {
			found = append(found, forms[at])
		}
		return true
	}
	for _, t := range q {
		stem, loose := t, t
		if !t.phrase && len(t.text) > 4 {
			stem.text = strings.TrimSuffix(strings.TrimSuffix(t.text, "s"), "'")
		}
		loose.loose = len(t.text) > 2
		if add(t, stem, loose) {
			continue
		}
		missing = append(missing, t.shown)
		for _, part := range t.parts() {
			if len(found) < maxTerms {
				add(part)
			}
		}
	}
	return found, missing
}

// parts returns the words of a phrase, and the pairs of characters of a word in a script
// without spaces.
func (t *term) parts() query {
	var all query
	for w := range strings.FieldsSeq(t.text) {
		runes := []rune(w)
		switch {
		case slices.ContainsFunc(runes, isIdeographic) && len(runes) > 2:
			for i := range len(runes) - 1 {
				pair := string(runes[i : i+2])
				all = append(all, term{text: pair, shown: pair, loose: true})
			}
		case t.phrase && !isCommon(w):
			all = append(all, term{text: w, shown: w})
		}
	}
	return all
}

// reach is the most consecutive units that may share the words of a query.
const reach = 3

// hits marks the units to show, and reports whether they have all terms: in each of them,
// with the headings above it; else in a few after one another; else they have the most.
func (q query) hits(units []unit) (hits []bool, all bool) {
	full := uint64(1)<<len(q) - 1
	own, with := make([]uint64, len(units)), make([]uint64, len(units))
	hits = make([]bool, len(units))
	most := 0
	for i := range units {
		for k := range q {
			if q[k].in(units[i].text) {
				own[i] |= 1 << k
			}
			if q[k].in(units[i].path) {
				with[i] |= 1 << k
			}
		}
		with[i] |= own[i]
		most = max(most, ones(own[i]))
		if own[i] != 0 && with[i] == full {
			hits[i], all = true, true
		}
	}
	if all {
		return narrowed(hits, own, full), true
	}
	for i := range units {
		var sum uint64
		for n := i; n < min(i+reach, len(units)); n++ {
			if n > i && units[n].heads {
				break
			}
			if sum |= own[n]; sum == full && own[i] != 0 {
				for k := i; k <= n; k++ {
					hits[k], all = true, true
				}
				break
			}
		}
	}
	if all {
		return hits, true
	}
	for i := range units {
		hits[i] = ones(own[i]) == most
	}
	return hits, false
}

// narrowed leaves of units that have all terms those that have them without their headings,
// or a heading of their own with them, if there are any.
func narrowed(hits []bool, own []uint64, full uint64) []bool {
	strict := make([]bool, len(hits))
	some := false
	for i, hit := range hits {
		if hit && own[i] == full {
			strict[i], some = true, true
		}
	}
	if some {
		return strict
	}
	return hits
}

func ones(set uint64) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// notFound returns the fault of a search that found nothing.
func (d *Document) notFound(words string, missing []string, units []unit, marks []mark) error {
	near := nearest(missing, units)
	list := d.candidates(marks, indices(len(marks)))
	hint := fault.T("use other words that the page may have")
	switch {
	case len(near) > 0:
		hint = fault.T("the page has similar words: %s", strings.Join(near, ", "))
	case len(list) > 0:
		hint = fault.T("use other words, or one of these headings as section: %s", names(list))
	}
	details := map[string]any{"headings": list}
	if len(near) > 0 {
		details["near"] = near
	}
	return fault.New(fault.TextNotFound, fault.T("the text of the page has none of the words %q", words)).
		WithHint(hint).WithDetails(details)
}

const (
	maxNear      = 8     // similar words that a fault names
	maxVariety   = 20000 // different words that are compared
	longestTyped = 40    // bytes of a word that may be misspelled
)

// nearest returns words of the text that differ from a missing one in one or two letters.
func nearest(missing []string, units []unit) []string {
	seen := map[string]bool{}
	var near []string
	for i := range units {
		for w := range strings.FieldsFuncSeq(units[i].text, func(r rune) bool { return !inWord(r) && r != '_' && r != '-' }) {
			if seen[w] || len(w) > longestTyped {
				continue
			}
			if len(seen) == maxVariety || len(near) == maxNear {
				return near
			}
			seen[w] = true
			for _, m := range missing {
				m = fold(m)
				if n := utf8.RuneCountInString(m); n >= 4 && len(m) <= longestTyped && distance(m, w) <= min(n/3, 2) {
					near = append(near, w)
					break
				}
			}
		}
	}
	return near
}

// distance returns how many letters have to be changed, added or removed to get from one
// word to the other (Levenshtein).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > 2 || len(y)-len(x) > 2 {
		return len(x) + len(y)
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(y)]
}
