package text

import (
	"slices"

	legacy "github.com/helve-dev/helve/pkg/files/charset"
)

const (
	// detectGuesses limits the encodings that are tried.
	detectGuesses = 3
	// sampleBytes limits the part of a file from which its encoding is detected.
	sampleBytes = 256 << 10
)

// guesses returns the encodings that a text which is not UTF-8 may have, the
// likeliest first: what it declares in head, its beginning, then those in which
// sample, a part that is more than ASCII, reads best. They are guesses until all
// bytes have been decoded.
func guesses(head, sample []byte) []charset {
	var out []charset
	add := func(name string) {
		cs, known := lookup(name)
		if !known || cs.name == UTF8 || cs.name == Raw8Bit || !cs.lines {
			return
		}
		if !slices.ContainsFunc(out, func(have charset) bool { return have.name == cs.name }) {
			out = append(out, cs)
		}
	}
	add(declared(head))
	if len(out) > 0 && out[0].name == "gbk" {
		add("gb18030") // files that declare "gb2312" often use more
	}
	sample = sample[:min(len(sample), sampleBytes)]
	c1 := slices.ContainsFunc(sample, func(c byte) bool { return c >= 0x80 && c < 0xA0 })
	for _, name := range legacy.GuessDOS(sample) {
		// Of two encodings that read the same, prefer the smaller one.
		switch {
		case c1:
		case name == "windows-1252":
			add("iso-8859-1")
		case name == "windows-1254":
			add("iso-8859-9")
		}
		add(name)
	}
	return out[:min(len(out), detectGuesses)]
}
