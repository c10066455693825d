package text

import "bytes"

// fit counts the characters beyond ASCII that bytes have in an encoding, valid and invalid.
type fit struct {
	lost int // shown as U+FFFD
	kept int // the others
}

func (f fit) clean() bool { return f.lost == 0 }

// declines reports whether the encoding that a caller named is not used, as another one
// was detected. Stray bytes do not refute the caller, unless they are most of what is
// beyond ASCII, or all bytes are valid in an encoding in which hardly any other text is.
func declines(named fit, detected string, other fit) bool {
	switch detected {
	case Raw8Bit:
		return false
	case UTF8, UTF16LE, UTF16BE, UTF32LE, UTF32BE, ISO2022JP:
		return other.clean()
	}
	return other.clean() && named.lost > 2*named.kept
}

// shifts reports whether ASCII has an escape sequence of ISO-2022-JP that shifts to
// other characters, and nothing beyond ASCII.
func shifts(b []byte) bool {
	var s shifter
	s.add(b)
	return s.shifted && foreign(b) == len(b)
}

// shifter looks for such a sequence in bytes that come in pieces.
type shifter struct {
	shifted bool
	tail    [2]byte // the end of what came before
}

func (s *shifter) add(b []byte) {
	if s.shifted {
		return
	}
	joint := append(s.tail[:], b[:min(len(b), 2)]...)
	s.shifted = shiftIn(joint) || shiftIn(b)
	copy(s.tail[:], append(s.tail[:], b...)[len(b):])
}

func shiftIn(b []byte) bool {
	for {
		_, after, found := bytes.Cut(b, []byte{0x1B})
		if !found {
			return false
		}
		if b = after; bytes.HasPrefix(b, []byte("$@")) || bytes.HasPrefix(b, []byte("$B")) || bytes.HasPrefix(b, []byte("(I")) {
			return true
		}
	}
}
