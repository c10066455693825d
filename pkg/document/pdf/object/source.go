package object

import (
	"errors"
	"io"
)

// Sizes of what is read at once.
const (
	smallFile = 1 << 20 // is read whole
	nearBlock = 64 << 10
	farBlock  = 8 << 10 // where nothing near was read before
	alignment = 4 << 10
	keptCount = 8
	keptBlock = 2 << 20 // larger ones are not kept
)

// source reads windows of a file. It keeps the last blocks, as objects that belong together
// stand together. Windows are not to be changed.
type source struct {
	file io.ReaderAt
	size int64
	kept [keptCount]block
	next int   // of kept, the oldest
	err  error // the first error of the file itself
}

// block is a part of the file.
type block struct {
	start int64
	data  []byte
}

func (b block) end() int64 { return b.start + int64(len(b.data)) }

// window returns n bytes at an offset, or more; fewer only at the end of the file.
func (s *source) window(at, n int64) []byte {
	if at < 0 || at >= s.size {
		return nil
	}
	n = min(n, s.size-at)
	length := int64(farBlock)
	for _, b := range s.kept {
		if b.start <= at && at+n <= b.end() {
			return b.data[at-b.start:]
		}
		if b.data != nil && b.start <= at && at <= b.end()+farBlock {
			length = nearBlock // reading goes on
		}
	}
	start := at - at%alignment
	length = max(length, at-start+n)
	if s.size <= smallFile {
		start, length = 0, s.size
	}
	// New bytes each time, as others still look at the old ones.
	b := block{start, s.read(start, length)}
	if length <= keptBlock {
		s.kept[s.next] = b
		s.next = (s.next + 1) % keptCount
	}
	if at-start >= int64(len(b.data)) {
		return nil
	}
	return b.data[at-start:]
}

// read returns bytes of the file that are the caller's own: n, or fewer at its end.
func (s *source) read(at, n int64) []byte {
	if at < 0 || at >= s.size || n <= 0 {
		return nil
	}
	b := make([]byte, min(n, s.size-at))
	read, err := s.file.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) && s.err == nil {
		s.err = err
	}
	return b[:read]
}
