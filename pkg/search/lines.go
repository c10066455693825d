package search

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Line is one line of a result.
type Line struct {
	Line int    `json:"line"` // its number, from 1
	Text string `json:"text"` // without its break; "…" stands for what was cut off
	// Match tells a line with a match from one shown for context.
	Match bool `json:"match"`
	// Submatches are where in Text the matches are: first byte, and byte after
	// the last.
	Submatches [][2]int `json:"submatches,omitempty"`
	// Lossy says that bytes that are no UTF-8 are shown as U+FFFD.
	Lossy bool `json:"lossy,omitempty"`
}

const (
	// margin is how much of a file, in bytes, is read round a hit to show it,
	// where the file is not in memory.
	margin = 64 << 10
	// near is how far from a hit its exact place is looked for in a long line.
	near = 4 << 10
	// shownBytes is how much of a long line is shown, in bytes.
	shownBytes = 400
	// mostSubmatches is how many places in one line are pointed out.
	mostSubmatches = 50
	// mostLines is how many lines of one match are shown.
	mostLines = 100
	ellipsis  = "…"
)

// block is a line that will be shown: bytes start to end of a text.
type block struct {
	start, end int
	number     int
	match      bool
	spans      []span // in the text
}

// show makes the lines of hits and of their context.
func (s *searcher) show(text *source, hits []hit, before, after int) ([]Line, error) {
	var lines []Line
	shown := 0 // the number of the last line
	for i, h := range hits {
		data, base := text.data, int64(0)
		if data == nil {
			base = max(h.start-margin, 0)
			var err error
			if data, err = text.window(base, h.start+margin); err != nil {
				return nil, err
			}
			if h.place-h.start > margin-near || h.place-base >= int64(len(data)) {
				line, err := s.far(text, h)
				if err != nil {
					return nil, err
				}
				lines, shown = append(lines, line), h.line
				continue
			}
		}
		next := 1 << 62
		if i+1 < len(hits) {
			next = hits[i+1].line
		}
		var blocks []block
		start := int(h.start - base)
		blocks = above(blocks, data, start, h.line, min(before, h.line-1-shown))
		first := len(blocks)
		if s.Multiline {
			blocks = spanned(blocks, data, start, h)
		} else {
			blocks = append(blocks, block{start: start, end: lineEnd(data, start), number: h.line, match: true})
		}
		last := blocks[len(blocks)-1]
		blocks = under(blocks, data, last.end, last.number, min(after, next-last.number-1))
		for j, b := range blocks {
			if b.number <= shown {
				// A second match that starts where another ended.
				if b.match && len(lines) > 0 && s.Multiline {
					s.again(&lines[len(lines)-1], data, b)
				}
				continue
			}
			place := b.start
			if j == first {
				place = int(h.place - base)
			}
			lines = append(lines, s.render(data, b, place))
			shown = b.number
		}
	}
	return lines, nil
}

// above appends up to n lines that end before start.
func above(blocks []block, data []byte, start, number, n int) []block {
	at := start
	for i := 0; i < n && at > 0; i++ {
		end := at - 1
		at = lineStart(data, 0, end)
		blocks = append(blocks, block{start: at, end: end, number: number - 1 - i})
	}
	for i, j := 0, len(blocks)-1; i < j; i, j = i+1, j-1 {
		blocks[i], blocks[j] = blocks[j], blocks[i]
	}
	return blocks
}

// under appends up to n lines after the one that ends at end.
func under(blocks []block, data []byte, end, number, n int) []block {
	for i := 0; i < n && end+1 < len(data); i++ {
		start := end + 1
		end = lineEnd(data, start)
		blocks = append(blocks, block{start: start, end: end, number: number + 1 + i})
	}
	return blocks
}

// spanned appends the lines that a match lies on.
func spanned(blocks []block, data []byte, start int, h hit) []block {
	match := span{int(h.place), int(h.end)}
	for i := range mostLines {
		end := lineEnd(data, start)
		part := span{max(match.start, start), min(match.end, end)}
		blocks = append(blocks, block{start: start, end: end, number: h.line + i, match: true, spans: []span{part}})
		if start = end + 1; start >= match.end || start >= len(data) {
			break
		}
	}
	return blocks
}

// again adds the places of a further match to a line that is there already.
func (s *searcher) again(line *Line, data []byte, b block) {
	whole := s.render(data, b, b.start)
	if line.Match && line.Line == b.number && line.Text == whole.Text && len(line.Submatches) < mostSubmatches {
		line.Submatches = append(line.Submatches, whole.Submatches...)
	}
	line.Match = true
}

