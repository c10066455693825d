package xmlscan

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/helve-dev/helve/pkg/files/text"
)

// Decoded returns a document in UTF-8. Its encoding follows from a byte order mark,
// otherwise from the declaration, otherwise it is UTF-8.
func Decoded(r io.Reader) (io.Reader, error) {
	const enough = 256 // for a declaration
	b := bufio.NewReaderSize(r, enough)
	head, err := b.Peek(enough)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return b, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err := b.Discard(3)
		return b, err
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("<\x00")):
		return transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), nil
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\x00<")):
		return transform.NewReader(b, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()), nil
	}
	switch name := declaredEncoding(head); name {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "utf-16": // without a mark it is not UTF-16
	default:
		if _, known := text.WHATWG(name); known != nil {
			return transform.NewReader(b, known.NewDecoder()), nil
		}
	}
	return b, nil
}
