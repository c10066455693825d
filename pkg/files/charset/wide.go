package charset

import (
	"bytes"
	"math"
	"unicode"
	"unicode/utf8"
)

// wide is an encoding with up to four bytes per character.
type wide struct {
	name     string
	scheme   scheme
	rarity   float64 // prior cost of the encoding
	frequent *frequencies
	goesOn   float64 // cost of a character right after another
	ends     float64 // cost of ASCII other than a letter after a character
}

var wides = [...]wide{
	{"gb18030", gb18030, 0.5, &simplifiedText, 0.1, 2.4},
	{"shift_jis", shiftJIS, 0.7, &japaneseText, 0.1, 2.4},
	{"big5", big5, 1, &traditionalText, 0.1, 2.4},
	{"euc-kr", eucKR, 1, &koreanText, 0.3, 1.5},
	{"euc-jp", eucJP, 1.2, &japaneseText, 0.1, 2.4},
}

// frequencies are the frequent characters of a language by their cost: that of the
// characters in buckets[i] is first+i, in halves.
type frequencies struct {
	first   int
	buckets []string
}

// costs returns the costs of characters by their code points, in halves, 0 for those
// that are not frequent.
func (f *frequencies) costs() []uint8 {
	costs := make([]uint8, 1<<16)
	for i, bucket := range f.buckets {
		for _, r := range bucket {
			costs[r] = uint8(f.first + i)
		}
	}
	return costs
}

const (
	costWideBegins = 1.2 // a character after ASCII other than a letter
	costWideLetter = 4   // a character after an ASCII letter
	costLetterWide = 6.7 // the reverse
	costNone       = 16  // bytes that form no character
	costLong       = 15  // a character of three or four bytes
	costTorn       = 10  // half a character at one end of the sample
	costRepeats    = 0.5 // a character after the same one
	costHalf       = 8.5 // a half-width katakana of one byte
	costHalves     = 4.5 // another
)

// cost returns the cost of the sample. It tries both a sample that begins with a
// character and one that begins within one. long says that there are characters of
// more than two bytes.
func (w *wide) cost(sample []byte) (cost float64, long bool) {
	costs := w.frequent.costs()
	cost, long = w.parse(sample, false).cost(costs)
	if sample[0] >= 0x80 && len(sample) > 1 {
		if c, l := w.parse(sample[1:], true).cost(costs); c < cost {
			return c, l
		}
	}
	return cost, long
}

// parsed is a sample split into characters.
type parsed struct {
	wide   *wide
	cost0  float64 // without the characters of two bytes
	long   bool
	codes  [][2]byte // different ones, in the order of their appearance
	counts []uint32  // by code
}

// parse splits a sample into characters. torn says that half a character precedes it.
// It gives up, with an infinite cost, if more than a few bytes form no character.
func (w *wide) parse(sample []byte, torn bool) *parsed {
	p := &parsed{wide: w, cost0: w.rarity, counts: make([]uint32, 1<<16)}
	const (
		nothing = iota
		letter
		half
		whole
	)
	before := nothing
	if torn {
		p.cost0 += costTorn
		before = whole
	}
	characters, bad := 0, 0
	for i := 0; i < len(sample); {
		c := sample[i]
		if c < 0x80 {
			switch afterASCII := i > 0 && sample[i-1] < 0x80; {
			case before < half, afterASCII:
				// After a character that ends in an ASCII byte, these are
				// two ASCII bytes in other encodings, which cost nothing.
			case isASCIILetter(c):
				p.cost0 += costLetterWide
			default:
				p.cost0 += w.ends
			}
			before = nothing
			if isASCIILetter(c) {
				before = letter
			}
			i++
			continue
		}
		n := w.scheme.length(sample[i:])
		if n > len(sample)-i {
			p.cost0 += costTorn
			before = nothing
			break
		}
		characters++
		switch before {
		case nothing:
			p.cost0 += costWideBegins
		case letter:
			p.cost0 += costWideLetter
		default:
			p.cost0 += w.goesOn
		}
		switch {
		case n == 0:
			p.cost0 += costNone
			if bad++; bad > 2 && bad*20 > characters+20 {
				p.cost0 = math.Inf(1)
				return p
			}
			n = 1
		case n == 1 && before == half:
			p.cost0 += costHalves
		case n == 1:
			p.cost0 += costHalf
		case n > 2:
			p.cost0 += costLong
			p.long = true
		case before == whole && i >= 2 && bytes.Equal(sample[i-2:i], sample[i:i+2]):
			p.cost0 += costRepeats
		default:
			code := [2]byte(sample[i : i+2])
			at := uint16(code[0])<<8 | uint16(code[1])
			if p.counts[at]++; p.counts[at] == 1 {
				p.codes = append(p.codes, code)
			}
		}
		before = whole
		if w.scheme == shiftJIS && n == 1 {
			before = half
		}
		i += n
	}
	if before >= half {
		p.cost0 += w.ends
	}
	return p
}

// cost returns the cost of the sample, given the costs of frequent characters.
func (p *parsed) cost(costs []uint8) (cost float64, long bool) {
	if math.IsInf(p.cost0, 1) {
		return p.cost0, p.long
	}
	var lines []byte
	for _, code := range p.codes {
		lines = append(lines, code[0], code[1], '\n')
	}
	text, err := p.wide.scheme.encoding().NewDecoder().Bytes(lines)
	if err != nil {
		return math.Inf(1), p.long
	}
	cost = p.cost0
	for _, code := range p.codes {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		n := float64(p.counts[uint16(code[0])<<8|uint16(code[1])])
		switch r, _ := utf8.DecodeRune(line); {
		case r < utf8.RuneSelf, r == utf8.RuneError, unicode.Is(unicode.Co, r):
			cost += n * costNone
		case int(r) < len(costs) && costs[r] > 0:
			cost += n * float64(costs[r]) / 2
		default:
			cost += n * p.wide.scheme.unseen(code[0], code[1])
		}
	}
	return cost, p.long
}
