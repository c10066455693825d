package run

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// spillSize limits the output in a spill, in bytes.
	spillSize = 64 << 20
	// sniffSize bytes at the beginning of the output decide whether it is binary.
	sniffSize = 8 << 10
)

// Output is the beginning and the end of the text that a command printed.
type Output struct {
	// Text is valid UTF-8. If something is left out, a line between the beginning
	// and the end says so.
	Text         string
	Binary       bool // it is not text, and Text says so
	Truncated    bool
	TotalBytes   int64 // bytes printed
	OmittedBytes int64 // bytes of them that are not in Text
	OmittedLines int64 // newlines among those
	Spilled      bool  // the spill has the first 64 MiB
	// Printed are the bytes as they were printed, if nothing is left out; else nil.
	Printed []byte
}

// capture keeps the beginning and the end of a stream of any length, in constant
// memory.
type capture struct {
	head     []byte
	tail     ring
	most     int // size of head
	total    int64
	newlines int64 // in the bytes after head
	spill    *spill
	spilling bool
	sawNUL   bool
	sniffed  int
}

func newCapture(head, tail int, s *spill) *capture {
	return &capture{most: head, tail: ring{buf: make([]byte, 0, min(tail, 4<<10)), most: tail}, spill: s}
}

func (c *capture) write(b []byte) {
	if c.sniffed < sniffSize {
		n := min(len(b), sniffSize-c.sniffed)
		c.sawNUL = c.sawNUL || bytes.IndexByte(b[:n], 0) >= 0
		c.sniffed += n
	}
	if !c.spilling && c.total+int64(len(b)) > int64(c.most+c.tail.most) {
		c.spilling = true
		c.spill.write(c.head)
		c.spill.write(c.tail.bytes())
	}
	if c.spilling {
		c.spill.write(b)
	}
	c.total += int64(len(b))
	n := min(c.most-len(c.head), len(b))
	c.head = append(c.head, b[:n]...)
	rest := b[n:]
	c.newlines += int64(bytes.Count(rest, []byte{'\n'}))
	c.tail.write(rest)
}

// output returns the text. If something is left out, the beginning and the end are
// cut at newlines, where there are any.
func (c *capture) output(raw bool) Output {
	o := Output{TotalBytes: c.total, Spilled: c.spilling && c.spill.used()}
	if c.sawNUL {
		if !c.spilling { // the result has no other copy
			c.spill.write(c.head)
			c.spill.write(c.tail.bytes())
			o.Spilled = c.spill.used()
		}
		o.Binary, o.Truncated, o.OmittedBytes = true, c.total > 0, c.total
		o.Text = fmt.Sprintf("[binary output, %d bytes]\n", c.total)
		return o
	}
	head, tail := c.head, c.tail.bytes()
	if c.total <= int64(len(head)+len(tail)) {
		o.Printed = slices.Concat(head, tail)
		o.Text = clean(bytes.Clone(o.Printed), raw)
		return o
	}
	o.Truncated = true
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i+1 < len(tail) {
		tail = tail[i+1:]
	}
	o.OmittedBytes = c.total - int64(len(head)+len(tail))
	o.OmittedLines = c.newlines - int64(bytes.Count(tail, []byte{'\n'}))
	text := clean(bytes.Clone(head), raw)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	o.Text = text + fmt.Sprintf("[… %d bytes, %d lines left out …]\n", o.OmittedBytes, o.OmittedLines) + clean(bytes.Clone(tail), raw)
	return o
}

// ring keeps the last bytes that are written to it.
type ring struct {
	buf  []byte
	most int
	at   int // index of the oldest byte, once buf is full
}

func (r *ring) write(b []byte) {
	if len(b) >= r.most {
		r.buf = append(r.buf[:0], b[len(b)-r.most:]...)
		r.at = 0
		return
	}
	if room := r.most - len(r.buf); room > 0 {
		n := min(room, len(b))
		r.buf = append(r.buf, b[:n]...)
		b = b[n:]
	}
	for len(b) > 0 {
		n := copy(r.buf[r.at:], b)
		r.at = (r.at + n) % r.most
		b = b[n:]
	}
}

// bytes returns the bytes in their order.
func (r *ring) bytes() []byte {
	if len(r.buf) < r.most || r.at == 0 {
		return r.buf
	}
	return append(bytes.Clone(r.buf[r.at:]), r.buf[:r.at]...)
}

// spill writes the whole output to a file, up to spillSize, once a capture cannot
// keep all of it.
type spill struct {
	make func() (io.WriteCloser, error)
	w    io.WriteCloser
	left int64
	err  error
}

func (s *spill) write(b []byte) {
	if s.make == nil || s.err != nil {
		return
	}
	if s.w == nil {
		if s.w, s.err = s.make(); s.err != nil {
			return
		}
		s.left = spillSize
	}
	n := min(int64(len(b)), s.left)
	s.left -= n
	if n > 0 {
		_, s.err = s.w.Write(b[:n])
	}
}

func (s *spill) used() bool { return s.w != nil && s.err == nil }

func (s *spill) close() error {
	if s.w == nil {
		return nil
	}
	return s.w.Close()
}

// Text returns the output of a command as valid UTF-8, without colours and without
// lines that were written over unless raw.
func Text(b []byte, raw bool) string { return clean(bytes.Clone(b), raw) }

// clean is [Text] that overwrites b.
func clean(b []byte, raw bool) string {
	if !raw {
		b = overwrite(stripANSI(b))
	}
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
