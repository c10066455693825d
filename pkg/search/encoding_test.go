package search

import (
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func FuzzTranscode(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00\x3d\xd8\x00\xde"), "text \U0001f600")
	f.Add([]byte("\xff\xfe\x00\x00a\x00\x00\x00\xff"), "")
	f.Add([]byte("\xfe\xff\x00"), "é")
	f.Add([]byte("\x00\x00\xfe\xff\x00\x11\x00\x00"), "")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if wide(data) {
			if out := transcode(data); !utf8.Valid(out) {
				t.Fatalf("%q becomes %q", data, out)
			}
		}
		if !utf8.ValidString(text) || len(text) > 0 && text[0] == 0 {
			return // "\xff\xfe\x00\x00" starts UTF-32
		}
		little, big := []byte{0xff, 0xfe}, []byte{0xfe, 0xff}
		for _, u := range utf16.Encode([]rune(text)) {
			little = append(little, byte(u), byte(u>>8))
			big = append(big, byte(u>>8), byte(u))
		}
		if got := string(transcode(little)); got != text {
			t.Fatalf("%q came back as %q", text, got)
		}
		if got := string(transcode(big)); got != text {
			t.Fatalf("%q came back as %q", text, got)
		}
	})
}
