package pipe

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// head limits the bytes kept of a line that is too long: its sender stands at the
// beginning.
const head = 64 << 10

// line is a line of what the client says, without its end.
type line struct {
	text []byte
	long bool // text is only its head
}

// lines reads lines of up to most bytes, and calls take with each until that returns
// false. The last need not have an end. A longer one is read, but not kept.
func lines(in io.Reader, most int, take func(line) bool) error {
	r := bufio.NewReaderSize(in, head)
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if l.long = l.long || len(l.text)+len(part) > most; !l.long {
			l.text = append(l.text, part...)
		} else if len(l.text) < head {
			l.text = append(l.text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if l.long {
			l.text = bytes.Clone(l.text[:min(len(l.text), head)])
		}
		if l.text = bytes.TrimSpace(l.text); len(l.text) > 0 && !take(l) {
			return nil
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		l = line{}
	}
}
