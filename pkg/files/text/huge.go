package text

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/transform"
)

const (
	// WholeBytes is the largest file, in bytes, that is read from its beginning to its
	// end. Of a larger one, only what is shown and what it takes to find that is read.
	WholeBytes = 256 << 20
	// glanceBytes is the size of the parts of such a file that determine its encoding,
	// and of the reads near the lines that are shown.
	glanceBytes = 64 << 10
	// scanBlocks is the number of steps read at once to count lines.
	scanBlocks = 16
)

// huge is a file of more than WholeBytes. Its lines are found by counting from the
// nearer end, before they are decoded.
type huge struct {
	ctx     context.Context
	r       io.ReaderAt
	size    int64
	step    int // bytes to read at once near the lines shown
	bom     int64
	head    []byte
	end     byte   // the byte that ends a line
	sep     []byte // the same in the encoding of the file
	charset charset
	found   map[int]int64 // where lines begin
}

// glance reads a page of such a file, step bytes at once. Without a page, its encoding
// must be read from the beginning.
func glance(ctx context.Context, r io.ReaderAt, size int64, q Request, spans []span, step int) (*Page, error) {
	head, err := readAt(r, 0, min(size, glanceBytes))
	if err != nil {
		return nil, err
	}
	o, err := begin(head[:min(len(head), HeadBytes)], q.Encoding)
	if err != nil {
		return nil, err
	}
	h := &huge{ctx: ctx, r: r, size: size, step: step, bom: int64(o.bom), head: head[o.bom:], charset: o.charset}
	if !h.separates() || q.Encoding == "" && shifts(head) {
		return nil, nil
	}
	h.found = map[int]int64{1: h.bom}
	for i, s := range spans {
		if spans[i], err = h.resolve(s); err != nil {
			return nil, err
		}
	}
	if err := h.settle(o.settled); err != nil {
		return nil, err
	}
	page := &Page{Partial: true, Encoding: h.charset.name, BOM: o.bom > 0, Bytes: size, Profile: Describe(h.decoded(h.head))}
	page.TotalLines = unknownLines
	if page.FinalNewline, err = h.endsLine(); err != nil {
		return nil, err
	}
	lines, bytes := q.limits()
	return page, page.take(&pager{src: h, lines: lines, max: bytes, open: true}, spans)
}

// separates sets the end of a line, by the beginning of the file, if lines of the
// encoding can be found without decoding all before them.
func (h *huge) separates() bool {
	h.end = Describe(h.decoded(h.head)).separator()
	switch h.charset.name {
	case UTF16LE:
		h.sep = []byte{h.end, 0}
	case UTF16BE:
		h.sep = []byte{0, h.end}
	case UTF32LE:
		h.sep = []byte{h.end, 0, 0, 0}
	case UTF32BE:
		h.sep = []byte{0, 0, 0, h.end}
	default:
		h.sep = []byte{h.end}
		return h.charset.lines
	}
	return true
}

// resolve finds where a span begins. One from the end keeps its negative numbers, unless
// that reaches the beginning: then all lines are known.
func (h *huge) resolve(s span) (span, error) {
	if s.from > 0 {
		if s.to == 0 {
			s.to = math.MaxInt
		}
		return s, h.seek(s.from)
	}
	wanted := -s.from
	at, lines, err := h.tail(wanted)
	if err != nil {
		return s, err
	}
	first, last := -lines, -1
	if at == h.bom {
		first, last = 1, lines
	}
	h.found[first] = at
	s.from, s.to = first, last
	if s.chars {
		s.to = first
	}
	return s, nil
}

// seek finds the beginning of a line, counting from the last one before it that was
// found.
func (h *huge) seek(line int) error {
	at, n := h.bom, 1
	for known, off := range h.found {
		if known > n && known <= line {
			at, n = off, known
		}
	}
	for n < line {
		b, err := h.block(at, scanBlocks*h.step)
		if err != nil {
			return err
		}
		ends := h.count(b)
		if n+ends < line {
			n += ends
			at += int64(len(b))
			if at < h.size && len(b) > 0 {
				continue
			}
			ended, err := h.endsLine()
			if err != nil {
				return err
			}
			if ended {
				n--
			}
			return beyondLines(line, n)
		}
		at += int64(h.nth(b, line-n))
		n = line
	}
	if at >= h.size {
		return beyondLines(line, n-1)
	}
	h.found[line] = at
	return nil
}

