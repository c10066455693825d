package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// A snippet has at most snippetLines, of which snippetContext are on either side
// of the change.
const (
	snippetContext = 4
	snippetLines   = 60
)

// snippet returns the first change with the lines around it.
func snippet(done edit.Result) *Snippet {
	if len(done.Edits) == 0 {
		return nil
	}
	first := done.Edits[0].New
	start, shown := around(done.Text, first.Start, first.End)
	return &Snippet{StartLine: start, Text: shown}
}

// around returns the lines from start to end with some on either side, at most
// snippetLines, and the number of the first.
func around(s string, start, end int) (int, string) {
	from := max(start-snippetContext, 1)
	to := min(max(end, start)+snippetContext, from+snippetLines-1)
	var b strings.Builder
	n := 0
	for line := range text.EachLine(s) {
		if n++; n > to {
			break
		}
		if n >= from {
			b.WriteString(windowed(line.Body) + "\n")
		}
	}
	return from, b.String()
}

// windowed returns as much of a line as a result shows.
func windowed(line string) string {
	n := 0
	for i := range line {
		if n++; n > text.LineChars {
			return line[:i] + "…"
		}
	}
	return line
}

func render(r Result, v screen.View) string {
	var b strings.Builder
	if r.DryRun {
		b.WriteString(v.Say(fault.T("would edit %s: %d replaced, +%d -%d lines", r.Path, r.Replacements, r.LinesAdded, r.LinesRemoved)))
	} else {
		b.WriteString(v.Say(fault.T("edited %s: %d replaced, +%d -%d lines", r.Path, r.Replacements, r.LinesAdded, r.LinesRemoved)))
	}
	if len(r.Edits) > 0 && r.Edits[0].Strategy != edit.Exact {
		b.WriteString(v.Say(fault.T(" (found by %s)", r.Edits[0].Strategy)))
	}
	b.WriteString("\n")
	if len(r.AlsoSimilarAt) > 0 {
		b.WriteString(v.Say(fault.T("lines %v differ from old_text only in white space", r.AlsoSimilarAt)) + "\n")
	}
	return b.String() + r.Diff
}
