// Package text is the byte model of files that people can read: encodings, line
// endings, pages, kinds of content. It opens no file and knows no path.
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

// Lines splits s into its lines; joined again they are s. A lone "\r" ends a
// line only when s holds no "\n" at all, as in files of the old Mac OS;
// otherwise it is a character like any other. The empty string has no lines.
func Lines(s string) []Line {
	return split(s, separator(s))
}

// EachLine goes through the lines that [Lines] gives, without a list of them.
func EachLine(s string) iter.Seq[Line] { return each(s, separator(s)) }

// split is [Lines] with the decision about lone "\r" already made.
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

// Join is the opposite of [Lines].
func Join(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Body)
		b.WriteString(l.EOL)
	}
	return b.String()
}

// separator is the byte that ends the lines of s.
func separator(s string) string {
	if !strings.Contains(s, "\n") && strings.Contains(s, "\r") {
		return "\r"
	}
	return "\n"
}
