package edit

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// Texts that would take forever with a naive search, or with a result for every
// place. The test sets no time limit: quadratic work exceeds that of go test.
func TestHostileTexts(t *testing.T) {
	size, places := 4<<20, 200_000
	if raceDetector {
		size, places = size/16, places/10
	}
	half := strings.Repeat("a", size/2)
	before := strings.Repeat("x\n", size/4)
	tests := []struct {
		name string
		src  string
		edit Edit
		o    Options
		want fault.Code // "" when it must land
	}{
		{"one long line, many places", strings.Repeat("ab  ", places), Edit{Old: "b", New: "c\nd", ReplaceAll: true}, Options{}, ""},
		{"one long line of CRLF, many places", strings.Repeat("ab  ", places) + "\r\n", Edit{Old: "b", New: "c\nd", ReplaceAll: true}, Options{}, ""},
		{"more places than may be", strings.Repeat("a", 1_000_000+1), Edit{Old: "a", New: "b", ReplaceAll: true}, Options{}, fault.TooLarge},
		{"text that repeats itself", half + "b", Edit{Old: half[:size/4] + "c", New: "x"}, Options{}, fault.TextNotFound},
		{"lines that repeat themselves", strings.Repeat("x {\n", size/4), Edit{Old: strings.Repeat("  x {\n", 5000) + "y\n", New: "z"}, Options{}, fault.TextNotFound},
		{"lines that are alike too often", strings.Repeat("\txx yyyy {\n", 10_000*2), Edit{Old: "  xx yyyy {\n", New: "z"}, Options{}, fault.TooLarge},
		{"empty lines", strings.Repeat("\n", size), Edit{Old: "\n\n x", New: "z"}, Options{}, fault.TextNotFound},
		{"quotes", strings.Repeat("“a”", size/8), Edit{Old: `"a" "`, New: "z"}, Options{}, fault.TextNotFound},
		{"combining characters", "e" + strings.Repeat("\u0301", size/8), Edit{Old: "é é", New: "z"}, Options{}, fault.TextNotFound},
		{"many changed lines", strings.Repeat("y\n", 1_000_000+1), Edit{Old: "y", New: "z", ReplaceAll: true}, Options{Shown: []shown.Version{{Text: before}}}, fault.TooLarge},
		{"many lines changed since", strings.Repeat("y1\nx2\n", 100_000), Edit{Old: "y", New: "z", ReplaceAll: true}, Options{Shown: []shown.Version{{Text: before}}}, ""},
		{"similar everywhere", strings.Repeat("value = compute(alpha, beta)\n", size/32), Edit{Old: "value = compute(alpha, betas)\nx\n", New: "z"}, Options{}, fault.TextNotFound},
		{"long old text", strings.Repeat("value = 1\n", 1000), Edit{Old: strings.Repeat("value = 2\n", 20_000), New: "z"}, Options{}, fault.TextNotFound},
		{"numbered lines beyond any integer", "x\n", Edit{Old: strings.Repeat("9", 100) + "|x", New: "z"}, Options{}, fault.TextNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Apply(tt.src, []Edit{tt.edit}, tt.o)
			switch {
			case tt.want == "" && err != nil, tt.want != "" && !fault.Is(err, tt.want):
				t.Fatalf("got %v, want %q", err, tt.want)
			case err != nil && r.Text != tt.src:
				t.Error("the text changed")
			case err == nil && len(r.Edits) != 200:
				t.Errorf("%d places are listed", len(r.Edits))
			}
		})
	}
}
