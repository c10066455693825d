package edit

import (
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
)

// A snippet has at most snippetLines, of which snippetContext are on either side
// of the change.
const (
	snippetContext = 4
	snippetLines   = 60
)

// snippet shows the first changed place with lines round it.
func snippet(done edit.Result) *Snippet {
	if len(done.Edits) == 0 {
		return nil
	}
	first := done.Edits[0].New
	start, shown := around(done.Text, first.Start, first.End)
	return &Snippet{StartLine: start, Text: shown}
}

// shown are all changed places with lines round them.
func shown(done edit.Result) string {
	var b strings.Builder
	for _, e := range done.Edits {
		_, lines := around(done.Text, e.New.Start, e.New.End)
		b.WriteString(lines + "\n")
	}
	return b.String()
}

// around gives the lines from start to end and some on either side, at most
// [snippetLines], and the number of the first.
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

// windowed is a line as far as a result shows it.
func windowed(line string) string {
	n := 0
	for i := range line {
		if n++; n > text.LineChars {
			return line[:i] + "…"
		}
	}
	return line
}

func render(r Result) string {
	var b strings.Builder
	verb := "edited"
	if r.DryRun {
		verb = "would edit"
	}
	fmt.Fprintf(&b, "%s %s: %d replaced, +%d -%d lines", verb, r.Path, r.Replacements, r.LinesAdded, r.LinesRemoved)
	if len(r.Edits) > 0 && r.Edits[0].Strategy != edit.Exact {
		fmt.Fprintf(&b, " (found by %s)", r.Edits[0].Strategy)
	}
	b.WriteString("\n")
	if len(r.AlsoSimilarAt) > 0 {
		fmt.Fprintf(&b, "the same but for white space stands at lines %v, too\n", r.AlsoSimilarAt)
	}
	return b.String() + r.Diff
}
