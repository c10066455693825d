package job

import (
	"bytes"

	"github.com/helve-dev/helve/pkg/shell/run"
)

// longestLine limits the bytes of a line. One that is longer is taken as several.
const longestLine = 64 << 10

// lines cuts the output of a job into lines as it comes.
type lines struct {
	part []byte // of a line that has no end yet
}

// add calls each with every line that b ends, until each returns false.
func (l *lines) add(b []byte, each func(line string) bool) {
	for len(b) > 0 {
		room := min(len(b), longestLine-len(l.part))
		end, next := room, room
		if i := bytes.IndexByte(b[:room], '\n'); i >= 0 {
			end, next = i, i+1
		}
		ended := next > end || len(l.part)+end == longestLine
		l.part, b = append(l.part, b[:end]...), b[next:]
		if !ended {
			return
		}
		line := l.rest()
		l.part = l.part[:0]
		if !each(line) {
			return
		}
	}
}

// rest returns the line that has no end yet.
func (l *lines) rest() string { return run.Text(bytes.TrimSuffix(l.part, []byte("\r")), false) }
