package scope_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

func TestGlobs(t *testing.T) {
	for list, want := range map[string][]string{
		"":                       nil,
		"*.go":                   {"*.go"},
		"*.go *.c":               {"*.go", "*.c"},
		"*.go,*.c":               {"*.go", "*.c"},
		" *.{go,c} , !a/** ":     {"*.{go,c}", "!a/**"},
		`a\ b c\,d`:              {`a\ b`, `c\,d`},
		"[ ,]x y":                {"[ ,]x", "y"},
		"{a,{b,c d}},e":          {"{a,{b,c d}}", "e"},
		"[a,b":                   {"[a", "b"},
		"{a, b":                  {"{a, b"},
		"a}, b":                  {"a}", "b"},
		`\`:                      {`\`},
		"src/**/*.{ts,tsx}":      {"src/**/*.{ts,tsx}"},
		"!**/vendor/**\t*.go,,x": {"!**/vendor/**", "*.go", "x"},
	} {
		if diff := cmp.Diff(want, scope.Globs(list)); diff != "" {
			t.Errorf("%q:\n%s", list, diff)
		}
	}
}

func TestDecode(t *testing.T) {
	const text = "各位旅客请注意，由北京开往上海的列车马上就要到站了，请做好上车准备。\n"
	gbk, err := simplifiedchinese.GBK.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	part, ok := scope.Decode(gbk)
	if !ok || part == nil {
		t.Fatalf("%q was not recognised", gbk)
	}
	if got, used := part(gbk, true); string(got) != text || used != len(gbk) {
		t.Errorf("%q, %d bytes", got, used)
	}
	for in, isUTF8 := range map[string]bool{"plain": true, text: true, strings.Repeat("größe\n", 50) + "caf\xe9 or \x81 not": true, "\x89PNG\r\n\x1a\n\x00\x00": false} {
		if part, ok := scope.Decode([]byte(in)); part != nil || ok != isUTF8 {
			t.Errorf("%q: decoded: %v, recognised: %v", in, part != nil, ok)
		}
	}
}

func FuzzGlobs(f *testing.F) {
	f.Add(`a, b {c,d} [e,] \ f`)
	f.Fuzz(func(t *testing.T, list string) {
		for _, g := range scope.Globs(list) {
			if g == "" {
				t.Errorf("%q has an empty part", list)
			}
		}
	})
}
