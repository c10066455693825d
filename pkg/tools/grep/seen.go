package grep

import (
	"strings"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// What is recorded of a result costs reading the files again, so it has bounds: a
// caller that is shown more looks around, and does not yet edit.
const (
	seenFiles = 8
	seenBytes = 1 << 20 // of all of them
)

// remember writes into the session record which lines were shown of the files, whose
// paths are relative to the root. Where they are few, it finds the definitions that the
// matches are in, as the files are at hand.
func remember(call *tool.Call, files []search.FileMatches) {
	var outputs []textfile.Output
	for _, f := range files[:min(len(files), seenFiles)] {
		outputs = append(outputs, textfile.Output{Real: f.Path, Shows: func(now []string) []int {
			numbers := same(f.Lines, now)
			if len(files) <= seenFiles && numbers != nil {
				place(f.Path, f.Lines, now)
			}
			return numbers
		}})
	}
	textfile.RecordSeen(call, seenBytes, outputs...)
}

// same returns the numbers of the lines that are shown whole, or none if one of them is
// not what the file has now.
func same(found []search.Line, now []string) (numbers []int) {
	for i := range found {
		l := &found[i]
		if l.Line > len(now) {
			return nil
		}
		switch line := now[l.Line-1]; {
		case l.Lossy:
		case strings.TrimSuffix(l.Text, "\r") == strings.TrimSuffix(line, "\r"):
			numbers = append(numbers, l.Line)
		case !isPart(l.Text, line):
			return nil
		}
	}
	return numbers
}

// isPart reports whether a text is a line of which an end, or both, were cut off.
func isPart(text, line string) bool {
	part := strings.TrimSuffix(strings.TrimPrefix(text, "…"), "…")
	return part != text && strings.Contains(line, part)
}
