package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Splice replaces bytes of a file.
type Splice struct {
	At       int64  // where Old begins in the file before any change
	Old, New []byte // what is there, and what takes its place
}

// delta turns one version of a file into another one: its splices, in the order of the
// file, without overlaps. It is stored as one blob.
//
// The blob has, for each splice, At and the lengths of Old and New as varints, and their
// bytes.
type delta []Splice

func (d delta) encode() []byte {
	size := 0
	for _, s := range d {
		size += 3*binary.MaxVarintLen64 + len(s.Old) + len(s.New)
	}
	raw := make([]byte, 0, size)
	for _, s := range d {
		raw = binary.AppendUvarint(raw, uint64(s.At))
		raw = binary.AppendUvarint(raw, uint64(len(s.Old)))
		raw = binary.AppendUvarint(raw, uint64(len(s.New)))
		raw = append(append(raw, s.Old...), s.New...)
	}
	return raw
}

var errDelta = errors.New("not the changes of a file")

// decodeDelta reads what encode wrote. The splices are parts of raw.
func decodeDelta(raw []byte) (delta, error) {
	var d delta
	at := uint64(0)
	for len(raw) > 0 {
		var n [3]uint64
		for i := range n {
			var size int
			if n[i], size = binary.Uvarint(raw); size <= 0 {
				return nil, errDelta
			}
			raw = raw[size:]
		}
		left := uint64(len(raw))
		if n[1] > left || n[2] > left-n[1] || n[0] > 1<<62 || n[0] < at {
			return nil, errDelta
		}
		d = append(d, Splice{At: int64(n[0]), Old: raw[:n[1]:n[1]], New: raw[n[1]:][:n[2]:n[2]]})
		raw, at = raw[n[1]+n[2]:], n[0]+n[1]
	}
	return d, nil
}

// check reports whether the splices are in order, apart, and few enough to be kept.
func (d delta) check() error {
	var end, size int64
	for _, s := range d {
		if s.At < end {
			return fault.New(fault.Internal, fault.T("the changes of a file are not in order"))
		}
		end = s.At + int64(len(s.Old))
		size += 3*binary.MaxVarintLen64 + int64(len(s.Old)+len(s.New))
	}
	if size > state.MaxBlob {
		return fault.New(fault.TooLarge, fault.T("the changes have %d bytes, old and new together; undo keeps up to %d", size, state.MaxBlob)).
			WithHint(fault.T("make fewer changes in one call"))
	}
	return nil
}

// inverse returns how the later version becomes the earlier one again.
func (d delta) inverse() delta {
	back := slices.Clone(d)
	var shift int64
	for i, s := range d {
		back[i] = Splice{At: s.At + shift, Old: s.New, New: s.Old}
		shift += int64(len(s.New) - len(s.Old))
	}
	return back
}

// errOther is the error of a file that does not have the bytes that a delta replaces.
var errOther = errors.New("other bytes are there")

// apply writes to w what the bytes of r become.
func (d delta) apply(w io.Writer, r io.Reader) error {
	var at int64
	for _, s := range d {
		if _, err := io.CopyN(w, r, s.At-at); err != nil {
			return other(err)
		}
		there := make([]byte, len(s.Old))
		if _, err := io.ReadFull(r, there); err != nil {
			return other(err)
		}
		if !bytes.Equal(there, s.Old) {
			return errOther
		}
		if _, err := w.Write(s.New); err != nil {
			return err
		}
		at = s.At + int64(len(s.Old))
	}
	_, err := io.Copy(w, r)
	return err
}

// other returns errOther for a file that ends too soon.
func other(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errOther
	}
	return err
}

// hashed is a writer that hashes what is written. The copy of a file through it does not
// bypass the hash.
type hashed struct{ w, h io.Writer }

func (h hashed) Write(p []byte) (int, error) {
	n, err := h.w.Write(p)
	_, _ = h.h.Write(p[:n]) // a hash takes everything
	return n, err
}
