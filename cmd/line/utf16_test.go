package line

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/unicode"
)

func TestUTF8(t *testing.T) {
	t.Parallel()
	const text = "{\"path\":\"é世😀.txt\"}\r\n[]\n"
	for name, form := range map[string]func(string) (string, error){
		"utf-8":                  func(s string) (string, error) { return s, nil },
		"little endian":          unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String,
		"little endian, a mark":  unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String,
		"big endian":             unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String,
		"big endian, and a mark": unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String,
	} {
		raw, err := form(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []io.Reader{strings.NewReader(raw), iotest.OneByteReader(strings.NewReader(raw))} {
			if got, err := io.ReadAll(UTF8(in)); err != nil || string(got) != text {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
	for _, short := range []string{"", "{", "{}"} {
		if got, err := io.ReadAll(UTF8(strings.NewReader(short))); err != nil || string(got) != short {
			t.Errorf("%q: %q, %v", short, got, err)
		}
	}
}

// A line is there as soon as it has come, although the stream goes on.
func TestUTF8InTime(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	go func() {
		raw, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("{}\n")
		if err == nil {
			_, err = io.WriteString(out, raw)
		}
		if err != nil {
			_ = out.CloseWithError(err)
		}
	}()
	got := make([]byte, 3)
	if n, err := io.ReadAtLeast(UTF8(in), got, 3); err != nil || string(got) != "{}\n" {
		t.Errorf("%d, %q, %v", n, got, err)
	}
	_ = in.Close()
}
