package text

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxRanges is how many ranges of lines one request may name.
const maxRanges = 32

// span is a range of lines as it was asked for, or of characters of one line.
// Lines and characters count from 1 and both ends belong to it.
type span struct {
	from int // negative: so many lines from the end
	to   int // 0: to the end
	// chars says that from is the one line meant, and that the range is of its
	// characters firstChar to lastChar, 0 meaning its end.
	chars               bool
	firstChar, lastChar int
}

// parseRanges reads a list such as "5-16,40,960-,-60,7:2001-4000": lines A to B,
// one line, lines A to the end, the last N lines, characters of one line.
func parseRanges(list string) ([]span, error) {
	items := strings.Split(list, ",")
	if len(items) > maxRanges {
		return nil, fault.New(fault.InvalidArguments,
			fault.T("%d ranges are too many; the most is %d", "范围过多：%d 个，最多 %d 个", len(items), maxRanges)).
			WithHint(fault.T("ask for the others in further calls", "请分多次调用读取其余范围"))
	}
	spans := make([]span, 0, len(items))
	for _, item := range items {
		s, ok := parseRange(strings.TrimSpace(item))
		if !ok {
			return nil, fault.New(fault.InvalidArguments,
				fault.T("%q is not a range of lines", "%q 不是有效的行范围", item)).
				WithHint(fault.T("write 5-16, 40, 960- (to the end), -60 (the last 60 lines) or 7:2001-4000 (characters of line 7), with commas between them",
					"请使用 5-16、40、960-（到末尾）、-60（最后 60 行）或 7:2001-4000（第 7 行的字符），多个范围以逗号分隔"))
		}
		spans = append(spans, s)
	}
	return spans, nil
}

func parseRange(item string) (span, bool) {
	if line, chars, found := strings.Cut(item, ":"); found {
		n, ok := count(line)
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

// count reads a number from 1 on, and nothing else that strconv would take.
func count(s string) (int, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0
}

// resolve fits a span into a text of total lines.
func (s span) resolve(total int) (span, error) {
	if s.from < 0 {
		s.from = max(1, total+1+s.from)
		s.to = 0
	}
	if s.from > max(1, total) || s.chars && total == 0 {
		return s, fault.New(fault.OutOfRange, fault.T("line %d is beyond the end; the file has %d lines", "第 %d 行超出末尾；文件共 %d 行", s.from, total)).
			WithHint(fault.T("use an offset up to %d, or a negative one to count from the end", "请使用不超过 %d 的行号，或用负数从末尾计数", total)).
			WithDetails(beyond{TotalLines: total})
	}
	if s.to == 0 || s.to > total {
		s.to = total
	}
	return s, nil
}

// beyond is the details of out_of_range.
type beyond struct {
	TotalLines int `json:"total_lines"`
	Line       int `json:"line,omitzero"`
	Chars      int `json:"chars,omitzero"` // how many characters that line has
}

// String writes the span as [parseRanges] reads it.
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
	if s.chars {
		return strconv.Itoa(s.from) + ":" + bounds(s.firstChar, s.lastChar)
	}
	return bounds(s.from, s.to)
}
