package search

import (
	"bytes"
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

// Decoder recognises the encoding of a text that is not valid UTF-8 from a part of it
// that has characters beyond ASCII. part is nil if the text is UTF-8 all the same, with
// a few stray bytes; ok is false if the encoding is not certain enough. Several
// goroutines call it at once.
//
// It is called for texts that match, and, if the pattern names characters beyond ASCII,
// for all texts that are not UTF-8. (Ripgrep reads such files as UTF-8 unless an option
// names the encoding, and so finds wrong characters and misses right ones.)
type Decoder func(sample []byte) (part Part, ok bool)

// Part decodes the next part of a text to UTF-8 and returns the number of bytes of raw that
// it used. Only an incomplete character at the end may be left, and none if the text ends
// there. A part does not depend on the ones before. What cannot be decoded becomes U+FFFD.
type Part func(raw []byte, last bool) (text []byte, used int)

// decoded is a text in another encoding, as UTF-8.
type decoded struct {
	raw   content
	part  Part
	parts []decodedPart // those that were decoded so far, from the start of the text
	size  int64         // of the text, once it is known; -1

	buffer []byte
	text   []byte // the part in memory
	start  int64  // its offset in the text; -1 is none

	damaged bool // a part could not be decoded completely
}

// decodedPart holds the offsets of a part, encoded and decoded.
type decodedPart struct{ raw, text int64 }

// decodedBytes is the number of bytes of a file that are decoded at a time.
const decodedBytes = 128 << 10

func newDecoded(raw content, skip int, part Part) *decoded {
	return &decoded{raw: raw, part: part, parts: []decodedPart{{int64(skip), 0}}, size: -1, buffer: make([]byte, decodedBytes), start: -1}
}

// ReadAt decodes forward to the offset, or again from the start of its part.
func (d *decoded) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		if d.start < 0 || at < d.start || at >= d.start+int64(len(d.text)) {
			if more, err := d.seek(at); !more || err != nil {
				return n, err
			}
		}
		n += copy(p[n:], d.text[at-d.start:])
	}
	return n, nil
}

// seek decodes the part with an offset of the text. It reports false if the text ends
// before.
func (d *decoded) seek(at int64) (bool, error) {
	if d.size >= 0 && at >= d.size {
		return false, nil
	}
	// Of the parts that start at or before the offset, the last one.
	i := sort.Search(len(d.parts), func(i int) bool { return d.parts[i].text > at }) - 1
	for {
		p := d.parts[i]
		n, err := d.raw.ReadAt(d.buffer, p.raw)
		if err != nil {
			return false, err
		}
		last := n < len(d.buffer)
		text, used := d.part(d.buffer[:n], last)
		d.text, d.start = text, p.text
		next := decodedPart{p.raw + int64(used), p.text + int64(len(text))}
		if i+1 == len(d.parts) && !last {
			d.parts = append(d.parts, next)
		}
		d.damaged = d.damaged || bytes.Contains(text, []byte("\uFFFD"))
		switch {
		case at < next.text:
			return true, nil
		case last || used == 0:
			d.size = next.text
			return false, nil
		}
		i++
	}
}

// unwide returns what decodes a text in UTF-16 or UTF-32 that starts with head, and the
// length of its byte order mark; see wide.
func unwide(head []byte) (mark int, part Part) {
	u := unitsOf(head)
	return u.mark, func(raw []byte, last bool) ([]byte, int) {
		if used := len(raw) &^ (u.width - 1); !last {
			if u.width == 2 && used >= 2 && isLead(u.order.Uint16(raw[used-2:])) {
				used -= 2
			}
			raw = raw[:used]
		}
		return u.decode(raw), len(raw)
	}
}

// isLead reports whether a unit of UTF-16 is the first of two.
func isLead(unit uint16) bool { return utf16.IsSurrogate(rune(unit)) && unit < 0xdc00 }

// isDamaged reports whether a piece of a text, which may start and end within a
// character, is not UTF-8.
func (m *matcher) isDamaged(piece []byte) bool {
	first := m.high.Index(piece)
	if first < 0 {
		return false
	}
	piece = piece[first:]
	for i := 0; first == 0 && i < utf8.UTFMax-1 && len(piece) > 0 && !utf8.RuneStart(piece[0]); i++ {
		piece = piece[1:]
	}
	for i := 1; i < utf8.UTFMax && i <= len(piece); i++ {
		if b := piece[len(piece)-i]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRune(piece[len(piece)-i:]) {
				piece = piece[:len(piece)-i]
			}
			break
		}
	}
	return !utf8.Valid(piece)
}
