package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// shownMatches is how many places of a text that is found too often are shown.
	shownMatches = 10
	// shownLines and shownBytes are how much of a file an error shows.
	shownLines = 60
	shownBytes = 8 << 10
)

// budget is how much of the file an error may still show.
type budget struct{ lines, bytes int }

// take is as much of a text, in whole lines, as the budget allows.
func (b *budget) take(text string) string {
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
		// The first line alone is too long: its beginning is better than nothing.
		for at = min(len(text), b.bytes); at > 0 && at < len(text) && !utf8.RuneStart(text[at]); {
			at--
		}
		*b = budget{}
	}
	return text[:at]
}

// span is where lines from first to last, from 1, are in the view, without the
// ending of the last.
func (d *document) span(first, last int) (start, end int) {
	start, _ = d.offset(first)
	end = lineEnd(d.text, start)
	for ; first < last && end < len(d.text); first++ {
		end = lineEnd(d.text, end+1)
	}
	return start, end
}

// match shows lines and some around them, as they are in the file.
func (d *document) match(first, last, around int, shown *budget) Match {
	from := max(1, first-around)
	start, end := d.span(from, last+around)
	text := shown.take(d.src[d.source(start):d.source(end)])
	return Match{Start: first, End: last, TextStart: from, Text: text}
}

// matches are the details of too many places.
func (d *document) matches(places []place) *Failure {
	f := &Failure{Total: len(places)}
	shown := budget{shownLines, shownBytes}
	for _, p := range places[:min(len(places), shownMatches)] {
		last := p.line + strings.Count(d.text[p.start:max(p.start, p.end-1)], "\n")
		f.Matches = append(f.Matches, d.match(p.line, last, 2, &shown))
	}
	return f
}

// lineList names the lines of the first places.
func lineList(places []place) string {
	var b strings.Builder
	for i, p := range places {
		if i == shownMatches {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, p.line)
	}
	return b.String()
}

// sha names the state of the text that the lines of a candidate belong to.
func (d *document) sha() string {
	h := sha256.New()
	buf := make([]byte, 64<<10)
	for rest := d.src; rest != ""; {
		n := copy(buf, rest)
		h.Write(buf[:n])
		rest = rest[n:]
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