// tail finds the beginning of the last lines, and how many those are: fewer than wanted
// if the file has no more.
func (h *huge) tail(wanted int) (at int64, lines int, err error) {
	unit := int64(len(h.sep))
	end := h.size - (h.size-h.bom)%unit
	ended, err := h.endsLine()
	if err != nil {
		return 0, 0, err
	}
	if ended {
		end -= unit
	}
	step := int64(h.step)
	for end > h.bom {
		from := max(h.bom, end-step)
		b, err := h.block(from, int(end-from))
		if err != nil {
			return 0, 0, err
		}
		if int64(len(b)) < end-from {
			return 0, 0, changedFault()
		}
		ends := h.count(b)
		if lines+ends >= wanted {
			return from + int64(h.nth(b, ends-(wanted-lines)+1)), wanted, nil
		}
		lines += ends
		end = from
		step = int64(scanBlocks * h.step) // there are few ends of lines, or many are wanted
	}
	return h.bom, lines + 1, nil
}

// block reads bytes, which begin where a character may begin.
func (h *huge) block(at int64, size int) ([]byte, error) {
	if err := h.ctx.Err(); err != nil {
		return nil, err
	}
	return readAt(h.r, at, min(h.size-at, int64(size)))
}

// endsLine reports whether the file ends with the end of a line.
func (h *huge) endsLine() (bool, error) {
	unit := int64(len(h.sep))
	last, err := readAt(h.r, h.size-unit, unit)
	return bytes.Equal(last, h.sep) && (h.size-h.bom)%unit == 0, err
}

// count returns how many lines end in b.
func (h *huge) count(b []byte) int {
	if len(h.sep) == 1 {
		return bytes.Count(b, h.sep)
	}
	n := 0
	for i := 0; i+len(h.sep) <= len(b); i += len(h.sep) {
		if bytes.Equal(b[i:i+len(h.sep)], h.sep) {
			n++
		}
	}
	return n
}

// nth returns the offset in b behind the n-th end of a line, from 1. It has as many.
func (h *huge) nth(b []byte, n int) int {
	unit := len(h.sep)
	for i := 0; ; i += unit {
		if unit == 1 {
			i += bytes.IndexByte(b[i:], h.sep[0])
		}
		if bytes.Equal(b[i:i+unit], h.sep) {
			if n--; n == 0 {
				return i + unit
			}
		}
	}
}

// settle determines the encoding from the beginning of the file and of the lines that are
// shown; the part between is not read.
func (h *huge) settle(settled bool) error {
	if settled {
		return nil
	}
	samples := [][]byte{h.lines(h.head)}
	for _, at := range h.found {
		if at < glanceBytes {
			continue
		}
		b, err := h.block(at, glanceBytes)
		if err != nil {
			return err
		}
		samples = append(samples, h.lines(b))
	}
	if h.charset.name != UTF8 { // it only looks like UTF-16 or UTF-32
		if !h.fits(samples) {
			return binaryFault()
		}
		return nil
	}
	var c census
	for _, b := range samples {
		c.count(b)
	}
	switch {
	case c.invalid == 0 || c.mostlyUTF8():
		return nil
	case likeBinary(h.head[:min(len(h.head), HeadBytes)]):
		return binaryFault()
	}
	foreigners := slices.MaxFunc(samples, func(a, b []byte) int { return (len(a) - foreign(a)) - (len(b) - foreign(b)) })
	for _, cs := range guesses(h.head, foreigners[foreign(foreigners):]) {
		if h.charset = cs; h.fits(samples) {
			return nil
		}
	}
	h.charset = rawCharset()
	return nil
}

// lines returns the complete lines at the beginning of b, so that no character is torn;
// without any, whole units.
func (h *huge) lines(b []byte) []byte {
	if n := h.count(b); n > 0 {
		return b[:h.nth(b, n)]
	}
	if len(h.sep) == 1 {
		return b[:len(b)-torn(b)]
	}
	return b[:len(b)-len(b)%len(h.sep)]
}

// fits reports whether all samples can be decoded, except for a character that the end of
// one cuts in two.
func (h *huge) fits(samples [][]byte) bool {
	return !slices.ContainsFunc(samples, func(b []byte) bool {
		return strings.Contains(strings.TrimSuffix(h.decoded(b), "\uFFFD"), "\uFFFD")
	})
}

func (h *huge) decoded(b []byte) string {
	s, err := h.charset.enc.NewDecoder().Bytes(b)
	if err != nil { // a decoder replaces what it cannot read
		return "\uFFFD"
	}
	return string(s)
}

// at implements lineSource for the lines that were found.
func (h *huge) at(cur *cursor, line int) (*cursor, error) {
	if cur.before(line) && cur.line == line {
		return cur, nil
	}
	at, ok := h.found[line]
	if !ok {
		return nil, errors.New("a line that was not looked for")
	}
	rest := transform.NewReader(io.NewSectionReader(contextReader{h.ctx, h.r}, at, h.size-at), h.charset.enc.NewDecoder())
	return newCursor(rest, h.end, line, h.step), nil
}

// contextReader reads until a context ends.
type contextReader struct {
	ctx context.Context
	io.ReaderAt
}

func (c contextReader) ReadAt(p []byte, off int64) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.ReaderAt.ReadAt(p, off)
}
