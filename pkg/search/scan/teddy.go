package scan

import (
	"bytes"
	"cmp"
	"slices"
)

// teddy finds any of several texts. It looks for the window of each text, which is
// the up to three consecutive bytes where the text is rarest. The texts are spread
// over eight buckets, and each nibble of a byte says in which buckets it may occur.
type teddy struct {
	fold    bool
	tables  tables
	buckets [8][]windowed
}

// windowed is a text and the offset of its window.
type windowed struct {
	text   []byte
	offset int
}

// tables holds, for each of the three bytes of a window, the buckets by low nibble
// and by high nibble.
type tables [96]byte

func (t *tables) buckets(a, b, c byte) byte {
	return t[a&15] & t[16+a>>4] & t[32+b&15] & t[48+b>>4] & t[64+c&15] & t[80+c>>4]
}

func (t *tables) allow(i int, b, buckets byte) {
	t[i*32+int(b&15)] |= buckets
	t[i*32+16+int(b>>4)] |= buckets
}

func newTeddy(texts [][]byte, fold bool) *teddy {
	t := &teddy{fold: fold}
	all := make([]windowed, 0, len(texts))
	for _, text := range texts {
		if fold {
			text = lower(text)
		}
		w := windowed{text: text}
		best := 1 << 30
		for i := 0; i == 0 || i+3 <= len(text); i++ {
			if c := windowCost(text[i:], fold); c < best {
				best, w.offset = c, i
			}
		}
		all = append(all, w)
	}
	// Put texts with similar windows into one bucket, so that the buckets differ.
	slices.SortStableFunc(all, func(a, b windowed) int {
		return cmp.Or(cmp.Compare(a.text[a.offset], b.text[b.offset]), bytes.Compare(a.text[a.offset:], b.text[b.offset:]))
	})
	for i, w := range all {
		bucket := i * 8 / len(all)
		t.buckets[bucket] = append(t.buckets[bucket], w)
		for j := range 3 {
			if w.offset+j >= len(w.text) {
				for b := range 16 { // a short text allows any byte here
					t.tables[j*32+b] |= 1 << bucket
					t.tables[j*32+16+b] |= 1 << bucket
				}
				continue
			}
			b := w.text[w.offset+j]
			t.tables.allow(j, b, 1<<bucket)
			if fold && isLetter(b) {
				t.tables.allow(j, b^0x20, 1<<bucket)
			}
		}
	}
	return t
}

// windowCost estimates at how many of 65,536 positions up to three bytes occur in a
// row. How often a byte occurs in a text falls quickly with its rank.
func windowCost(window []byte, fold bool) int {
	c := 1 << 16
	for _, b := range window[:min(len(window), 3)] {
		r := int(rank(b, fold))
		c = c * (1 + r*r/256*r/256) / 1024
	}
	return c
}

func (t *teddy) Index(data []byte) int {
	n := len(data) - 2
	for from := 0; from < n; from++ {
		i := teddyIndex(data[from:], n-from, &t.tables)
		if i < 0 {
			break
		}
		from += i
		if start := t.verify(data, from, t.tables.buckets(data[from], data[from+1], data[from+2])); start >= 0 {
			return start
		}
	}
	for i := max(n, 0); i < len(data); i++ { // fewer than three bytes are left
		if start := t.verify(data, i, 0xff); start >= 0 {
			return start
		}
	}
	return -1
}

// verify looks for a text of the buckets whose window is at i.
func (t *teddy) verify(data []byte, i int, buckets byte) int {
	for b := 0; buckets != 0; b, buckets = b+1, buckets>>1 {
		if buckets&1 == 0 {
			continue
		}
		for _, w := range t.buckets[b] {
			start := i - w.offset
			if start >= 0 && start+len(w.text) <= len(data) && equal(data[start:start+len(w.text)], w.text, t.fold) {
				return start
			}
		}
	}
	return -1
}

// Cost estimates at how many of 65,536 positions in ordinary text a finder for the
// texts has to compare them.
func Cost(texts [][]byte, fold bool) int {
	total := 0
	for _, text := range texts {
		best := 1 << 30
		for i := 0; i == 0 || i+3 <= len(text); i++ {
			best = min(best, windowCost(text[i:], fold))
		}
		total += best
	}
	return total
}
