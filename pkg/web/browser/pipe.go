package browser

import (
	"bytes"
	"errors"
)

// maxMessage is the largest message of the browser, in bytes: a snapshot or a picture.
const maxMessage = 64 << 20

var errMessage = errors.New("the browser sent a message that is too large")

// splitter cuts what comes through a pipe into messages, each ended by a NUL.
type splitter struct {
	most int
	rest []byte // of a message that is not complete
}

// add takes a piece and gives every message that is complete to take, which must not keep
// it. The error is errMessage; nothing may be added after it.
func (s *splitter) add(piece []byte, take func([]byte)) error {
	for {
		message, after, ok := bytes.Cut(piece, []byte{0})
		if len(s.rest)+len(message) > s.most {
			s.rest = nil
			return errMessage
		}
		if !ok {
			s.rest = append(s.rest, piece...)
			return nil
		}
		if len(s.rest) > 0 {
			message = append(s.rest, message...)
			s.rest = message[:0]
			if cap(s.rest) > 1<<20 { // the next one is small again
				s.rest = nil
			}
		}
		take(message)
		piece = after
	}
}
