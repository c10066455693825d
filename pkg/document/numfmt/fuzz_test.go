package numfmt

import (
	"math"
	"testing"
	"unicode/utf8"
)

// FuzzFormat: any code shows any value, in text that is bounded by the code's length and is valid
// where the code is.
func FuzzFormat(f *testing.F) {
	for id := range 82 {
		f.Add(Builtin(id, "ja"), 45352.5)
	}
	f.Add(`[Red][<100]0.0;[$€-407]# ?/?;[h]:mm:ss.00;"`, -1e300)
	f.Add("# ??/99999999999", 0.5)
	f.Add("[$-F800]\\", math.Inf(1))
	f.Fuzz(func(t *testing.T, code string, value float64) {
		format := Parse(code)
		for _, o := range []Options{{}, {Date1904: true}} {
			shown := format.Text(value, o)
			auto := string(format.AppendAuto(nil, value, o))
			text := format.TextOf("text")
			if most := 1200 + 60*len(code); len(shown) > most || len(auto) > most || len(text) > most {
				t.Fatalf("%q shows %d bytes", code, len(shown))
			}
			if utf8.ValidString(code) && !(utf8.ValidString(shown) && utf8.ValidString(auto) && utf8.ValidString(text)) {
				t.Fatalf("%q shows %q, %q, %q", code, shown, auto, text)
			}
		}
	})
}
