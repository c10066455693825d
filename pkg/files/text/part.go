package text

import (
	"bytes"
	"errors"
	"slices"

	"golang.org/x/text/transform"
)

// Part returns a function that decodes further texts in the encoding of the document,
// part by part; ok is false if a part of such a text depends on the ones before. The
// function takes as much of raw as it can decode: all but an incomplete character at the
// end, or all if the text ends there. It returns U+FFFD for what cannot be decoded.
//
// ISO-2022-JP is back at ASCII at the end of every line (RFC 1468), so its parts end
// there; only a line longer than a part is damaged.
func (d *Document) Part() (part func(raw []byte, last bool) (text []byte, used int), ok bool) {
	lines := d.charset.name == ISO2022JP
	if !d.charset.lines && !lines {
		return nil, false
	}
	return func(raw []byte, last bool) ([]byte, int) {
		if end := bytes.LastIndexByte(raw, '\n') + 1; lines && !last && end > 0 {
			raw = raw[:end]
		}
		decoder := d.charset.enc.NewDecoder()
		dst := make([]byte, len(raw)+len(raw)/2+64)
		n, used := 0, 0
		for {
			wrote, read, err := decoder.Transform(dst[n:], raw[used:], last)
			n, used = n+wrote, used+read
			if !errors.Is(err, transform.ErrShortDst) {
				return dst[:n], used
			}
			dst = slices.Concat(dst, make([]byte, len(dst)))
		}
	}, true
}
