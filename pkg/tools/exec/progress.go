package exec

import (
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/tool"
)

// lineBytes limits the bytes of a line reported while a command runs.
const lineBytes = 300

// speaking says what a command printed last.
type speaking struct {
	call    *tool.Call
	printed int64
	tail    []byte // the end of it
}

// write takes a piece of output.
func (s *speaking) write(chunk run.Chunk) {
	s.printed += int64(len(chunk.Data))
	// A few lines more than one: the last ones may be blank, or written over.
	const kept = 4 * lineBytes
	s.tail = append(s.tail, chunk.Data[max(0, len(chunk.Data)-kept):]...)
	s.tail = append(s.tail[:0], s.tail[max(0, len(s.tail)-kept):]...)
	if line := lastLine(run.Text(s.tail, false)); line != "" {
		s.call.Progress(float64(s.printed), 0, fault.Verbatim(line, line))
	}
}

// lastLine returns the last line of a text that is not blank, or its beginning.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	line := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	if len(line) <= lineBytes {
		return line
	}
	end := lineBytes
	for !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end]
}
