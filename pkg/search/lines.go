package search

import (
	"strings"
	"unicode/utf8"
)

// Line is one line of a result.
type Line struct {
	Line int    `json:"line"` // line number, from 1
	Text string `json:"text"` // without its line break; "…" marks where it was cut
	// Match is true for a line with a match and false for a line of context.
	Match bool `json:"match"`
	// Submatches are the byte ranges of the matches in Text; ends are not included.
	Submatches [][2]int `json:"submatches,omitempty"`
	// Lossy says that invalid UTF-8 is shown as U+FFFD.
	Lossy bool `json:"lossy,omitempty"`
}

const (
	// margin is how much of a file that is not in memory is read before and after
	// a hit to show it, in bytes.
	margin = 64 << 10
	// vicinity is how far from a hit the exact match in a long line is looked for,
	// in bytes.
	vicinity = 4 << 10
	// shownBytes is how much of a long line is shown, in bytes.
	shownBytes = 400
	// mostSubmatches is how many matches in one line are reported.
	mostSubmatches = 50
	// mostLines is how many lines of one match are shown.
	mostLines = 100
	ellipsis  = "…"
)

// block is a line to show: the bytes start to end of a text.
type block struct {
	start, end int
	number     int
	match      bool
	spans      []span // of matches, in the text
}

// show returns the lines of hits with their context.
func (s *searcher) show(text *source, hits []hit, before, after int) ([]Line, error) {
	var lines []Line
	shown := 0 // the number of the last line in lines
	for i, h := range hits {
		data, base := text.data, int64(0)
		if data == nil {
			base = max(h.start-margin, 0)
			var err error
			if data, err = text.window(base, h.start+margin); err != nil {
				return nil, err
			}
			if h.near-h.start > margin-vicinity || h.near-base >= int64(len(data)) {
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
				// Another match starts on the line where the last one ended.
				if b.match && len(lines) > 0 && s.Multiline {
					s.again(&lines[len(lines)-1], data, b)
				}
				continue
			}
			near := b.start
			if j == first {
				near = int(h.near - base)
			}
			lines = append(lines, s.render(data, b, near))
			shown = b.number
		}
	}
	return lines, nil
}

// above appends up to n lines before start.
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

// under appends up to n lines after the line that ends at end.
func under(blocks []block, data []byte, end, number, n int) []block {
	for i := 0; i < n && end+1 < len(data); i++ {
		start := end + 1
		end = lineEnd(data, start)
		blocks = append(blocks, block{start: start, end: end, number: number + 1 + i})
	}
	return blocks
}

// spanned appends the lines of a match.
func spanned(blocks []block, data []byte, start int, h hit) []block {
	match := span{int(h.near), int(h.end)}
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

// again adds a further match to a line that was already rendered.
func (s *searcher) again(line *Line, data []byte, b block) {
	more := s.render(data, b, b.start)
	if line.Match && line.Line == b.number && line.Text == more.Text && len(line.Submatches) < mostSubmatches {
		line.Submatches = append(line.Submatches, more.Submatches...)
	}
	line.Match = true
}

// far renders a hit that is far from the start of a long line.
func (s *searcher) far(text *source, h hit) (Line, error) {
	base := max(h.near-vicinity, h.start)
	data, err := text.window(base, h.near+vicinity)
	if err != nil {
		return Line{}, err
	}
	near := min(int(h.near-base), len(data))
	raw := data[:lineEnd(data, near)]
	spans := s.matches(raw, mostSubmatches)
	return clip(raw, h.line, spans, near, base > h.start), nil
}

// render makes a line of a block. If the block matches, near is an offset near
// the match.
func (s *searcher) render(data []byte, b block, near int) Line {
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
	near -= b.start
	if len(raw) > margin { // look for matches only near the hit
		from := max(near-vicinity, 0)
		for from > 0 && raw[from]&0xc0 == 0x80 {
			from--
		}
		part := raw[from:min(near+vicinity, len(raw))]
		return clip(part, b.number, s.matches(part, mostSubmatches), near-from, from > 0)
	}
	return clip(raw, b.number, s.matches(raw, mostSubmatches), near, false)
}

// clip cuts a line around its first match, or around near if spans is empty, and
// makes it valid UTF-8. cut says that raw does not start at the start of the line.
func clip(raw []byte, number int, spans []span, near int, cut bool) Line {
	line := Line{Line: number, Match: true}
	from, to := 0, len(raw)
	if len(raw) > shownBytes {
		if len(spans) > 0 {
			near = spans[0].start
		}
		from = max(0, min(near-shownBytes/4, len(raw)-shownBytes))
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
	shift := text.Len() - from
	shown := raw[from:to]
	// offsets maps the bytes of the shown part to the text; nil if the part is
	// shown unchanged.
	var offsets []int
	if utf8.Valid(shown) {
		text.Write(shown)
	} else {
		line.Lossy = true
		offsets = make([]int, 0, len(shown)+1)
		for len(shown) > 0 {
			r, n := utf8.DecodeRune(shown)
			for range n {
				offsets = append(offsets, text.Len())
			}
			text.WriteRune(r)
			shown = shown[n:]
		}
		offsets = append(offsets, text.Len())
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
		if offsets != nil {
			line.Submatches = append(line.Submatches, [2]int{offsets[start-from], offsets[end-from]})
		} else {
			line.Submatches = append(line.Submatches, [2]int{start + shift, end + shift})
		}
	}
	return line
}

// cutAfter returns the first matching lines with their context, and after lines
// of context below the last.
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
		// The following lines are only context, up to line number after.
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

// bytesOf returns about how many bytes lines take in a result.
func bytesOf(lines []Line) int {
	n := 0
	for i := range lines {
		n += len(lines[i].Text) + 40
	}
	return n
}
