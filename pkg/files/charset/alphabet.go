package charset

import (
	"math"
	"slices"
	"unicode"
)

// alphabet is an encoding with one byte per character, and the languages it is used
// for.
type alphabet struct {
	name      string
	table     table
	dos       bool    // not in the WHATWG standard
	rarity    float64 // prior cost of the encoding
	languages []*language
}

var (
	western    = []*language{&french, &german, &spanish, &portuguese, &italian, &swedish, &danish, &dutch, &finnish, &catalan, &icelandic}
	central    = []*language{&polish, &czech, &hungarian, &romanian, &slovak, &croatian, &slovene}
	baltic     = []*language{&lithuanian, &latvian, &estonian}
	cyrillic   = []*language{&russian, &bulgarian, &serbian, &ukrainian}
	russians   = []*language{&russian, &bulgarian}
	ukrainians = []*language{&ukrainian, &russian}
	arabics    = []*language{&arabic, &persian}
)

// alphabets are all alphabets, the usual ones first.
var alphabets = [...]alphabet{
	{"windows-1252", win1252, false, 0, western},
	{"windows-1251", win1251, false, 0.5, cyrillic},
	{"windows-1250", win1250, false, 1, central},
	{"iso-8859-2", iso2, false, 1.3, central},
	{"windows-1253", win1253, false, 1.5, []*language{&greek}},
	{"iso-8859-7", iso7, false, 1.8, []*language{&greek}},
	{"windows-1254", win1254, false, 1.5, []*language{&turkish}},
	{"windows-1255", win1255, false, 1.5, []*language{&hebrew}},
	{"iso-8859-8", iso8, false, 4, []*language{&hebrew}},
	{"windows-1256", win1256, false, 1.5, arabics},
	{"iso-8859-6", iso6, false, 3, []*language{&arabic}},
	{"windows-1257", win1257, false, 2, baltic},
	{"iso-8859-13", iso13, false, 4, baltic},
	{"iso-8859-4", iso4, false, 7, baltic},
	{"windows-1258", win1258, false, 3, []*language{&vietnamese}},
	{"windows-874", win874, false, 1.5, []*language{&thai}},
	{"koi8-r", koi8r, false, 2, russians},
	{"koi8-u", koi8u, false, 2.5, ukrainians},
	{"iso-8859-5", iso5, false, 3, cyrillic},
	{"ibm866", ibm866, false, 2.5, russians},
	{"x-mac-cyrillic", macCyrillic, false, 5, cyrillic},
	{"iso-8859-15", iso15, false, 4, western},
	{"macintosh", macRoman, false, 3.5, western},
	{"ibm850", ibm850, true, 4, western},
	{"ibm437", ibm437, true, 4.5, western},
	{"ibm852", ibm852, true, 5, central},
	{"ibm855", ibm855, true, 5, cyrillic},
}

// kind is the kind of a character in any language.
type kind byte

const (
	ascii   kind = iota // ASCII other than letters
	small               // a small or caseless letter
	capital             // a capital letter
	mark                // punctuation and symbols
	frame               // box drawing characters of DOS
	broken              // a control character or an undefined byte
)

func (k kind) letter() bool { return k == small || k == capital }

// view describes the bytes of an encoding.
type view [256]struct {
	kind  kind
	fold  rune    // the small letter
	cost  float64 // of a mark
	place place   // of a mark
}

// view returns the view of the bytes that occur in pairs.
func (a *alphabet) view(pairs []pair) *view {
	var used [256]bool
	for _, p := range pairs {
		used[p.prev], used[p.cur] = true, true
	}
	v := new(view)
	cm := a.table.charmap()
	for c := range v {
		if !used[c] {
			continue
		}
		r := rune(c)
		if c >= 0x80 {
			r = cm.DecodeByte(byte(c))
		}
		ch := &v[c]
		cost, where, known := symbol(r)
		switch {
		case c < 0x80 && !isASCIILetter(byte(c)):
			ch.kind = ascii
		case r == unicode.ReplacementChar, unicode.IsControl(r), unicode.Is(unicode.Co, r):
			ch.kind = broken
		case r >= 0x2500 && r < 0x25A0:
			ch.kind, ch.fold = frame, r
		case known:
			ch.kind, ch.cost, ch.place = mark, cost, where
		case unicode.IsUpper(r):
			ch.kind, ch.fold = capital, fold(r)
		case unicode.IsLetter(r), unicode.Is(unicode.Mn, r):
			ch.kind, ch.fold = small, r
		default:
			ch.kind, ch.cost, ch.place = mark, costSymbol, apart
		}
	}
	return v
}

// agrees reports whether two alphabets read pairs the same.
func (a *alphabet) agrees(b *alphabet, pairs []pair) bool {
	here, there := a.table.charmap(), b.table.charmap()
	return !slices.ContainsFunc(pairs, func(p pair) bool {
		return here.DecodeByte(p.prev) != there.DecodeByte(p.prev) || here.DecodeByte(p.cur) != there.DecodeByte(p.cur)
	})
}

// fold returns the small letter of r, or r if that is ASCII, as for the Turkish İ.
func fold(r rune) rune {
	if lower := unicode.ToLower(r); r < 0x80 || lower >= 0x80 {
		return lower
	}
	return r
}

// cost returns the cost of the pairs in the language that suits them best, or infinity
// if it exceeds limit.
func (a *alphabet) cost(pairs []pair, limit float64) float64 {
	v := a.view(pairs)
	rest := a.rarity
	letters := make([]pair, 0, len(pairs))
	for _, p := range pairs {
		decides := p.cur
		if p.cur < 0x80 {
			decides = p.prev
		}
		if v[decides].kind.letter() {
			letters = append(letters, p)
			continue
		}
		if rest += float64(p.n) * v.plain(p); rest > limit {
			return math.Inf(1)
		}
	}
	best := math.Inf(1)
	for _, l := range a.languages {
		best = min(best, l.cost(v, letters, limit-rest))
	}
	return rest + best
}
