package program

import "testing"

func TestFirstOf(t *testing.T) {
	for in, want := range map[string]string{"a=b": "a", "=b": "", "ab": "ab", "a+=b": "a", "": ""} {
		if got := firstOf(in, "=+"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
