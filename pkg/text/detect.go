package text

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/limit"
)

const (
	// detectEnough is how many bytes of lines beyond ASCII the statistics take.
	detectEnough = 2 << 10
	// detectGuesses is how many encodings are worth trying.
	detectGuesses = 3
	// detectFloor is the mean logarithm of likelihood per character beyond ASCII
	// below which no reading is believed; detectFloorHan is the same where there
	// are thousands of characters.
	detectFloor    = -6.5
	detectFloorHan = -8.6
	// detectOldSystem is the logarithm of how likely the encodings of DOS and the
	// old Mac OS are in comparison with the others.
	detectOldSystem = -4
)

// guesses are the encodings a text that is not UTF-8 may be in, the likeliest
// first: what it declares itself in head, its beginning, then those in which
// sample, a part where it is more than ASCII, reads best. None is more than a
// guess before all bytes have been decoded with it.
func guesses(head, sample []byte) []charset {
	var out []charset
	add := func(name string) {
		cs, known := lookup(name)
		if !known || cs.name == UTF8 || cs.name == Raw8Bit || !cs.lines {
			return
		}
		if !slices.ContainsFunc(out, func(have charset) bool { return have.name == cs.name }) {
			out = append(out, cs)
		}
	}
	add(declared(head))
	if len(out) > 0 && out[0].name == "gbk" {
		add("gb18030") // what "gb2312" declares is often more than that
	}
	for _, r := range readings(telling(sample)) {
		if len(out) < detectGuesses && r.credible {
			add(r.charset)
		}
	}
	return out
}

// telling are the first lines of a sample that hold more than ASCII.
func telling(sample []byte) []byte {
	const context = 16 // bytes before what is beyond ASCII
	sample = sample[:min(len(sample), limit.TextSample)]
	var out []byte
	for len(sample) > 0 && len(out) < detectEnough {
		line := sample
		if i := bytes.IndexAny(sample, "\r\n"); i >= 0 {
			line = sample[:i+1]
		}
		sample = sample[len(line):]
		if at := foreign(line); at < len(line) {
			out = append(out, line[max(at-context, 0):]...)
		}
	}
	return out[:min(len(out), detectEnough)]
}

// reading is how well bytes read in an encoding.
type reading struct {
	charset  string
	sum      float64 // logarithm of the likelihood
	credible bool
}

// readings judges each encoding by the language that it makes most sense in, and
// orders them by likelihood; of equals the one earlier in the table comes first.
func readings(sample []byte) []reading {
	if len(sample) == 0 {
		return nil
	}
	decoded := map[string]string{}
	best := map[string]int{}
	var out []reading
	for _, t := range tongues {
		odds := t.odds()
		for name := range strings.FieldsSeq(t.charsets) {
			text, have := decoded[name]
			if !have {
				text = attempt(sample, name)
				decoded[name] = text
			}
			if text == "" {
				continue
			}
			sum, n := t.likelihood(text, odds)
			floor := detectFloor
			if t.script == ideal {
				floor = detectFloorHan
			}
			r := reading{charset: name, sum: sum, credible: sum >= floor*float64(n)}
			if strings.HasPrefix(name, "ibm") || strings.Contains(name, "mac") {
				r.sum += detectOldSystem
			}
			if at, have := best[name]; !have {
				best[name] = len(out)
				out = append(out, r)
			} else if r.sum > out[at].sum {
				out[at] = r
			}
		}
	}
	slices.SortStableFunc(out, func(a, b reading) int {
		switch {
		case a.sum > b.sum:
			return -1
		case a.sum < b.sum:
			return 1
		}
		return 0
	})
	return out
}

// attempt is the sample in an encoding, "" if it is not valid there. The sample
// may end within a character.
func attempt(sample []byte, name string) string {
	cs, _ := lookup(name)
	text, err := cs.enc.NewDecoder().String(string(sample))
	if err != nil {
		return ""
	}
	if len(sample) == detectEnough {
		text = strings.TrimRight(text, "\uFFFD")
	}
	if strings.Contains(text, "\uFFFD") {
		return ""
	}
	return text
}

// kind of writing, as far as detection minds.
type script byte

const (
	sparse script = iota // Latin: most letters are ASCII
	dense                // an alphabet of its own
	ideal                // no spaces between words, no case
)

// tongue is what a language looks like.
type tongue struct {
	charsets string  // to be tried, the preferred one first
	script   script  //
	covers   float64 // the share of characters that are in common
	common   string  // its characters beyond ASCII, the most frequent first
}

// odds are the logarithms of the probabilities of the common characters, which
// fall with their rank as Zipf's law has it.
func (t *tongue) odds() map[rune]float64 {
	const flat = 3 // the first ranks differ less than Zipf says
	total, n := 0.0, utf8.RuneCountInString(t.common)
	for rank := range n {
		total += 1 / float64(rank+flat)
	}
	odds := make(map[rune]float64, n)
	rank := 0
	for _, r := range t.common {
		odds[r] = math.Log(t.covers / total / float64(rank+flat))
		rank++
	}
	return odds
}

// Logarithms of how likely things are that do not depend on the language.
const (
	oddPunctuation = -4.5
	oddLetter      = -9
	oddSymbol      = -8
	oddControl     = -14
	oddCapital     = -2
	oddNeighbour   = -3 // two letters that do not go together
	oddCase        = -5 // a capital after a small letter
	oddInWord      = -4 // a symbol between letters
)

// likelihood is the logarithm of how likely the characters of a text beyond
// ASCII are in a language, and how many there are.
func (t *tongue) likelihood(text string, odds map[rune]float64) (sum float64, n int) {
	var before rune
	for i, r := range text {
		if r >= utf8.RuneSelf {
			n++
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			sum += t.odd(before, r, after, odds)
		}
		before = r
	}
	return sum, n
}

func (t *tongue) odd(before, r, after rune, odds map[rune]float64) float64 {
	small := unicode.ToLower(r)
	odd, common := odds[r]
	if !common {
		odd, common = odds[small]
	}
	switch letter := unicode.IsLetter(r); {
	case common && !letter: // a mark, a sign or a line of a frame
		return odd
	case strings.ContainsRune(punctuation, r):
		return oddPunctuation
	case !letter && (unicode.IsControl(r) || unicode.Is(unicode.Co, r)):
		return oddControl
	case !letter:
		if t.script != ideal && unicode.IsLetter(before) && unicode.IsLetter(after) {
			return oddSymbol + oddInWord
		}
		return oddSymbol
	case !common:
		odd = oddLetter
	}
	if t.script == ideal {
		return odd
	}
	if r != small {
		switch {
		case unicode.IsLower(before):
			odd += oddCase
		case !unicode.IsUpper(before):
			odd += oddCapital
		}
	}
	foreign := unicode.IsLetter(before) && before >= utf8.RuneSelf
	ascii := before < utf8.RuneSelf && unicode.IsLetter(before) || after < utf8.RuneSelf && unicode.IsLetter(after)
	if t.script == sparse && foreign || t.script == dense && ascii {
		odd += oddNeighbour
	}
	return odd
}
