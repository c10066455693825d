package text

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// cursor walks through a decoded text piece by piece. A piece is within one line,
// however long that is, and does not end within a character or "\r\n".
type cursor struct {
	r    io.Reader
	sep  byte // what ends a line, "\n" or "\r"
	line int  // the number of the line the next piece is in

	buf   []byte
	lo    int
	hi    int
	begun bool // the line has returned a piece
	eof   bool
}

// newCursor returns a cursor at the beginning of line. Its buffer takes size bytes.
func newCursor(r io.Reader, sep byte, line, size int) *cursor {
	return &cursor{r: r, sep: sep, line: line, buf: make([]byte, size+utf8.UTFMax)}
}

// piece returns the next part of the current line and, if the line ends with it, its
// ending. Both are valid until the next call. After the last line it returns
// io.EOF.
func (c *cursor) piece() (text, eol []byte, ended bool, err error) {
	for {
		b := c.buf[c.lo:c.hi]
		if i := bytes.IndexByte(b, c.sep); i >= 0 {
			body := i
			if c.sep == '\n' && i > 0 && b[i-1] == '\r' {
				body--
			}
			c.lo += i + 1
			c.line++
			c.begun = false
			return b[:body], b[body : i+1], true, nil
		}
		if c.eof {
			if len(b) == 0 && !c.begun {
				return nil, nil, false, io.EOF
			}
			c.lo, c.begun = c.hi, false
			c.line++
			return b, nil, true, nil
		}
		if n := len(b) - torn(b); n > 0 {
			c.lo += n
			c.begun = true
			return b[:n], nil, false, nil
		}
		if err := c.fill(); err != nil {
			return nil, nil, false, err
		}
	}
}

func (c *cursor) fill() error {
	c.hi = copy(c.buf, c.buf[c.lo:c.hi])
	c.lo = 0
	n, err := c.r.Read(c.buf[c.hi:])
	c.hi += n
	if err == io.EOF {
		c.eof = true
		return nil
	}
	return err
}

// ended reports whether no line follows.
func (c *cursor) ended() (bool, error) {
	for c.lo == c.hi && !c.eof {
		if err := c.fill(); err != nil {
			return false, err
		}
	}
	return c.lo == c.hi, nil
}

// before reports whether the cursor can move forward to the beginning of a line.
func (c *cursor) before(line int) bool {
	return c != nil && (c.line < line || c.line == line && !c.begun)
}

// skip moves forward to the beginning of a line.
func (c *cursor) skip(line int) error {
	for c.line < line {
		if _, _, _, err := c.piece(); err != nil {
			return err
		}
	}
	return nil
}

// torn returns how many bytes at the end of b, at most 3, may belong to what follows:
// a "\r" or the beginning of a character.
func torn(b []byte) int {
	if len(b) > 0 && b[len(b)-1] == '\r' {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if utf8.RuneStart(b[len(b)-n]) {
			if utf8.FullRune(b[len(b)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