// far shows a hit far into a long line.
func (s *searcher) far(text *source, h hit) (Line, error) {
	base := max(h.place-near, h.start)
	data, err := text.window(base, h.place+near)
	if err != nil {
		return Line{}, err
	}
	place := min(int(h.place-base), len(data))
	raw := data[:lineEnd(data, place)]
	spans := s.matches(raw, mostSubmatches)
	return clip(raw, h.line, spans, place, base > h.start), nil
}

// render makes a line of a block; place is near the match if it has one.
func (s *searcher) render(data []byte, b block, place int) Line {
	raw := data[b.start:b.end]
	if b.end < len(data) || !b.match {
		raw = trimCR(raw)
	}
	if !b.match {
		l := clip(raw, b.number, nil, 0, false)
		l.Match = false
		return l
	}
	if s.Multiline {
		spans := make([]span, 0, len(b.spans))
		for _, m := range b.spans {
			spans = append(spans, span{min(m.start-b.start, len(raw)), min(m.end-b.start, len(raw))})
		}
		return clip(raw, b.number, spans, 0, false)
	}
	place -= b.start
	if len(raw) > margin { // only what is near the place
		from := max(place-near, 0)
		for from > 0 && raw[from]&0xc0 == 0x80 {
			from--
		}
		part := raw[from:min(place+near, len(raw))]
		return clip(part, b.number, s.matches(part, mostSubmatches), place-from, from > 0)
	}
	return clip(raw, b.number, s.matches(raw, mostSubmatches), place, false)
}

// clip cuts a line round its first match, or round place if there is none, and
// makes it valid UTF-8.
func clip(raw []byte, number int, spans []span, place int, cut bool) Line {
	line := Line{Line: number, Match: true}
	from, to := 0, len(raw)
	if len(raw) > shownBytes {
		if len(spans) > 0 {
			place = spans[0].start
		}
		from = max(0, min(place-shownBytes/4, len(raw)-shownBytes))
		to = from + shownBytes
		for from > 0 && !utf8.RuneStart(raw[from]) {
			from--
		}
		for to < len(raw) && !utf8.RuneStart(raw[to]) {
			to--
		}
	}
	var text strings.Builder
	if cut || from > 0 {
		text.WriteString(ellipsis)
	}
	// places are where the bytes of the shown part come to stand, if they do not
	// stand as they are.
	shift := text.Len() - from
	shown := raw[from:to]
	var places []int
	if utf8.Valid(shown) {
		text.Write(shown)
	} else {
		line.Lossy = true
		places = make([]int, 0, len(shown)+1)
		for len(shown) > 0 {
			r, n := utf8.DecodeRune(shown)
			for range n {
				places = append(places, text.Len())
			}
			text.WriteRune(r)
			shown = shown[n:]
		}
		places = append(places, text.Len())
	}
	if to < len(raw) {
		text.WriteString(ellipsis)
	}
	line.Text = text.String()
	for _, m := range spans {
		start, end := max(m.start, from), min(m.end, to)
		if start > end || start == end && m.start < m.end {
			continue
		}
		if places != nil {
			line.Submatches = append(line.Submatches, [2]int{places[start-from], places[end-from]})
		} else {
			line.Submatches = append(line.Submatches, [2]int{start + shift, end + shift})
		}
	}
	return line
}

// cutAfter keeps the first matching lines and what is shown below the last.
func cutAfter(lines []Line, matches, after int) []Line {
	for i := range lines {
		if !lines[i].Match {
			continue
		}
		if matches > 0 {
			matches--
			if matches == 0 {
				after += lines[i].Line
			}
			continue
		}
		// From here on lines serve as context, as far as it goes.
		end := i
		for end < len(lines) && lines[end].Line <= after {
			lines[end].Match, lines[end].Submatches = false, nil
			end++
		}
		for end > 0 && lines[end-1].Line > after && !lines[end-1].Match {
			end--
		}
		return lines[:end]
	}
	return lines
}

// bytesOf is how much text lines hold.
func bytesOf(lines []Line) int {
	n := 0
	for i := range lines {
		n += len(lines[i].Text) + 40
	}
	return n
}

// validPath is a path as it can be shown.
func validPath(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return string(bytes.ToValidUTF8([]byte(path), []byte("\uFFFD")))
}
