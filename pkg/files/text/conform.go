package text

import (
	"strings"

	"github.com/helve-dev/helve/pkg/files/diff"
)

// Conform returns text, which is to replace old, with the line endings of old. A line
// of old keeps its ending, a changed line takes that of the line it replaces, and
// an added line takes that of the line before it. Otherwise the dominant ending of
// old is used, or eol if it has none. The endings of text itself only mark where
// its lines end.
//
// A last line without an ending gets one, which ended reports, unless it is the
// last line of old and had none either. So Conform(old, old, eol) returns old, and
// it does so too after all endings have become "\n". Pass "" as old for a new file.
func Conform(old, text, eol string) (conformed string, ended bool) {
	// A lone "\r" ends no line in a file that had line feeds.
	sep := separator(text)
	if strings.Contains(old, "\n") {
		sep = "\n"
	}
	before, after := Lines(old), split(text, sep)
	if len(after) == 0 {
		return "", false
	}
	if d := Describe(old).Dominant; d != "" {
		eol = d
	}
	partner := diff.Align(keys(before), keys(after))
	var b strings.Builder
	b.Grow(len(text) + len(after))
	last := len(after) - 1
	for start := 0; start <= last; {
		if partner[start] >= 0 {
			o := before[partner[start]]
			switch {
			case o.EOL != "":
			case after[start].EOL == "" && partner[start] == len(before)-1:
			default:
				o.EOL = neighbour(before, partner[start], eol)
			}
			// The old body differs at most in stray "\r" before the ending.
			b.WriteString(o.Body)
			b.WriteString(o.EOL)
			ended = start == last && after[start].EOL == "" && o.EOL != ""
			start++
			continue
		}
		stop := start
		for stop <= last && partner[stop] < 0 {
			stop++
		}
		from, to := 0, len(before)
		if start > 0 {
			from = partner[start-1] + 1
		}
		if stop <= last {
			to = partner[stop]
		}
		for i := start; i < stop; i++ {
			b.WriteString(after[i].Body)
			b.WriteString(gapEOL(before, from, to, i-start, eol))
			ended = i == last && after[i].EOL == ""
		}
		start = stop
	}
	return b.String(), ended
}

// gapEOL returns the ending of the n-th line of a stretch that replaces
// before[from:to]: that of the line at its place, or of a neighbour.
func gapEOL(before []Line, from, to, n int, eol string) string {
	at := min(from+n, to-1)
	if from == to {
		at = from - 1
	}
	return neighbour(before, at, eol)
}

// neighbour returns the ending of a line or, if it has none, of one beside it.
func neighbour(before []Line, at int, eol string) string {
	for _, i := range []int{at, at - 1, at + 1} {
		if i >= 0 && i < len(before) && before[i].EOL != "" {
			return before[i].EOL
		}
	}
	return eol
}

// keys returns lines without their endings. A "\r" at the end of a body is part of
// an odd ending such as "\r\r\n".
func keys(lines []Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(l.Body, "\r")
	}
	return out
}
