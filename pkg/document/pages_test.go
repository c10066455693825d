package document

import (
	"fmt"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestParsePages(t *testing.T) {
	for wanted, want := range map[string]string{
		"": "[1 2 3 4 5 6 7 8 9]", "3": "[3]", "1-2, 9": "[1 2 9]", "8-": "[8 9]", "-2": "[8 9]", "-20": "[1 2 3 4 5 6 7 8 9]", "7-1000000": "[7 8 9]", "2–3": "[2 3]", "9,1": "[9 1]",
		"10": "out_of_range", "1,12-": "out_of_range", "0": "invalid_arguments", "x": "invalid_arguments", "3-2": "invalid_arguments", "-": "invalid_arguments", "1-2-3": "invalid_arguments", "1,,2": "invalid_arguments",
	} {
		pages, err := ParsePages(wanted, 9)
		var got []int
		for n := range pages.All {
			got = append(got, n)
			if !pages.Has(n) {
				t.Errorf("%q has no %d", wanted, n)
			}
		}
		text := fmt.Sprint(got)
		if pages.Len() != len(got) {
			t.Errorf("%q has %d pages, not %d", wanted, len(got), pages.Len())
		}
		if err != nil {
			text = string(fault.As(err).Code)
		}
		if text != want {
			t.Errorf("%q: %s, want %s", wanted, text, want)
		}
	}
}

func TestPagesFrom(t *testing.T) {
	pages := Pages{{1, 5}, {9, 9}, {3, 4}}
	for n, want := range map[int]string{0: "1-5,9,3-4", 3: "4-5,9,3-4", 4: "5,9,3-4", 5: "9,3-4", 6: "3-4", 7: "4", 8: ""} {
		if got := pages.From(n); got != want {
			t.Errorf("from %d on: %q, want %q", n, got, want)
		}
	}
}
