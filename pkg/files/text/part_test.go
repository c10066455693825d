package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// TestPart decodes texts in parts of every size, which cut characters.
func TestPart(t *testing.T) {
	const german, chinese = "Die größte Straße führt über Köln nach Düsseldorf, früher als üblich.\n", "各位旅客请注意，由北京开往上海的列车马上就要到站了，请做好上车准备。\n"
	gbk, err := simplifiedchinese.GBK.NewEncoder().String(chinese)
	if err != nil {
		t.Fatal(err)
	}
	latin := make([]byte, 0, len(german))
	for _, r := range german {
		latin = append(latin, byte(r))
	}
	for want, raw := range map[string]string{strings.Repeat(german, 5): strings.Repeat(string(latin), 5), strings.Repeat(chinese, 5): strings.Repeat(gbk, 5)} {
		d, err := Decode([]byte(raw), "")
		if err != nil {
			t.Fatal(err)
		}
		part, ok := d.Part()
		if !ok {
			t.Fatalf("%s has no parts", d.Encoding)
		}
		for size := 2; size < 40; size++ {
			var got strings.Builder
			for at := 0; at < len(raw); {
				end := min(at+size, len(raw))
				text, used := part([]byte(raw[at:end]), end == len(raw))
				got.Write(text)
				at += used
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Fatalf("%s in parts of %d bytes:\n%s", d.Encoding, size, diff)
			}
		}
	}
	// A part of ISO-2022-JP is some lines.
	const japaneseText = "ご案内いたします。\nplain\nまもなく到着します。\n"
	jp, err := japanese.ISO2022JP.NewEncoder().String(japaneseText)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Decode([]byte(jp), "")
	if err != nil {
		t.Fatal(err)
	}
	part, ok := d.Part()
	if !ok || d.Encoding != ISO2022JP {
		t.Fatalf("%s has no parts", d.Encoding)
	}
	for size := 40; size < len(jp); size++ {
		first, used := part([]byte(jp[:size]), false)
		rest, all := part([]byte(jp[used:]), true)
		if got := string(first) + string(rest); got != japaneseText || used+all != len(jp) {
			t.Fatalf("cut at %d of %d: %q", size, len(jp), got)
		}
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(german)
	if err != nil {
		t.Fatal(err)
	}
	if d, err = Decode([]byte(wide), ""); err != nil {
		t.Fatal(err)
	}
	if _, ok := d.Part(); ok {
		t.Errorf("a part of %s was decoded without those before", d.Encoding)
	}
}
