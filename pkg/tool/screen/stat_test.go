package screen

import (
	"math"
	"testing"
	"time"
)

// The sizes are those of "ls -lh" of coreutils.
func TestSize(t *testing.T) {
	for in, want := range map[int64]string{
		0: "0", 1023: "1023", 1024: "1.0K", 1025: "1.1K", 1229: "1.3K", 10137: "9.9K", 10138: "10K", 10241: "11K", 1047552: "1023K", 1047553: "1.0M",
		104857599: "100M", 1073741823: "1.0G", 2147483648: "2.0G", math.MaxInt64: "8192P",
	} {
		if got := Size(in); got != want {
			t.Errorf("%d bytes are shown as %s, want %s", in, got, want)
		}
	}
}

func TestStat(t *testing.T) {
	var v View
	at := time.Date(2026, 11, 22, 23, 5, 59, 0, time.FixedZone("", 2*3600))
	for _, c := range []struct {
		size int64
		at   time.Time
		want string
	}{
		{20, at, "  20  2026-11-22 21:05Z"},
		{0, at, "  0  2026-11-22 21:05Z"},
		{NoSize, at, "  2026-11-22 21:05Z"},
		{20, time.Time{}, ""},
	} {
		if got := v.Stat(c.size, c.at); got != c.want {
			t.Errorf("%d, %v: %q, want %q", c.size, c.at, got, c.want)
		}
	}
	if got := (View{Paint: true}).Stat(1, at); got != "\x1b[2m  1  2026-11-22 21:05Z\x1b[m" {
		t.Errorf("%q", got)
	}
}
