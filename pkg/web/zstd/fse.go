package zstd

import "math/bits"

// maxLog is the largest accuracy of a table of finite state entropy.
const maxLog = 9

// distribution is how often symbols occur, in parts of 1<<log. -1 is less than
// one part.
type distribution struct {
	log    int
	counts [256]int16
	n      int // symbols
}

// read reads a distribution of at most so many symbols (section 4.1.1), and
// returns what comes behind it.
func (d *distribution) read(src []byte, most, mostLog int) (rest []byte, err error) {
	f := forward{in: src}
	d.log = f.peek(4) + 5
	f.at = 4
	if d.log > mostLog {
		return nil, CorruptError("a table that is too large")
	}
	d.n = 0
	for left := 1 << d.log; left > 0; {
		if d.n >= most {
			return nil, CorruptError("a table of too many symbols")
		}
		// One of the numbers from 0 to left+1; the lower ones take a bit less.
		width := bits.Len(uint(left + 1))
		short := 1<<width - 2 - left
		v := f.peek(width - 1)
		if v < short {
			f.at += width - 1
		} else {
			if v = f.peek(width); v >= 1<<(width-1) {
				v -= short
			}
			f.at += width
		}
		d.counts[d.n] = int16(v - 1)
		d.n++
		switch v {
		case 0:
			left--
		case 1:
			for more := 3; more == 3; { // how many symbols follow that do not occur, either
				more = f.peek(2)
				f.at += 2
				if d.n+more > most {
					return nil, CorruptError("a table of too many symbols")
				}
				clear(d.counts[d.n : d.n+more])
				d.n += more
			}
		default:
			left -= v - 1
		}
	}
	rest, ok := f.rest()
	if !ok {
		return nil, CorruptError("a table that is cut off")
	}
	return rest, nil
}

// state is what a state of the decoder stands for, and which one comes next.
type state struct {
	base  uint32 // of the value; the symbol itself where values are symbols
	next  uint16 // of the next state
	extra uint8  // bits to add to base
	width uint8  // bits to add to next
}

// table is the states of a decoder.
type table struct {
	log    int
	states [1 << maxLog]state
}

// build spreads the symbols over the states (section 4.1.1). values says what
// each symbol stands for.
func (t *table) build(d *distribution, values func(symbol int) (base uint32, extra uint8)) {
	size := 1 << d.log
	t.log = d.log
	var symbols [1 << maxLog]uint8
	var next [256]uint16
	high := size
	for s, count := range d.counts[:d.n] {
		next[s] = uint16(count)
		if count < 0 {
			high--
			symbols[high] = uint8(s)
			next[s] = 1
		}
	}
	at, step := 0, size>>1+size>>3+3
	for s, count := range d.counts[:d.n] {
		for range count {
			symbols[at] = uint8(s)
			for at = (at + step) & (size - 1); at >= high; {
				at = (at + step) & (size - 1)
			}
		}
	}
	for i := range t.states[:size] {
		s := symbols[i]
		n := next[s]
		next[s]++
		width := d.log + 1 - bits.Len16(n)
		base, extra := values(int(s))
		t.states[i] = state{base: base, extra: extra, width: uint8(width), next: n<<width - uint16(size)}
	}
}

// only is a table of one symbol.
func (t *table) only(base uint32, extra uint8) {
	t.log = 0
	t.states[0] = state{base: base, extra: extra}
}
