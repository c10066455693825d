package collect

import (
	"runtime/debug"
	"testing"
)

func TestUntil(t *testing.T) {
	now := func() int {
		is := debug.SetGCPercent(100)
		debug.SetGCPercent(is)
		return is
	}
	check := func(what string, want int) {
		t.Helper()
		if got := now(); got != want {
			t.Errorf("%s: %d percent, want %d", what, got, want)
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(123))

	first := Until(400)
	check("one walk", 400)
	second := Until(70)
	check("a second one that wants less", 70)
	third := Until(400)
	check("a third one that wants more", 70)
	first()
	check("the first one ended", 70)
	second()
	second()
	check("the second one ended, twice", 400)
	third()
	check("all ended", 123)
}
