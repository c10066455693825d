// Package zstd unpacks Zstandard, as RFC 8878 describes it. It does not pack,
// and it takes no dictionaries.
//
// There is a fine library for the format; but to link it is to build a table of
// it whenever the program starts, and few pages come in it. Here nothing is
// built before the first frame is there, and nothing is allocated because a
// header says that much will come: memory is bounded by the window, and CPU time
// by what is read from and handed to the caller.
package zstd

import (
	"errors"
	"io"
	"slices"
)

// CorruptError says what in the input cannot be so.
type CorruptError string

func (e CorruptError) Error() string { return "zstd: corrupt input: " + string(e) }

// UnsupportedError says what the input needs that is not done here.
type UnsupportedError string

func (e UnsupportedError) Error() string { return "zstd: unsupported: " + string(e) }

const (
	magic          = 0xfd2fb528
	skippableMagic = 0x184d2a50 // and the 15 above it
	blockMost      = 128 << 10  // of a block, unpacked; packed it is no larger
)

// Reader unpacks a sequence of frames. It reads no byte behind the last frame
// that it has begun, and may read small pieces: give it a buffered reader.
//
// What was unpacked before a fault is handed out before the fault. The faults
// are [CorruptError], [UnsupportedError], [io.ErrUnexpectedEOF] where the input
// ends too early, and those of the reader below.
type Reader struct {
	in     io.Reader
	most   int // the largest window that is taken, in bytes
	err    error
	begun  bool // there was a frame
	inside bool // a frame, whose next block is to come
	frame
	raw      []byte // the block at hand, packed
	literals []byte // that block's literals
	history  []byte // what was unpacked; its end is at least the window
	given    int    // how much of history was handed out
	huffman  huffman
	tables   [3]*table // of the codes of sequences, as the block before used them
	custom   [3]table  // those that a block brings
	preset   [3]*table // those that RFC 8878 gives, as far as they were needed
	scratch  [8]byte
}

// frame is what is known of the frame at hand.
type frame struct {
	window  int    // bytes that a match may reach back
	size    uint64 // of the content, if sized
	sized   bool
	summed  bool // a checksum follows
	sum     xxhash
	total   uint64 // bytes unpacked
	repeats [3]int // the offsets that were used last
}

// NewReader unpacks r. Frames that ask for a larger window than so many bytes are
// refused.
func NewReader(r io.Reader, window int) *Reader { return &Reader{in: r, most: window} }

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.given == len(r.history) {
		if r.err != nil {
			return 0, r.err
		}
		r.err = r.advance()
	}
	n := copy(p, r.history[r.given:])
	r.given += n
	return n, nil
}

// advance unpacks the next block, or goes on to the next frame.
func (r *Reader) advance() error {
	if !r.inside {
		return r.header()
	}
	before := len(r.slide())
	last, err := r.block()
	fresh := r.history[before:]
	r.total += uint64(len(fresh))
	if r.summed {
		r.sum.write(fresh)
	}
	if err != nil {
		return err
	}
	if r.sized && (r.total > r.size || last && r.total < r.size) {
		return CorruptError("the content is not of the size that was announced")
	}
	if last {
		r.inside = false
		return r.checksum()
	}
	return nil
}

// slide makes room in history for the next block: it drops what was handed out
// and lies behind the window or, while there is little of that, grows by as much
// as has come already.
func (r *Reader) slide() []byte {
	most := r.window + r.window/2 + 2*blockMost
	if len(r.history) > most-blockMost {
		n := copy(r.history, r.history[len(r.history)-r.window:])
		r.history = r.history[:n]
	}
	if cap(r.history)-len(r.history) < blockMost {
		r.history = slices.Grow(r.history, min(len(r.history), most-len(r.history)))
	}
	r.given = len(r.history)
	return r.history
}

// checksum compares the content of a frame with its checksum (section 3.1.1).
func (r *Reader) checksum() error {
	if !r.summed {
		return nil
	}
	want, err := r.read(4)
	if err != nil {
		return err
	}
	if little(want) != r.sum.sum()&0xffffffff {
		return CorruptError("the checksum is of another content")
	}
	return nil
}

// read reads so many bytes, at most eight. They are good until the next call.
func (r *Reader) read(n int) ([]byte, error) {
	_, err := io.ReadFull(r.in, r.scratch[:n])
	return r.scratch[:n], early(err)
}

// early is the error of an input that ends where more must come.
func early(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
