package text

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// LineChars limits the characters shown of a long line on a page that does not fit otherwise.
const LineChars = 2000

// lineSource is a decoded text that can be read from any line on.
type lineSource interface {
	// at returns a cursor at the beginning of a line. It moves cur forward, or returns
	// another one if cur is nil or beyond the line.
	at(cur *cursor, line int) (*cursor, error)
}

// pager fills a page window by window. At first it takes lines as they are. Once they
// no longer fit, it cuts all long lines, including those it has already.
type pager struct {
	src       lineSource
	lines     int  // how many more lines may follow
	max       int  // bytes in total
	open      bool // a range may go beyond the end of the text
	used      int
	cutting   bool
	windows   []Window
	cur       *cursor
	truncated string
	next      span // the rest of the current window
}

// fill reads the spans, which are fitted to the text, and returns what is left.
func (p *pager) fill(spans []span) (rest []span, err error) {
	for i, s := range spans {
		p.windows = append(p.windows, Window{})
		if s.chars {
			err = p.chars(s)
		} else {
			err = p.span(s)
		}
		if err != nil {
			return nil, err
		}
		if p.truncated != "" {
			if w := p.windows[i]; len(w.lines) == 0 && i > 0 {
				p.windows = p.windows[:i]
			}
			return append([]span{p.next}, spans[i+1:]...), nil
		}
	}
	return nil, nil
}

// seek moves the cursor to the beginning of a line.
func (p *pager) seek(line int) (err error) {
	p.cur, err = p.src.at(p.cur, line)
	return err
}

// span reads a range of lines.
func (p *pager) span(s span) error {
	if s.from > s.to {
		return nil // an empty text
	}
	if err := p.seek(s.from); err != nil {
		return err
	}
	for n := s.from; n <= s.to; n++ {
		by := ""
		if p.lines == 0 {
			if ended, err := p.ended(); ended || err != nil {
				return err
			}
			by = "lines"
		} else {
			l, whole, err := p.line()
			if errors.Is(err, io.EOF) && p.open {
				return nil
			}
			if err != nil {
				return unexpected(err)
			}
			if !p.add(l, whole) {
				by = "bytes"
			}
		}
		if by != "" {
			p.truncated, p.next = by, span{from: n, to: s.to}
			return nil
		}
		p.lines--
	}
	return nil
}

// ended reports whether an open range has come to the end of the text.
func (p *pager) ended() (bool, error) {
	if !p.open {
		return false, nil
	}
	return p.cur.ended()
}

// line reads a line, or as much of it as could be shown.
func (p *pager) line() (l shown, whole bool, err error) {
	keep := (LineChars + clusterBack + 1) * utf8.UTFMax
	if !p.cutting {
		keep = max(keep, p.max-p.used)
	}
	l.number = p.cur.line
	var body []byte
	whole = true
	for {
		text, eol, ended, err := p.cur.piece()
		if err != nil {
			return l, false, err
		}
		l.chars += utf8.RuneCount(text)
		if whole {
			part := text[:min(len(text), keep-len(body))]
			if whole = len(part) == len(text); !whole {
				part = part[:len(part)-torn(part)]
			}
			body = append(body, part...)
		}
		if ended {
			l.body, l.eol = string(body), string(eol)
			return l, whole, nil
		}
	}
}

// add puts a line on the page. whole says that it was read to its end. It returns
// false if there is no room.
func (p *pager) add(l shown, whole bool) bool {
	if !p.cutting && (!whole || p.used+l.size() > p.max) {
		p.cut()
	}
	if p.cutting {
		l.shorten(LineChars)
		if p.used+l.size() > p.max {
			if !p.empty() {
				return false
			}
			l.squeeze(p.max)
		}
	}
	w := &p.windows[len(p.windows)-1]
	if len(w.lines) == 0 {
		w.Start = l.number
	}
	w.End = l.number
	w.lines = append(w.lines, l)
	p.used += l.size()
	return true
}

func (p *pager) empty() bool { return p.used == 0 }

// cut cuts the long lines on the page and those that follow.
func (p *pager) cut() {
	p.cutting = true
	p.used = 0
	for _, w := range p.windows {
		for i := range w.lines {
			if w.FirstChar == 0 {
				w.lines[i].shorten(LineChars)
			}
			p.used += w.lines[i].size()
		}
	}
}

// shorten cuts a line of more than n characters.
func (l *shown) shorten(n int) {
	if l.chars <= n {
		return
	}
	size, chars := prefix(l.body, n)
	l.cutAt(size, chars)
}

// squeeze cuts a line to fit into so many bytes.
func (l *shown) squeeze(bytes int) {
	if l.size() <= bytes {
		return
	}
	size, chars := prefixBytes(l.body, bytes-len(moreChars(l.chars))-len(l.eol))
	if chars < l.chars {
		l.cutAt(size, chars)
	}
}

func (l *shown) cutAt(size, chars int) {
	l.body, l.cut = l.body[:size], chars
	l.mark = moreChars(l.chars - chars)
}

// chars reads characters of one line.
func (p *pager) chars(s span) error {
	if err := p.seek(s.from); err != nil {
		return err
	}
	at := 1 // the number of the character that the next piece begins with
	var body strings.Builder
	for ended := false; !ended && (s.lastChar == 0 || at <= s.lastChar) && body.Len() <= p.max; {
		var text []byte
		var err error
		if text, _, ended, err = p.cur.piece(); err != nil {
			return unexpected(err)
		}
		n := utf8.RuneCount(text)
		if at+n > s.firstChar {
			if s.lastChar > 0 {
				text = text[:runeOffset(text, s.lastChar+1-at)]
			}
			body.Write(text[runeOffset(text, s.firstChar-at):])
		}
		at += n
	}
	if body.Len() == 0 {
		return p.noChars(s, at-1)
	}
	if p.lines == 0 {
		p.truncated, p.next = "lines", s
		return nil
	}
	if !p.cutting && p.used+body.Len() > p.max {
		p.cut()
	}
	l := shown{number: s.from, body: body.String()}
	if p.used+len(l.body) > p.max {
		if p.used == p.max {
			p.truncated, p.next = "bytes", s
			return nil
		}
		size, n := prefixBytes(l.body, p.max-p.used)
		if p.used+size > p.max && !p.empty() {
			p.truncated, p.next = "bytes", s
			return nil
		}
		if size < len(l.body) {
			l.body = l.body[:size]
			p.truncated, p.next = "bytes", s
			p.next.firstChar += n
		}
	}
	l.chars = utf8.RuneCountInString(l.body)
	p.used += len(l.body)
	p.lines--
	p.windows[len(p.windows)-1] = Window{
		Start: s.from, End: s.from, FirstChar: s.firstChar, LastChar: s.firstChar + l.chars - 1, lines: []shown{l},
	}
	return nil
}

// noChars handles a range without characters: an empty window for an empty line,
// otherwise a fault.
func (p *pager) noChars(s span, chars int) error {
	if chars == 0 && s.firstChar == 1 {
		p.windows[len(p.windows)-1] = Window{Start: s.from, End: s.from, lines: []shown{{number: s.from}}}
		return nil
	}
	return beyondChars(s.from, chars, s.firstChar)
}

// runeOffset returns the offset of character n of b, counted from 0, within bounds.
func runeOffset(b []byte, n int) int {
	if n <= 0 {
		return 0
	}
	if n >= len(b) {
		return len(b)
	}
	at := 0
	for ; n > 0 && at < len(b); n-- {
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return at
}

// unexpected returns the error of a text that ends earlier than before.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return changedFault()
	}
	return err
}
