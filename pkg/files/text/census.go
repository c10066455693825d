package text

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf8"
)

// census counts the characters of more than one byte in text that should be UTF-8,
// and the invalid bytes.
type census struct {
	multibyte, invalid int
	damage             damage
	shifter            shifter
}

// count takes the next bytes, which must not end within a character.
func (c *census) count(b []byte) {
	c.shifter.add(b)
	if at := foreign(b); utf8.Valid(b[at:]) {
		for _, x := range b[at:] {
			if x >= 0xC0 {
				c.multibyte++
			}
		}
		c.damage.pass(b)
		return
	}
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			c.invalid++
			c.damage.note()
		case size > 1:
			c.multibyte++
		default:
			c.damage.pass(b[:1])
		}
		b = b[size:]
	}
}

// mostlyUTF8 reports whether a text is UTF-8 with stray bytes. Other encodings hardly
// ever produce a valid sequence, so a few sequences outweigh a few strays.
func (c *census) mostlyUTF8() bool { return c.multibyte > 0 && c.multibyte >= 4*c.invalid }

// damagedLines limits the lines with invalid bytes that a document names.
const damagedLines = 20

// damage lists the first lines that have invalid bytes.
type damage struct {
	lines []int
	ended int // line feeds so far
	fit   fit // of what was decoded
}

func (d *damage) pass(b []byte) { d.ended += bytes.Count(b, []byte{'\n'}) }

func (d *damage) note() {
	line := d.ended + 1
	if n := len(d.lines); n < damagedLines && (n == 0 || d.lines[n-1] != line) {
		d.lines = append(d.lines, line)
	}
}

// decoded takes the next part of a text in which U+FFFD stands for invalid bytes.
func (d *damage) decoded(text string) {
	for i := foreign([]byte(text)); i < len(text); i++ {
		if text[i] >= 0xC0 {
			d.fit.kept++
		}
	}
	for {
		before, after, found := strings.Cut(text, "\uFFFD")
		d.ended += strings.Count(before, "\n")
		if !found {
			return
		}
		d.note()
		d.fit.lost++
		d.fit.kept--
		text = after
	}
}

// foreign returns the index of the first byte of b beyond ASCII, or len(b).
func foreign(b []byte) int {
	const high = 0x8080808080808080
	i := 0
	for len(b)-i >= 8 && binary.LittleEndian.Uint64(b[i:])&high == 0 {
		i += 8
	}
	for i < len(b) && b[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// pieces reads r and calls f with pieces of about size bytes that do not end within
// a character of UTF-8.
func pieces(r io.Reader, size int, f func([]byte)) error {
	buf := make([]byte, size+utf8.UTFMax)
	held := 0
	for {
		n, err := r.Read(buf[held:])
		if err != nil && err != io.EOF {
			return err
		}
		b, tail := buf[:held+n], 0
		if err == nil {
			tail = torn(b)
		}
		f(b[:len(b)-tail])
		if err == io.EOF {
			return nil
		}
		held = copy(buf, b[len(b)-tail:])
	}
}
