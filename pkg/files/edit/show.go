package edit

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
)

const (
	// MatchesShown limits the places shown of a text that is found too often.
	MatchesShown = 10
	// shownLines and shownBytes limit the part of a file that an error shows.
	shownLines = 60
	shownBytes = 8 << 10
)

// Excerpts is the rest of the budget that one error has for excerpts of a file.
type Excerpts struct{ lines, bytes int }

// NewExcerpts returns the budget of one error: 60 lines and 8 KiB.
func NewExcerpts() *Excerpts { return &Excerpts{shownLines, shownBytes} }

// Take returns as much of a text, in whole lines, as may still be shown.
func (b *Excerpts) Take(text string) string {
	at := 0
	for at < len(text) {
		end := min(len(text), lineEnd(text, at)+1)
		if b.lines == 0 || end-at > b.bytes {
			break
		}
		b.lines--
		b.bytes -= end - at
		at = end
	}
	if at == 0 && text != "" && b.lines > 0 && b.bytes > 0 {
		// The first line alone is too long: show its beginning.
		for at = b.bytes; at > 0 && !utf8.RuneStart(text[at]); {
			at--
		}
		*b = Excerpts{}
	}
	return text[:at]
}

// span returns where lines first to last, from 1, are in the view, without the
// ending of the last.
func (d *document) span(first, last int) (start, end int) {
	start, _ = d.offset(first)
	end = lineEnd(d.text, start)
	for ; first < last && end < len(d.text); first++ {
		end = lineEnd(d.text, end+1)
	}
	return start, end
}

// match returns lines and some around them, as they are in the file.
func (d *document) match(first, last, around int, shown *Excerpts) Match {
	from := max(1, first-around)
	start, end := d.span(from, last+around)
	return Match{Start: first, End: last, TextStart: from, Text: shown.Take(d.src[d.source(start):d.source(end)])}
}

// matches returns the details of too many places.
func (d *document) matches(places []place) *Failure {
	f := &Failure{Total: len(places)}
	shown := NewExcerpts()
	for _, p := range places[:min(len(places), MatchesShown)] {
		last := p.line + strings.Count(d.text[p.start:max(p.start, p.end-1)], "\n")
		f.Matches = append(f.Matches, d.match(p.line, last, 2, shown))
	}
	return f
}

// LinesText returns the first of some lines for a message, such as "lines 4, 7".
func LinesText(lines []int) fault.Text {
	if len(lines) == 1 {
		return fault.T("line %d", lines[0])
	}
	var b strings.Builder
	for i, line := range lines {
		if i == MatchesShown {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(line))
	}
	return fault.T("lines %s", b.String())
}

// linesOf returns the first lines of places for a message.
func linesOf(places []place) fault.Text {
	lines := make([]int, min(len(places), MatchesShown+1))
	for i := range lines {
		lines[i] = places[i].line
	}
	return LinesText(lines)
}

// sha returns the short hash of the text that the lines of a candidate are from.
func (d *document) sha() string { return text.Sum([]byte(d.src)) }
