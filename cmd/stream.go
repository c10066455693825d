package cmd

import (
	"bytes"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/schema"
)

// stream prints output of a command as it comes, a line of JSON each.
type stream struct {
	out  *Printer
	rest [2][]byte // incomplete characters of standard output and standard error
}

// piece is a line of a stream.
type piece struct {
	Kind string `json:"t"` // out or err
	Data string `json:"d"`
}

// write prints a piece of output. A character that was cut in two waits for its
// rest.
func (s *stream) write(data []byte, stderr bool) {
	kind, at := "out", 0
	if stderr {
		kind, at = "err", 1
	}
	data = append(s.rest[at], data...)
	end := complete(data)
	s.rest[at] = bytes.Clone(data[end:])
	line, err := schema.Marshal(piece{kind, string(data[:end])})
	if err != nil || end == 0 {
		return // every text encodes, and an empty piece says nothing
	}
	s.out.write(line)
}

// complete returns the length of data without an incomplete character at its end.
func complete(data []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		last := data[len(data)-n:]
		if utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return len(data) - n
			}
			break
		}
	}
	return len(data)
}
