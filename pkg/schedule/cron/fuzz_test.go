package cron

import (
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"* * * * *", "*/15 9-17 * * MON-FRI", "0 0 29 2 *", "30 2 * * *", "@daily", "0 0 L,15W * FRI#2", "0 0 ? * 5L", "1/7 2,3 */2 * +SUN-TUE",
		"59 59 23 31 12 7", "22-6 * * * *", "*/90 * * * *", "0 0 LW 2 *", "0 0 30 2 *", "99999999999999999999 * * * *", "＊ * * * *", "0 0 1-7 * +MON#2",
		"0 0 1W * *", "0 0 * jan-DEC/3 sat#l", "+ + + + +", ",,,,, * * * *", "0 0 * * 0/7", "0 1 * * 7/2",
	} {
		f.Add(seed, int64(1793505600), uint8(0)) // a day before New York's clocks go back
		f.Add(seed, int64(1772949600), uint8(1))
	}
	zones := []*time.Location{load(f, "America/New_York"), load(f, "Australia/Lord_Howe"), load(f, "America/St_Johns"), load(f, "Africa/Monrovia"), time.UTC}
	f.Fuzz(func(t *testing.T, text string, after int64, where uint8) {
		e, err := Parse(text)
		if err != nil {
			if fault.As(err).Code != fault.InvalidArguments || len(err.Error()) > 1000 {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := Parse(e.String())
		if err != nil || again.String() != e.String() {
			t.Fatalf("%q is read back as %v, %v", e, again, err)
		}
		loc := zones[int(where)%len(zones)]
		at := time.Unix(after%(1<<37), 0)
		for range 5 {
			next, ok := e.Next(at, loc)
			if !ok {
				return
			}
			if !next.After(at) {
				t.Fatalf("%q after %s runs at %s", e, at, next)
			}
			if twin, ok := again.Next(next.Add(-1), loc); !ok || !twin.Equal(next) {
				t.Fatalf("%q just before %s runs at %s", e, next, twin)
			}
			if !e.shows(next) && !(e.fixed && gapEnds(next)) {
				t.Fatalf("%q runs at %s", e, next)
			}
			at = next
		}
	})
}

// shows reports whether the clock shows a matching time.
func (e *Expression) shows(at time.Time) bool {
	year, mon, day := at.Date()
	c := civil{year, mon, day, length(year, mon), at.Weekday()}
	return e.second>>at.Second()&1 == 1 && e.minute>>at.Minute()&1 == 1 && e.hour>>at.Hour()&1 == 1 && e.month>>mon&1 == 1 && e.days.match(c)
}

// gapEnds reports whether the clock leapt forward to a time.
func gapEnds(at time.Time) bool {
	_, before := at.Add(-time.Second).Zone()
	_, now := at.Zone()
	return now > before
}

// TestCivil compares the dates with those of the library.
func TestCivil(t *testing.T) {
	const start = -40_000 // days before 1970
	c := civilOf(start)
	for day := int64(start); day < 200_000; day++ {
		if want := civilOf(day); c != want {
			t.Fatalf("%v, want %v", c, want)
		}
		if day%97 == 0 {
			if first, days := c.nextMonth(); first != civilOf(day+int64(days)) || first.day != 1 || days > 31 {
				t.Fatalf("a month after %v is %v", c, first)
			}
		}
		if want := time.Date(c.year, c.month+1, 0, 0, 0, 0, 0, time.UTC).Day(); c.length != want {
			t.Fatalf("%v: the month has %d days", c, want)
		}
		c = c.tomorrow()
	}
}

// TestWork bounds what the search costs, by what it allocates and that it ends at once.
func TestWork(t *testing.T) {
	e, err := Parse("0 0 29 2 +MON")
	if err != nil {
		t.Fatal(err)
	}
	loc := load(t, "America/New_York")
	if n := testing.AllocsPerRun(10, func() { e.Next(time.Unix(1_800_000_000, 0), loc) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkNext(b *testing.B) {
	for _, text := range []string{"*/5 * * * *", "30 9 * * MON-FRI", "0 0 29 2 *", "0 0 29 2 +MON"} {
		e, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		loc := load(b, "America/New_York")
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				e.Next(time.Unix(1_800_000_000, 0), loc)
			}
		})
	}
}
