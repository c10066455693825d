package zstd

import "math/bits"

// huffmanBits is the longest code of a literal.
const huffmanBits = 11

// huffman is a table of the codes of literals, by the next bits of the stream.
type huffman struct {
	bits    int // that choose an entry; 0 is no table
	entries [1 << huffmanBits]literal
}

// literal is a byte, and how long its code is.
type literal struct{ value, bits uint8 }

// read reads the description of a table (section 4.2.1) and returns what comes
// behind it.
func (h *huffman) read(src []byte) (rest []byte, err error) {
	h.bits = 0
	if len(src) == 0 {
		return nil, CorruptError("a Huffman table that is cut off")
	}
	head := int(src[0])
	src = src[1:]
	var weights [256]uint8
	count, length := head-127, (head-127+1)/2
	if head < 128 {
		length = head
	}
	if length > len(src) {
		return nil, CorruptError("a Huffman table that is cut off")
	}
	if head < 128 {
		if count, err = unpackWeights(src[:length], weights[:255]); err != nil {
			return nil, err
		}
	} else {
		for i := range count {
			weights[i] = src[i/2] >> (4 * (1 - i%2)) & 0xf
		}
	}
	return src[length:], h.build(&weights, count)
}

// unpackWeights reads weights that two interleaved decoders of finite state
// entropy give in turn (section 4.2.1.2), until the bits are used up.
func unpackWeights(src []byte, weights []uint8) (int, error) {
	var d distribution
	rest, err := d.read(src, 256, 6)
	if err != nil {
		return 0, err
	}
	var t table
	t.build(&d, func(symbol int) (uint32, uint8) { return uint32(symbol), 0 })
	b, err := newBackward(rest)
	if err != nil {
		return 0, err
	}
	var states [2]uint64
	for i := range states {
		states[i] = b.get(t.log)
	}
	if b.n < 0 {
		return 0, CorruptError("a Huffman table that is cut off")
	}
	for n := range len(weights) - 1 {
		b.fill()
		s := t.states[states[n%2]]
		weights[n] = uint8(s.base)
		states[n%2] = uint64(s.next) + b.get(int(s.width))
		if b.n < 0 { // the other one's is the last
			weights[n+1] = uint8(t.states[states[(n+1)%2]].base)
			return n + 2, nil
		}
	}
	return 0, CorruptError("a Huffman table of too many weights")
}

// build makes the table of the weights of the first so many bytes. The weight of
// the one behind them follows from theirs: it makes the sum a power of two.
func (h *huffman) build(weights *[256]uint8, count int) error {
	sum, ones := 0, 0
	for _, w := range weights[:count] {
		if w > huffmanBits {
			return CorruptError("a Huffman code that is too long")
		}
		if w > 0 {
			sum += 1 << (w - 1)
		}
		if w == 1 {
			ones++
		}
	}
	size := bits.Len(uint(sum))
	left := 1<<size - sum
	if sum == 0 || size > huffmanBits || left&(left-1) != 0 {
		return CorruptError("a Huffman code that is not complete")
	}
	weights[count] = uint8(bits.Len(uint(left)))
	if left == 1 {
		ones++
	}
	if ones < 2 { // all codes would be longer than they must be
		return CorruptError("a Huffman code that is not complete")
	}
	at := 0
	for w := uint8(1); int(w) <= size; w++ {
		for value, weight := range weights[:count+1] {
			if weight != w {
				continue
			}
			entry := literal{uint8(value), uint8(size) + 1 - w}
			for i := range h.entries[at : at+1<<(w-1)] {
				h.entries[at+i] = entry
			}
			at += 1 << (w - 1)
		}
	}
	h.bits = size
	return nil
}

// unpack reads as many literals as dst holds, which must use a stream up.
func (h *huffman) unpack(dst, src []byte) error {
	b, err := newBackward(src)
	if err != nil {
		return err
	}
	width := h.bits
	for len(dst) >= 5 && b.n >= 0 {
		b.fill() // five codes take 55 bits at most
		for i := range dst[:5] {
			l := h.entries[b.peek(width)&(1<<huffmanBits-1)]
			b.take(int(l.bits))
			dst[i] = l.value
		}
		dst = dst[5:]
	}
	for i := range dst {
		b.fill()
		l := h.entries[b.peek(width)&(1<<huffmanBits-1)]
		b.take(int(l.bits))
		dst[i] = l.value
	}
	if !b.finished() {
		return CorruptError("literals that do not fill their stream")
	}
	return nil
}
