package line

import (
	"bytes"
	"io"
	"time"
	"unicode/utf8"

	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/web"
)

// stream prints output of a command as it comes, a line of JSON each.
type stream struct {
	out  *out.Printer
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
	s.out.Print(line)
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

// step is a line of a stream that says how far a call has come. Done may begin anew, such
// as when a page is asked for again.
type step struct {
	Kind    string  `json:"t"` // progress
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitzero"` // none if it is unknown
	Message string  `json:"message,omitzero"`
}

const (
	// stepAfter is the time after which a stream shows the progress of a call, and the
	// least time between two lines.
	stepAfter = 200 * time.Millisecond
	// stepShare is the divisor of the time that has passed for the time until the next line.
	// The lines of an hour, some hundreds, usually fit into the buffer of a pipe, so that a
	// program that reads only at the end does not block the call.
	stepShare = 50
	// stepChars is the longest message of a line, in characters.
	stepChars = 200
)

// progressStream prints how far a call has come, a line of JSON each.
type progressStream struct {
	sampler
	out  io.Writer
	gone bool // nobody reads
}

func newProgressStream(p *out.Printer) *progressStream {
	s := &progressStream{out: p.LineWriter()}
	s.sampler.show = s.write
	s.pause = func(elapsed time.Duration) time.Duration { return max(stepAfter, elapsed/stepShare) }
	return s
}

// write prints a line. What becomes of the call does not depend on whether it is read: the
// result will say.
func (s *progressStream) write(last said, fresh bool) {
	if !fresh || s.gone {
		return
	}
	line, err := schema.Marshal(step{"progress", last.done, last.total, web.Shorten(last.message, stepChars)})
	if err == nil { // else a number that JSON does not have
		_, err = s.out.Write(line)
		s.gone = err != nil
	}
}
