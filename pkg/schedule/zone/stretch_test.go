package zone

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestAt compares with what the clock shows in each minute of the days around changes of it.
func TestAt(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	readings := [3]int{}
	for _, name := range []string{
		"America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "America/Sao_Paulo", "America/St_Johns", "America/Havana",
		"Antarctica/Troll", "Pacific/Apia", "Asia/Pyongyang", "Asia/Kathmandu", "America/Asuncion", "Africa/Casablanca",
	} {
		loc, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			_, change := time.Unix(r.Int64N(50*366*day), 0).In(loc).ZoneBounds()
			if change.IsZero() {
				continue
			}
			middle := change.Unix() / 60 * 60
			shown := map[int64][]int64{}
			for at := middle - 3*day; at < middle+3*day; at += 60 {
				clock := StretchAt(at, loc).Clock(at)
				shown[clock] = append(shown[clock], at)
			}
			for clock := middle - day; clock < middle+day; clock += 60 {
				want := shown[clock]
				got, reading := At(time.Unix(clock, 7).UTC(), loc)
				readings[reading]++
				switch {
				case len(want) == 0:
					if _, before := got.Add(-time.Second).Zone(); reading != Never || StretchAt(got.Unix(), loc).Clock(got.Unix()) <= clock || got.Unix()-1+int64(before) >= clock {
						t.Fatalf("%s %s: %s, %d", name, time.Unix(clock, 0).UTC(), got, reading)
					}
				case got.Unix() != want[0] || got.Nanosecond() != 7 || reading != map[int]Reading{1: Once, 2: Twice}[len(want)]:
					t.Fatalf("%s %s: %s, %d; shown at %v", name, time.Unix(clock, 0).UTC(), got, reading, want)
				}
			}
		}
	}
	if readings[Once] == 0 || readings[Twice] == 0 || readings[Never] == 0 {
		t.Errorf("readings %v", readings)
	}
}

// TestStretches walks the stretches of a century, of which the last decades follow from
// a rule. They leave no instant out and each has one offset.
func TestStretches(t *testing.T) {
	for _, name := range []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca", "UTC", "Africa/Monrovia"} {
		loc, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		at, until := time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		for n := 0; at < until; n++ {
			s := StretchAt(at, loc)
			if s.Start > at || s.End <= at || n > 1000 {
				t.Fatalf("%s: %d is in %+v", name, at, s)
			}
			for _, inside := range []int64{at, at + 1, (at + min(s.End, until)) / 2, min(s.End, until) - 1} {
				if _, offset := time.Unix(min(inside, s.End-1), 0).In(loc).Zone(); int64(offset) != s.Offset {
					t.Fatalf("%s: %+v, but %d at %d", name, s, offset, inside)
				}
			}
			at = s.End
		}
	}
}
