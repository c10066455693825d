package tokens

import (
	"errors"
	"strings"
	"testing"
)

// The numbers behind are those of o200k_base, cl100k_base and the published one of
// Anthropic.
func TestEstimate(t *testing.T) {
	for in, want := range map[string]int{
		"":            0,
		"hello":       1,
		"hello world": 2,
		"The quick brown fox jumps over the lazy dog.":              10, // 10 10 10
		"func (h *Host) newHTTPServer(ctx context.Context) error {": 17, // 15 15 16
		"\t\treturn nil\n": 4,
		"1234567890":       5,
		"==============":   3,
		"世界":               3,
		"Привет":           4,
		"dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVy": 25, // 23 24 25
		"\x00\xff": 3,
	} {
		if got := Estimate(in); got != want {
			t.Errorf("%q has %d tokens, want %d", in, got, want)
		}
	}
}

// The number behind is that of o200k_base.
func TestEstimateDefinitions(t *testing.T) {
	for in, want := range map[string]int{
		`{"type":"object","properties":{},"required":[],"additionalProperties":false}`:   16, // 17
		`"path":{"type":"string","description":"Directory to list.","default":"."}`:      17, // 16
		`"limit":{"type":"integer","description":"最多返回的行数。","minimum":1,"maximum":1000}`: 26, // 25
	} {
		if got := EstimateDefinitions(in); got != want {
			t.Errorf("%s has %d tokens, want %d", in, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	text := strings.Repeat("some words of a text 世界 12345\n", 400)
	for _, most := range []int{1, 2, 10, 100, 1000, 5000} {
		tries, size := 0, 0
		err := Fit(1<<20, most, func(n int) (string, error) {
			tries, size = tries+1, min(n, len(text))
			return text[:size], nil
		})
		if n := Estimate(text[:size]); err != nil || n > most || n < most*9/10 && size < len(text) {
			t.Errorf("%d tokens: %d in %d bytes, %v", most, n, size, err)
		}
		if tries > 12 {
			t.Errorf("%d tokens: %d tries", most, tries)
		}
	}
	sizes := []int{}
	if err := Fit(100, 0, func(n int) (string, error) { sizes = append(sizes, n); return text, nil }); err != nil || len(sizes) != 1 || sizes[0] != 100 {
		t.Errorf("without a limit: %v, %v", sizes, err)
	}
	// A text that does not get shorter ends, too.
	if err := Fit(1000, 5, func(n int) (string, error) { sizes = append(sizes, n); return text, nil }); err != nil || sizes[len(sizes)-1] != 1 {
		t.Errorf("%v, %v", sizes, err)
	}
	failed := errors.New("failed")
	if err := Fit(1000, 5, func(int) (string, error) { return text, failed }); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}

func FuzzEstimate(f *testing.F) {
	f.Add("func main() { println(1) }", "世界")
	f.Fuzz(func(t *testing.T, a, b string) {
		n := Estimate(a)
		if n < 0 || n > 2*len(a)+1 {
			t.Errorf("%q has %d tokens", a, n)
		}
		if sum := Estimate(a + "\n" + b); sum > n+Estimate(b)+1 {
			t.Errorf("%q and %q have %d tokens together", a, b, sum)
		}
	})
}
