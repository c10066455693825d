package object

import (
	"errors"
	"io"
)

// Sizes of what is read at once.
const (
	smallFile = 512 << 10 // is read whole
	blockSize = 48 << 10
	alignment = 16 << 10
)

// source reads windows of a file. It keeps the last block, as objects that belong together
// stand together. Windows are not to be changed.
type source struct {
	file  io.ReaderAt
	size  int64
	block []byte
	start int64 // of block
	err   error // the first error of the file itself
}

// window returns n bytes at an offset, or more; fewer only at the end of the file.
func (s *source) window(at, n int64) []byte {
	if at < 0 || at >= s.size {
		return nil
	}
	n = min(n, s.size-at)
	if at < s.start || at+n > s.start+int64(len(s.block)) {
		start := at - at%alignment
		length := max(blockSize, at-start+n)
		if s.size <= smallFile {
			start, length = 0, s.size
		}
		// A new block each time, as others still look at the last one.
		s.block = s.read(start, length)
		s.start = start
	}
	if at-s.start >= int64(len(s.block)) {
		return nil
	}
	return s.block[at-s.start:]
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
