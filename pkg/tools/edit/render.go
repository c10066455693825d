package edit

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
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

// render says what the caller does not know: where its texts are now, and what became of
// them if they were not taken as they are.
func render(r Result, v screen.View) string {
	var b strings.Builder
	switch {
	case len(r.Changed) > 0:
		return changedCells(r, v)
	case r.paragraphs:
		return changedParagraphs(r, v)
	}
	what := fault.T("edited %s: %s", r.Path, places(r))
	switch {
	case r.created && r.DryRun:
		what = fault.T("would create %s", r.Path)
	case r.created:
		what = fault.T("created %s", r.Path)
	case r.DryRun:
		what = fault.T("would edit %s: %s", r.Path, places(r))
	}
	b.WriteString(v.Say(what) + textfile.Grown(v, r.LinesAdded, r.LinesRemoved))
	odd, ways := inexact(r.Edits)
	if len(ways) > 0 {
		b.WriteString(v.Say(fault.T(" (found by %s)", strings.Join(ways, ", "))))
	}
	b.WriteString("\n")
	if len(r.AlsoSimilarAt) > 0 {
		b.WriteString(v.Say(fault.T("%s differ from old_text only in white space", edit.LinesText(r.AlsoSimilarAt))) + "\n")
	}
	if r.ChangedElsewhere {
		b.WriteString(v.Say(fault.T("other lines of the file have changed since they were read")) + "\n")
	}
	if r.DryRun {
		return b.String() + r.Diff
	}
	b.WriteString(textfile.Hunks(v, r.hunks, odd))
	b.WriteString(tool.Feedback{Formatted: r.Formatted, Diagnostics: r.Diagnostics, Pending: r.Pending}.Text(v))
	return b.String()
}

// places says where the new text is.
func places(r Result) fault.Text {
	at := make([]edit.LineRange, len(r.Edits))
	for i, e := range r.Edits {
		at[i] = e.New
	}
	if len(at) == 1 && at[0].End < at[0].Start {
		return fault.T("removed %s", r.Edits[0].Old.Text())
	}
	return textfile.Places(at, r.Replacements)
}

// inexact returns the places of which the caller does not know what was there, or what
// is there now, and the ways in which they were found.
func inexact(edits []edit.Applied) (at []edit.LineRange, ways []string) {
	for _, e := range edits {
		known := e.Strategy == edit.Exact || e.Strategy == edit.Inserted
		if known && !e.Reindented {
			continue
		}
		at = append(at, e.New)
		if way := string(e.Strategy); !known && !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return at, ways
}

// cellsListed limits the changed cells that a text lists.
const cellsListed = 20

// changedCells says which cells of a workbook were changed.
func changedCells(r Result, v screen.View) string {
	list := strings.Join(r.Changed[:min(len(r.Changed), cellsListed)], ", ")
	if more := len(r.Changed) - cellsListed; more > 0 {
		list += ", " + v.Say(fault.T("and %d more", more))
	}
	what := fault.T("edited %s: %s", r.Path, list)
	if r.DryRun {
		what = fault.T("would edit %s: %s", r.Path, list)
	}
	text := v.Say(what) + "\n"
	if r.Recalculate {
		text += v.Say(fault.T("results of formulas are old until a program calculates the workbook, which it does on opening it")) + "\n"
	}
	if r.DryRun {
		text += r.Diff
	}
	return text
}

// changedParagraphs says how many paragraphs of a document were changed.
func changedParagraphs(r Result, v screen.View) string {
	what := fault.T("edited %s, paragraphs or rows: %d", r.Path, r.Replacements)
	if r.DryRun {
		return v.Say(fault.T("would edit %s, paragraphs or rows: %d", r.Path, r.Replacements)) + "\n" + r.Diff
	}
	return v.Say(what) + "\n"
}
