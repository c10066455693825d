// Package scan finds literals and sets of bytes in memory, fast. It knows no other
// patterns.
package scan

import "bytes"

// Finder finds the first occurrence of one or several texts.
type Finder interface {
	// Index returns the start of the first occurrence of a text in data, or -1. If
	// occurrences of several texts overlap, it may be any of them.
	Index(data []byte) int
}

// New returns a finder for texts, none of which may be empty. With fold, ASCII
// letters match in either case.
func New(texts [][]byte, fold bool) Finder {
	if len(texts) == 1 {
		return newLiteral(texts[0], fold)
	}
	return newTeddy(texts, fold)
}

// literal finds one text. It compares the text only where the two rarest bytes of it
// are at their offsets.
type literal struct {
	text []byte // in lower case with fold
	fold bool
	pair
}

// pair says that data[o1]|m1 == b1 and data[o2]|m2 == b2.
type pair struct {
	o1, o2         int
	b1, m1, b2, m2 uint8
}

func newLiteral(text []byte, fold bool) *literal {
	l := &literal{text: text, fold: fold}
	if fold {
		l.text = lower(text)
	}
	// Choose the rarest byte, then the rarest other one. For a text of one byte it serves
	// as both.
	for i := range l.text {
		if rank(l.text[i], fold) < rank(l.text[l.o1], fold) {
			l.o1 = i
		}
	}
	l.o2 = l.o1
	for i, b := range l.text {
		if b != l.text[l.o1] && (l.o2 == l.o1 || rank(b, fold) < rank(l.text[l.o2], fold)) {
			l.o2 = i
		}
	}
	if l.o2 == l.o1 && len(l.text) > 1 {
		l.o2 = (l.o1 + len(l.text) - 1) % len(l.text) // all bytes are equal: choose two far apart
	}
	l.b1, l.m1 = mask(l.text[l.o1], fold)
	l.b2, l.m2 = mask(l.text[l.o2], fold)
	return l
}

func (l *literal) Index(data []byte) int {
	for from := 0; ; {
		n := len(data) - from - len(l.text) + 1
		if n <= 0 {
			return -1
		}
		i := pairIndex(data[from:], n, &l.pair)
		if i < 0 {
			return -1
		}
		from += i
		if equal(data[from:from+len(l.text)], l.text, l.fold) {
			return from
		}
		from++
	}
}

// rank returns how common a byte is, with fold in either case.
func rank(b byte, fold bool) uint8 {
	r := ranks[b]
	if fold && isLetter(b) {
		r = max(r, ranks[b^0x20])
	}
	return r
}

// mask returns two bytes such that x|or == want for exactly the bytes x that match
// b. With fold those are both cases of a letter: no other byte becomes a letter when
// bit 5 is set.
func mask(b byte, fold bool) (want, or uint8) {
	if fold && isLetter(b) {
		return b | 0x20, 0x20
	}
	return b, 0
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func lower(text []byte) []byte {
	low := bytes.Clone(text)
	for i, b := range low {
		if 'A' <= b && b <= 'Z' {
			low[i] = b | 0x20
		}
	}
	return low
}

// equal compares data with a text of the same length. With fold, the text must be in
// lower case.
func equal(data, text []byte, fold bool) bool {
	if !fold {
		return string(data) == string(text)
	}
	for i, b := range data {
		if t := text[i]; b != t && (!isLetter(t) || b|0x20 != t) {
			return false
		}
	}
	return true
}
