package variable

import (
	"strings"
	"testing"
)

// TestNamesIn has the names of variables that an expression may hold.
func TestNamesIn(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "1+2": "", "a": "a", "a1+_b*c2": "a1 _b c2", "9x + x9": "x9", "a[b]": "a b", "0x1f": "", "é+/": "é", "(a)?b:c": "a b c", "10 a 07": "a",
	} {
		if got := strings.Join(namesIn(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestEndsInName(t *testing.T) {
	for in, want := range map[string]bool{"": false, "1": false, "a": true, "a1": true, "_": true, "1a": false, "0a": false, "9a": false, "1+a": true, "a+": false} {
		if got := endsInName(in); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}

// TestFree checks the closed list: each variable is in one row, and each row has a reason.
func TestFree(t *testing.T) {
	seen := set{}
	for _, row := range free {
		if row.decide == "" {
			t.Errorf("%s: no reason", row.names)
		}
		for name := range strings.FieldsSeq(row.names) {
			if seen[name] {
				t.Errorf("%s is listed twice", name)
			}
			seen.add(name)
		}
	}
}
