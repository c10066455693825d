package zstd

import (
	"errors"
	"io"
	"math"
)

// header begins the next frame, or skips one that is to be skipped. It returns
// [io.EOF] behind the last one.
func (r *Reader) header() error {
	n, err := io.ReadFull(r.in, r.scratch[:4])
	if n == 0 && errors.Is(err, io.EOF) && r.begun {
		return io.EOF
	}
	if err != nil {
		return early(err)
	}
	r.begun = true
	switch number := little(r.scratch[:4]); {
	case number == magic:
		return r.begin()
	case number&^0xf == skippableMagic: // section 3.1.2
		size, err := r.number(4)
		if err != nil {
			return err
		}
		_, err = io.CopyN(io.Discard, r.in, int64(size))
		return early(err)
	}
	return CorruptError("there is no frame where one must begin")
}

// begin reads the header of a frame (section 3.1.1.1).
func (r *Reader) begin() error {
	b, err := r.read(1)
	if err != nil {
		return err
	}
	descriptor := b[0]
	if descriptor&(1<<3) != 0 {
		return UnsupportedError("a reserved bit of the frame's header is set")
	}
	single := descriptor&(1<<5) != 0
	window := uint64(0)
	if !single {
		if b, err = r.read(1); err != nil {
			return err
		}
		window = 1 << (10 + b[0]>>3)
		window += window / 8 * uint64(b[0]&7)
	}
	dictionary, err := r.number([]int{0, 1, 2, 4}[descriptor&3])
	if err != nil {
		return err
	}
	if dictionary != 0 {
		return UnsupportedError("the frame needs a dictionary")
	}
	width := []int{0, 2, 4, 8}[descriptor>>6]
	if single && width == 0 {
		width = 1
	}
	size, err := r.number(width)
	if err != nil {
		return err
	}
	if width == 2 {
		size += 256
	}
	if single {
		window = size
	}
	if window > uint64(min(r.most, math.MaxInt/4)) {
		return UnsupportedError("the frame needs a larger window")
	}
	r.frame = frame{
		window: int(window), size: size, sized: width > 0,
		summed: descriptor&(1<<2) != 0, repeats: [3]int{1, 4, 8},
	}
	r.sum.reset()
	r.huffman.bits = 0
	r.tables = [3]*table{}
	r.history, r.given, r.inside = r.history[:0], 0, true
	return nil
}

// number reads a number of so many bytes, the lowest one first.
func (r *Reader) number(width int) (uint64, error) {
	b, err := r.read(width)
	if err != nil {
		return 0, err
	}
	return little(b), nil
}

// little is a number of at most eight bytes, the lowest one first.
func little(b []byte) uint64 {
	n := uint64(0)
	for i, c := range b {
		n |= uint64(c) << (8 * i)
	}
	return n
}
