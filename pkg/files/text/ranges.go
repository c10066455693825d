package text

import (
	"math"
	"strconv"
	"strings"
)

// maxRanges limits the ranges of lines that one request may name.
const maxRanges = 32

// span is a requested range of lines, or of characters of one line. Lines and
// characters count from 1, and both ends are included.
type span struct {
	from int // negative: so many lines from the end
	to   int // 0: to the end
	// chars says that the range is of characters firstChar to lastChar of line from.
	// A lastChar of 0 is the end of the line.
	chars               bool
	firstChar, lastChar int
}

// parseRanges reads a list such as "5-16,40,960-,-60,7:2001-4000,-1:1-80": lines A to B,
// one line, line A to the end, the last N lines, characters of one line.
func parseRanges(list string) ([]span, error) {
	items := strings.Split(list, ",")
	if len(items) > maxRanges {
		return nil, tooManyRanges(len(items))
	}
	spans := make([]span, 0, len(items))
	for _, item := range items {
		s, ok := parseRange(strings.TrimSpace(item))
		if !ok {
			return nil, notRange(item)
		}
		spans = append(spans, s)
	}
	return spans, nil
}

func parseRange(item string) (span, bool) {
	if line, chars, found := strings.Cut(item, ":"); found {
		n, ok := lineNumber(line)
		first, last, okChars := bounds(chars)
		return span{from: n, to: n, chars: true, firstChar: first, lastChar: last}, ok && okChars
	}
	if n, last := strings.CutPrefix(item, "-"); last {
		lines, ok := count(n)
		return span{from: -lines}, ok
	}
	from, to, ok := bounds(item)
	return span{from: from, to: to}, ok
}

// lineNumber reads the number of a line, which may count from the end.
func lineNumber(s string) (int, bool) {
	if n, last := strings.CutPrefix(s, "-"); last {
		lines, ok := count(n)
		return -lines, ok
	}
	return count(s)
}

// bounds reads "A-B", "A-" or "A".
func bounds(s string) (from, to int, ok bool) {
	a, b, isRange := strings.Cut(s, "-")
	from, ok = count(strings.TrimSpace(a))
	if !ok || !isRange {
		return from, from, ok
	}
	if b = strings.TrimSpace(b); b == "" {
		return from, 0, true
	}
	to, ok = count(b)
	return from, to, ok && to >= from
}

// count reads a positive number without a sign.
func count(s string) (int, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0
}

// resolve returns the span fitted to a text of total lines.
func (s span) resolve(total int) (span, error) {
	if s.from < 0 {
		s.from = max(1, total+1+s.from)
		s.to = 0
		if s.chars {
			s.to = s.from
		}
	}
	if s.from > max(1, total) || s.chars && total == 0 {
		return s, beyondLines(s.from, total)
	}
	if s.to == 0 || s.to > total {
		s.to = total
	}
	return s, nil
}

// String returns the span as [parseRanges] reads it.
func (s span) String() string {
	bounds := func(from, to int) string {
		switch to {
		case from:
			return strconv.Itoa(from)
		case 0:
			return strconv.Itoa(from) + "-"
		}
		return strconv.Itoa(from) + "-" + strconv.Itoa(to)
	}
	switch {
	case s.chars:
		return strconv.Itoa(s.from) + ":" + bounds(s.firstChar, s.lastChar)
	case s.from < 0:
		return strconv.Itoa(s.from)
	case s.to == math.MaxInt:
		s.to = 0
	}
	return bounds(s.from, s.to)
}

// LastLine returns the last line that a list of ranges names. It reports false if that
// depends on the number of lines, and for anything that is not such a list.
func LastLine(ranges string) (line int, ok bool) {
	spans, err := parseRanges(ranges)
	if err != nil {
		return 0, false
	}
	for _, s := range spans {
		if s.from < 0 || s.to == 0 {
			return 0, false
		}
		line = max(line, s.to)
	}
	return line, true
}
