package zstd

import (
	"bytes"
	"io"
)

// block unpacks the next block of the frame at the end of history (section
// 3.1.1.2), and reports whether it was the last one.
func (r *Reader) block() (last bool, err error) {
	head, err := r.number(3)
	if err != nil {
		return false, err
	}
	last = head&1 != 0
	size := int(head >> 3)
	if size > r.blockMost() {
		return false, CorruptError("a block is too large")
	}
	switch head >> 1 & 3 {
	case 0: // as it is
		err = r.load(size)
		r.history = append(r.history, r.raw...)
		return last, err
	case 1: // one byte, over and over
		b, err := r.read(1)
		if err == nil && size > 0 {
			r.history = match(append(r.history, b[0]), 1, size-1)
		}
		return last, err
	case 2:
		if err := r.load(size); err != nil {
			return false, err
		}
		return last, r.compressed(r.raw)
	}
	return false, CorruptError("a block of a reserved type")
}

// blockMost is the largest block of this frame, in bytes.
func (r *Reader) blockMost() int { return min(r.window, blockMost) }

// load reads a block, as far as it is there.
func (r *Reader) load(size int) error {
	b := bytes.NewBuffer(r.raw[:0])
	n, err := b.ReadFrom(io.LimitReader(r.in, int64(size)))
	r.raw = b.Bytes()
	if err == nil && n < int64(size) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// compressed unpacks a block that is compressed (section 3.1.1.3): literals, and
// sequences that put them together with what was there before.
func (r *Reader) compressed(src []byte) error {
	rest, err := r.readLiterals(src)
	if err != nil {
		return err
	}
	count, rest, err := r.sequencesHeader(rest)
	if err != nil {
		return err
	}
	most := len(r.history) + r.blockMost()
	if count > 0 {
		if err := r.sequences(rest, count, most); err != nil {
			return err
		}
	}
	r.history = append(r.history, r.literals...)
	if len(r.history) > most {
		r.history = r.history[:most]
		return CorruptError("a block unpacks to more than a block may hold")
	}
	return nil
}
