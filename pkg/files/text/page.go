package text

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
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
	// Encoding is taken as the encoding of the file, if it is not "".
	Encoding string
}

// Page is the part of a text that was asked for, as far as it fits, and what is
// to be known of the whole text.
type Page struct {
	Profile
	Encoding string
	BOM      bool
	Sum      string // of all bytes, see [Sum]
	Bytes    int64  // how many bytes the file has
	// Damaged numbers the first lines that hold bytes which mean nothing in
	// Encoding, shown as U+FFFD.
	Damaged []int
	// Windows are the parts, in the order of the request. There is always one.
	Windows []Window
	// TruncatedBy is "" for a page that holds all the text from the offset on, or
	// all that Ranges name. Otherwise lines or bytes is what came to an end, or
	// only single long lines were cut ("line").
	TruncatedBy string
	NextOffset  int    // the line to go on from; 0 if there is none
	Rest        string // the ranges to ask for next; "" if there are none
	LinesCut    []CutLine
	// Document is the whole text, nil for one that was streamed, as it is larger
	// than 8 MiB.
	Document *Document
}

// CutLine is a long line of which only the beginning is shown.
type CutLine struct {
	Line  int    `json:"line"`
	Chars int    `json:"chars"` // of the whole line
	Shown int    `json:"shown"` // characters
	Rest  string `json:"rest"`  // the range to ask for to see the others
}

// Window is one contiguous part of a text.
type Window struct {
	// Start and End are the first and last line; both are 0 if there is none.
	Start, End int
	// FirstChar and LastChar are the characters of line Start that a window of
	// characters holds, 0 in windows of lines.
	FirstChar, LastChar int

	lines []shown
}

// shown is a line as a page holds it.
type shown struct {
	number int
	body   string
	eol    string
	chars  int    // of the line in the file
	cut    int    // characters of body that are the file's, if the line was cut
	mark   string // follows body in a line that was cut
}

func (l *shown) size() int { return len(l.body) + len(l.mark) + len(l.eol) }

// Content is the window's text. Unless lines were cut in it, it is the file's,
// line endings included.
func (w *Window) Content() string {
	var b strings.Builder
	for _, l := range w.lines {
		b.WriteString(l.body)
		b.WriteString(l.mark)
		b.WriteString(l.eol)
	}
	return b.String()
}

// Numbered is the window's text with "12|" before line 12 and "\n" as the only
// line ending; a window of characters has "12:2001-4000|".
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

// spans are what the request asks for, not yet fitted to a text.
func (q Request) spans() ([]span, error) {
	wrong := func(name string, value int) error {
		return fault.New(fault.InvalidArguments, fault.T("%s must be at least 1, not %d", "%s 至少为 1，不能是 %d", name, value))
	}
	switch {
	case q.Limit < 0:
		return nil, wrong("limit", q.Limit)
	case q.MaxBytes < 0:
		return nil, wrong("max_bytes", q.MaxBytes)
	case q.Ranges == "" && q.Offset == 0:
		return []span{{from: 1}}, nil
	case q.Ranges == "":
		return []span{{from: q.Offset}}, nil
	case q.Offset != 0 && q.Offset != 1:
		return nil, fault.New(fault.InvalidArguments, fault.T("offset and ranges exclude each other", "offset 与 ranges 不能同时使用")).
			WithHint(fault.T("leave out one of them", "请只保留其中一个"))
	}
	return parseRanges(q.Ranges)
}

// limits returns the most lines and bytes to return.
func (q Request) limits() (lines, bytes int) {
	return cmp.Or(q.Limit, math.MaxInt), cmp.Or(q.MaxBytes, math.MaxInt)
}
