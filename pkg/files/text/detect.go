package text

import (
	"slices"

	legacy "github.com/helve-dev/helve/pkg/files/charset"
)

const (
	// detectGuesses is how many encodings are worth trying.
	detectGuesses = 3
	// sampleBytes is how much of a file the detection of its encoding looks at.
	sampleBytes = 256 << 10
)

// guesses are the encodings a text that is not UTF-8 may be in, the likeliest
// first: what it declares itself in head, its beginning, then those in which
// sample, a part where it is more than ASCII, reads best. None is more than a
// guess before all bytes have been decoded with it.
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
		add("gb18030") // what "gb2312" declares is often more than that
	}
	sample = sample[:min(len(sample), sampleBytes)]
	c1 := slices.ContainsFunc(sample, func(c byte) bool { return c >= 0x80 && c < 0xA0 })
	for _, name := range legacy.GuessDOS(sample) {
		// Of two that read the same the one that promises less comes first.
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
