package zstd

import (
	"encoding/binary"
	"math/bits"
)

// backward reads bits from the end of a stream to its beginning (section 4.1).
// Behind the beginning it reads zeros, and remembers that it did.
type backward struct {
	in    []byte // what is not loaded yet
	value uint64 // what is loaded, the next bit on top
	n     int    // how many bits of value count; negative once too many were taken
}

// newBackward begins behind the last bit that is set, which only marks the end.
func newBackward(in []byte) (backward, error) {
	if len(in) == 0 || in[len(in)-1] == 0 {
		return backward{}, CorruptError("a stream of bits without an end")
	}
	b := backward{in: in}
	b.fill()
	b.take(bits.LeadingZeros8(in[len(in)-1]) + 1)
	return b, nil
}

// fill loads until there are at least 56 bits, if so many are left.
func (b *backward) fill() {
	if len(b.in) >= 8 && b.n >= 0 {
		// Bits of a byte that is not wholly loaded get there once more with the
		// next filling, and are the same.
		b.value |= binary.LittleEndian.Uint64(b.in[len(b.in)-8:]) >> (b.n & 63)
		whole := (63 - b.n) >> 3
		b.in = b.in[:len(b.in)-whole]
		b.n += whole << 3
		return
	}
	for b.n >= 0 && b.n <= 56 && len(b.in) > 0 {
		b.value |= uint64(b.in[len(b.in)-1]) << (56 - b.n)
		b.in = b.in[:len(b.in)-1]
		b.n += 8
	}
}

// peek is the next k bits, at most as many as were filled in.
func (b *backward) peek(k int) uint64 { return b.value >> 1 >> ((63 - k) & 63) }

// take passes over k bits.
func (b *backward) take(k int) {
	b.value <<= k & 63
	b.n -= k
}

// get is the next k bits, and passes over them.
func (b *backward) get(k int) uint64 {
	v := b.peek(k)
	b.take(k)
	return v
}

// finished reports whether all bits were taken and none too many.
func (b *backward) finished() bool { return b.n == 0 && len(b.in) == 0 }

// forward reads bits from the beginning of a stream, the lowest of a byte first.
type forward struct {
	in []byte
	at int // bits that were taken
}

// peek is the next k bits, at most 16; zeros behind the end.
func (f *forward) peek(k int) int {
	var v uint32
	for i := range 3 {
		if at := f.at>>3 + i; at < len(f.in) {
			v |= uint32(f.in[at]) << (8 * i)
		}
	}
	return int(v >> (f.at & 7) & (1<<k - 1))
}

// rest is what comes behind the byte that was read last, false if there were not
// so many bytes.
func (f *forward) rest() ([]byte, bool) {
	n := (f.at + 7) >> 3
	if n > len(f.in) {
		return nil, false
	}
	return f.in[n:], true
}
