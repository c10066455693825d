// Package charset guesses the legacy encoding of a text from its bytes. It does not
// decode texts, and leaves UTF-8 and UTF-16 to package text.
//
// Each encoding is rated by how likely it makes the bytes: an alphabet by the pairs
// of letters in the languages it is used for; Chinese, Japanese and Korean by how
// frequent the characters are. An ASCII byte after another says nothing and is
// skipped, so that code around a comment in a natural language does not count.
package charset

import (
	"bytes"
	"cmp"
	"slices"
)

//go:generate go run -C ../../../scripts ./charset -o ../pkg/files/charset/tables.go

// Guess returns the encodings in which sample reads well, the likeliest first, by
// their names in the WHATWG Encoding Standard. It returns windows-1252 and
// windows-1254 for iso-8859-1 and iso-8859-9, which are subsets of them. Of
// encodings in which sample reads the same, the most usual one comes first. The
// sample may begin and end within a character. Only the first 8 KiB of characters
// beyond ASCII and their neighbours count. The result is nil for plain ASCII, and
// for bytes that are more likely not text at all.
func Guess(sample []byte) []string { return guess(sample, false) }

// GuessDOS is like [Guess], but also returns the encodings of DOS that the standard
// leaves out, by their IANA names: ibm437, ibm850, ibm852 and ibm855.
func GuessDOS(sample []byte) []string { return guess(sample, true) }

func guess(sample []byte, dos bool) []string {
	if escaped(sample) {
		return []string{"iso-2022-jp"}
	}
	var names []string
	for _, r := range readings(evidence(sample)) {
		if dos || r.alphabet == nil || !r.alphabet.dos {
			names = append(names, r.name)
		}
	}
	return names
}

// maxEvidence limits the bytes of evidence that are examined; more would not help.
const maxEvidence = 8 << 10

// evidence returns up to maxEvidence bytes of a sample. Its runs of ASCII are cut down to
// bytes that can belong to the character before, and the last byte.
func evidence(sample []byte) []byte {
	const keep = 2
	var out []byte
	for i := 0; i < len(sample) && len(out) < maxEvidence; {
		stretch := i
		for i < len(sample) && sample[i] < 0x80 {
			i++
		}
		switch {
		case i == len(sample) && stretch == 0:
			return nil
		case i-stretch <= keep+1:
			out = append(out, sample[stretch:i]...)
		default:
			out = append(out, sample[stretch:stretch+keep]...)
			out = append(out, sample[i-1])
		}
		for i < len(sample) && sample[i] >= 0x80 && len(out) < maxEvidence {
			out = append(out, sample[i])
			i++
		}
	}
	return out
}

// reading rates a sample in an encoding.
type reading struct {
	name     string
	alphabet *alphabet // nil if the encoding is wide
	cost     float64   // negative natural logarithm of the likelihood
}

// readings returns the encodings in which sample is more likely text than noise, the
// likeliest first.
func readings(sample []byte) []reading {
	// The prior cost of a file not being text.
	const unlikely = 10
	pairs := tally(sample)
	if len(pairs) == 0 {
		return nil
	}
	limit := noise(pairs) + unlikely
	var rs []reading
	for i := range alphabets {
		a := &alphabets[i]
		if cost := a.cost(pairs, limit); cost < limit {
			rs = append(rs, reading{a.name, a, cost})
		}
	}
	for i := range wides {
		w := &wides[i]
		cost, long := w.cost(sample)
		if cost >= limit {
			continue
		}
		if w.scheme == gb18030 && !long {
			rs = append(rs, reading{"gbk", nil, cost})
		}
		rs = append(rs, reading{w.name, nil, cost})
	}
	slices.SortStableFunc(rs, func(a, b reading) int { return cmp.Compare(a.cost, b.cost) })
	if len(rs) > 0 && rs[0].alphabet != nil {
		prefer(rs, pairs)
	}
	return rs
}

// prefer moves to the front the most usual of the alphabets that read pairs as the
// first one does. The language that the text resembles does not justify a rarer
// alphabet.
func prefer(rs []reading, pairs []pair) {
	best := 0
	for i, r := range rs {
		if r.alphabet != nil && r.alphabet.rarity < rs[best].alphabet.rarity && r.alphabet.agrees(rs[0].alphabet, pairs) {
			best = i
		}
	}
	r := rs[best]
	copy(rs[1:best+1], rs[:best])
	rs[0] = r
}

// pair is a byte and the one before it, at least one of them beyond ASCII, with
// their number.
type pair struct {
	prev, cur byte
	n         float32
}

// tally counts the pairs in a sample, as if line breaks were around it.
func tally(sample []byte) []pair {
	counts := make([]uint32, 1<<16)
	var pairs []pair
	prev := byte('\n')
	count := func(cur byte) {
		if (prev|cur)&0x80 != 0 {
			at := uint16(prev)<<8 | uint16(cur)
			if counts[at]++; counts[at] == 1 {
				pairs = append(pairs, pair{prev: prev, cur: cur})
			}
		}
		prev = cur
	}
	for _, cur := range sample {
		count(cur)
	}
	count('\n')
	for i, p := range pairs {
		pairs[i].n = float32(counts[uint16(p.prev)<<8|uint16(p.cur)])
	}
	return pairs
}

// noise returns the cost of pairs if any byte may follow any other.
func noise(pairs []pair) float64 {
	const (
		one    = 5.7 // one of 128 bytes, which is 4.9, and what rare characters need
		begins = 3
		goesOn = 0.7
	)
	cost := 0.0
	for _, p := range pairs {
		n := float64(p.n)
		switch {
		case p.prev < 0x80:
			cost += n * (begins + one)
		case p.cur >= 0x80:
			cost += n * (goesOn + one)
		case isASCIILetter(p.cur):
			cost += n * costLetter
		default:
			cost += n * costEnds
		}
	}
	return cost
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// escaped reports whether a sample is ASCII with escape sequences of ISO-2022-JP, one
// of which shifts to other characters.
func escaped(sample []byte) bool {
	shifted := false
	for rest := sample; ; {
		_, after, found := bytes.Cut(rest, []byte{0x1B})
		if !found {
			break
		}
		switch rest = after; {
		case hasAnyPrefix(after, "$@", "$B", "(I"):
			shifted = true
		case hasAnyPrefix(after, "$(", "$)"): // ISO-2022-JP-1 and ISO-2022-KR
			return false
		}
	}
	return shifted && !slices.ContainsFunc(sample, func(c byte) bool { return c >= 0x80 })
}

func hasAnyPrefix(b []byte, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return bytes.HasPrefix(b, []byte(p)) })
}
