package text

import (
	"strings"

	"github.com/helve-dev/helve/pkg/files/diff"
)

// Conform gives text, which is to replace old, the line endings of old: a line
// that stood there keeps its own ending, a changed line takes that of the line
// it replaces, an added one that of the line before it, and where there is
// nothing to go by, the ending most lines of old have or, failing that, eol.
// The endings text came with count only as the places where its lines end.
//
// A last line without an ending gets one, which ended reports, unless it is the
// old last line that had none either. So Conform(old, old, eol) is old, and old
// again when its endings have become "\n", whatever their mixture was. Pass ""
// as old for a new file.
func Conform(old, text, eol string) (conformed string, ended bool) {
	// A lone "\r" is no ending in a file that has had line feeds.
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
			// The old body: it differs at most in stray "\r" before the ending.
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

// gapEOL is the ending of the n-th line of a stretch that replaces
// before[from:to]: that of the line in its place, else of the nearest one above
// that has any, else of the one below.
func gapEOL(before []Line, from, to, n int, eol string) string {
	at := min(from+n, to-1)
	if from == to {
		at = from - 1
	}
	return neighbour(before, at, eol)
}

// neighbour is the ending of line at or, where that has none, of one beside it.
func neighbour(before []Line, at int, eol string) string {
	for _, i := range []int{at, at - 1, at + 1} {
		if i >= 0 && i < len(before) && before[i].EOL != "" {
			return before[i].EOL
		}
	}
	return eol
}

// keys are what makes lines equal but for their endings. A "\r" left at the end
// of a body is part of an odd ending such as "\r\r\n".
func keys(lines []Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(l.Body, "\r")
	}
	return out
}
