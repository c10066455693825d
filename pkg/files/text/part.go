package text

import (
	"errors"

	"golang.org/x/text/transform"
)

// Part returns a function that decodes further texts in the encoding of the document,
// part by part; ok is false if a part of such a text depends on the ones before. The
// function takes as much of raw as it can decode: all but an incomplete character at the
// end, or all if the text ends there. It returns U+FFFD for what cannot be decoded.
func (d *Document) Part() (part func(raw []byte, last bool) (text []byte, used int), ok bool) {
	if !d.charset.lines {
		return nil, false
	}
	return func(raw []byte, last bool) ([]byte, int) {
		decoder := d.charset.enc.NewDecoder()
		dst := make([]byte, len(raw)+len(raw)/2+64)
		n, used := 0, 0
		for {
			wrote, read, err := decoder.Transform(dst[n:], raw[used:], last)
			n, used = n+wrote, used+read
			if !errors.Is(err, transform.ErrShortDst) {
				return dst[:n], used
			}
			dst = append(dst, make([]byte, len(dst))...)
		}
	}, true
}
