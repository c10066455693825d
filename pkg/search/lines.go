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
	// In is the definition around a match, such as "Server.Run", where a caller looked
	// for it: a search itself does not.
	In string `json:"in,omitempty"`
}

const (
	// margin is the number of bytes read before and after a hit to show it, of a file
	// that is not in memory.
	margin = 64 << 10
	// vicinity is the distance from a hit, in bytes, within which the exact match in a
	// long line is searched for.
	vicinity = 4 << 10
	// shownBytes limits the bytes shown of a long line.
	shownBytes = 400
	// mostSubmatches limits the matches reported in one line.
	mostSubmatches = 50
	ellipsis       = "…"
)

// block is a line to show: the bytes start to end of a text.
type block struct {
	start, end int
	number     int
	hit        *hit // nil for a line of context
}

// show returns the lines of hits with their context.
func (s *searcher) show(text *source, hits []hit, before, after int) ([]Line, error) {
	lines := make([]Line, 0, len(hits)*(1+min(before+after, 4)))
	var blocks []block
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
		start := int(h.start - base)
		blocks = above(blocks[:0], data, start, h.line, min(before, h.line-1-shown))
		end := lineEnd(data, start)
		blocks = append(blocks, block{start: start, end: end, number: h.line, hit: &hits[i]})
		blocks = under(blocks, data, end, h.line, min(after, next-h.line-1))
		for _, b := range blocks {
			lines = append(lines, s.render(data, base, b))
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

// far renders a hit far from the start of a long line.
func (s *searcher) far(text *source, h hit) (Line, error) {
	base := max(h.near-vicinity, h.start)
	data, err := text.window(base, h.near+vicinity)
	if err != nil {
		return Line{}, err
	}
	near := min(int(h.near-base), len(data))
	raw := data[:lineEnd(data, near)]
	return clip(raw, h.line, s.spansOf(&h, raw, base), near, base > h.start), nil
}

// render makes a line of a block of data, which starts at offset base in the text.
func (s *searcher) render(data []byte, base int64, b block) Line {
	raw := data[b.start:b.end]
	end := len(raw) // of what is shown
	if b.end < len(data) || b.hit == nil {
		end = len(trimCR(raw))
	}
	if b.hit == nil {
		l := clip(raw[:end], b.number, nil, 0, false)
		l.Match = false
		return l
	}
	if !s.CR {
		raw = raw[:end]
	}
	near, from := int(b.hit.near-base)-b.start, 0
	if len(raw) > margin { // look for matches only near the hit
		from = max(near-vicinity, 0)
		for from > 0 && raw[from]&0xc0 == 0x80 {
			from--
		}
		raw = raw[from:min(near+vicinity, len(raw))]
	}
	spans := s.spansOf(b.hit, raw, base+int64(b.start+from))
	return clip(raw[:min(len(raw), end-from)], b.number, spans, near-from, from > 0)
}

// spansOf returns the matches in a part of a line, which starts at offset base in the
// text.
func (s *searcher) spansOf(h *hit, raw []byte, base int64) []span {
	if h.spans == nil {
		return s.matches(raw, mostSubmatches)
	}
	var spans []span
	for _, m := range h.spans {
		if start, end := max(m.start-base, 0), min(m.end-base, int64(len(raw))); start <= end {
			spans = append(spans, span{int(start), int(end)})
		}
	}
	return spans
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
