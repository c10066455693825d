package text

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// Request says which part of a text is wanted. The zero value asks for all of it.
type Request struct {
	// Offset is the first line, counted from 1; -60 asks for the last 60 lines.
	// 0 means 1.
	Offset int
	// Limit is the most lines to return; 0 is no limit.
	Limit int
	// MaxBytes is the most bytes of content; 0 is no limit. Only a page of a single
	// character, with the mark that it was cut, may be larger.
	MaxBytes int
	// Ranges names parts instead of Offset: a comma list of "5-16" (lines), "40",
	// "960-" (to the end), "-60" (the last 60) and "7:2001-4000" (characters of
	// line 7, a character being a Unicode code point).
	Ranges string
	// Encoding is the encoding of the file, "" to detect it.
	Encoding string
}

// Page is the part of a text that a request asks for, as far as it fits, with facts
// about the complete text.
type Page struct {
	Profile
	Encoding string
	BOM      bool
	// Partial says that the file has more than [WholeBytes], so that not all of it was
	// read. There is then no Sum, TotalLines is unknownLines, the rest of the profile
	// describes the beginning, Encoding only the parts that were read, and lines that
	// were counted from the end have negative numbers.
	Partial bool
	Sum     string // of all bytes, see [Sum]
	Bytes   int64  // size of the file
	// Damaged are the first lines with bytes that are not valid in Encoding, shown as
	// U+FFFD.
	Damaged []int
	// Declined is the encoding that the caller named, if the bytes do not fit it.
	Declined string
	// Windows are the parts, in the order of the request. There is always one.
	Windows []Window
	// TruncatedBy is "" for a page that has all that was asked for. Otherwise it is
	// the limit that was reached, "lines" or "bytes", or "line" if only long lines
	// were cut.
	TruncatedBy string
	NextOffset  int    // the line to continue from; 0 if there is none
	Rest        string // the ranges to ask for next; "" if there are none
	LinesCut    []CutLine
	// Document is the complete text, nil for a file over 8 MiB, which is streamed.
	Document *Document
}

// unknownLines is the number of lines of a file of which only a part was read.
const unknownLines = -1

// CutLine is a long line of which only the beginning is shown.
type CutLine struct {
	Line  int    `json:"line"`
	Chars int    `json:"chars"` // of the whole line
	Shown int    `json:"shown"` // characters
	Rest  string `json:"rest"`  // the range to ask for next
}

// Window is one contiguous part of a text.
type Window struct {
	// Start and End are the first and last line; both are 0 if there is none, and
	// negative if they count from the end: -1 is the last line.
	Start, End int
	// FirstChar and LastChar are the characters of line Start in a window of
	// characters, 0 in a window of lines.
	FirstChar, LastChar int

	lines []shown
}

// shown is a line as a page holds it.
type shown struct {
	number int
	body   string
	eol    string
	chars  int    // of the line in the file
	cut    int    // characters of body, if the line was cut
	mark   string // follows body, if the line was cut
}

func (l *shown) size() int { return len(l.body) + len(l.mark) + len(l.eol) }

// Content returns the window's text with the line endings of the file.
func (w *Window) Content() string {
	var b strings.Builder
	for _, l := range w.lines {
		b.WriteString(l.body)
		b.WriteString(l.mark)
		b.WriteString(l.eol)
	}
	return b.String()
}

// Numbered returns the window's text with "12|" before line 12 and "\n" as the only
// line ending. A window of characters has "12:2001-4000|".
func (w *Window) Numbered() string {
	var b strings.Builder
	for i, l := range w.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if w.FirstChar > 0 {
			b.WriteString(span{from: l.number, chars: true, firstChar: w.FirstChar, lastChar: w.LastChar}.String())
		} else {
			b.WriteString(strconv.Itoa(l.number))
		}
		b.WriteByte('|')
		b.WriteString(l.body)
		b.WriteString(l.mark)
		if i == len(w.lines)-1 && l.eol != "" {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// spans returns what the request asks for, not yet fitted to a text.
func (q Request) spans() ([]span, error) {
	switch {
	case q.Limit < 0:
		return nil, notPositive("limit", q.Limit)
	case q.MaxBytes < 0:
		return nil, notPositive("max_bytes", q.MaxBytes)
	case q.Ranges == "" && q.Offset == 0:
		return []span{{from: 1}}, nil
	case q.Ranges == "":
		return []span{{from: q.Offset}}, nil
	case q.Offset != 0 && q.Offset != 1:
		return nil, offsetAndRanges()
	}
	return parseRanges(q.Ranges)
}

// limits returns the most lines and bytes to return.
func (q Request) limits() (lines, bytes int) {
	return cmp.Or(q.Limit, math.MaxInt), cmp.Or(q.MaxBytes, math.MaxInt)
}
