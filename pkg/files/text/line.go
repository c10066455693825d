package text

import (
	"iter"
	"slices"
	"strings"
)

// Line is one line of a text.
type Line struct {
	Body string // the line without its ending
	EOL  string // "\n", "\r\n", "\r", or "" for a last line that has none
}

// Lines splits s into lines; concatenated they are s. A lone "\r" ends a line only
// if s has no "\n" at all, as in files of the old Mac OS; otherwise it is an
// ordinary character. The empty string has no lines.
func Lines(s string) []Line {
	return split(s, separator(s))
}

// EachLine yields the lines that [Lines] returns.
func EachLine(s string) iter.Seq[Line] { return each(s, separator(s)) }

// split is [Lines] for a known separator.
func split(s, sep string) []Line {
	return slices.AppendSeq(make([]Line, 0, strings.Count(s, sep)+1), each(s, sep))
}

func each(s, sep string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for s != "" {
			body, rest, ended := strings.Cut(s, sep)
			if !ended {
				yield(Line{Body: body})
				return
			}
			eol := s[len(body) : len(body)+1]
			if sep == "\n" && strings.HasSuffix(body, "\r") {
				body = body[:len(body)-1]
				eol = s[len(body) : len(body)+2]
			}
			if !yield(Line{Body: body, EOL: eol}) {
				return
			}
			s = rest
		}
	}
}

// separator returns the byte that ends the lines of s.
func separator(s string) string {
	if !strings.Contains(s, "\n") && strings.Contains(s, "\r") {
		return "\r"
	}
	return "\n"
}
