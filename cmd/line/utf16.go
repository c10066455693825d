package line

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
)

// UTF8 returns a stream of JSON as UTF-8 while it comes. PowerShell writes UTF-16 to a pipe,
// with a mark or without; the first character of JSON is ASCII, which tells them apart.
func UTF8(in io.Reader) io.Reader { return &decoded{in: in} }

// decoded finds the encoding of a stream at the first read, which may have to wait.
type decoded struct {
	in, out io.Reader
}

func (d *decoded) Read(p []byte) (int, error) {
	if d.out == nil {
		buffered := bufio.NewReader(d.in)
		d.out = buffered
		head, err := buffered.Peek(2)
		switch {
		case err != nil: // a single byte, or none
		case head[0] == 0xff && head[1] == 0xfe, head[0] != 0 && head[1] == 0:
			d.out = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(buffered)
		case head[0] == 0xfe && head[1] == 0xff, head[0] == 0 && head[1] != 0:
			d.out = unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Reader(buffered)
		}
	}
	return d.out.Read(p)
}
