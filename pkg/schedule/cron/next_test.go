package cron

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/schedule/zone"
)

func load(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := zone.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// TestClockChanges has what the clocks of the world did.
func TestClockChanges(t *testing.T) {
	for _, tt := range []struct{ zone, text, after, want string }{
		// New York: 02:00 became 03:00 on 8 March 2026, 02:00 became 01:00 on 1 November.
		{"America/New_York", "30 2 * * *", "2026-03-07T03:00:00-05:00", "2026-03-08T03:00:00-04:00 2026-03-09T02:30:00-04:00"},
		{"America/New_York", "0,30,59 2 * * *", "2026-03-07T03:00:00-05:00", "2026-03-08T03:00:00-04:00 2026-03-09T02:00:00-04:00"},
		{"America/New_York", "0 2,3 * * *", "2026-03-07T04:00:00-05:00", "2026-03-08T03:00:00-04:00 2026-03-09T02:00:00-04:00"},
		{"America/New_York", "15 30 2 * * *", "2026-03-07T03:00:00-05:00", "2026-03-08T03:00:00-04:00 2026-03-09T02:30:15-04:00"},
		{"America/New_York", "30 2 * * *", "2026-03-08T01:59:59-05:00", "2026-03-08T03:00:00-04:00"},
		{"America/New_York", "30 2 * * *", "2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"},
		{"America/New_York", "*/30 2 * * *", "2026-03-07T12:00:00-05:00", "2026-03-09T02:00:00-04:00 2026-03-09T02:30:00-04:00"},
		{"America/New_York", "*/30 * * * *", "2026-03-08T01:00:00-05:00", "2026-03-08T01:30:00-05:00 2026-03-08T03:00:00-04:00 2026-03-08T03:30:00-04:00"},
		{"America/New_York", "0 */2 * * *", "2026-03-08T00:00:00-05:00", "2026-03-08T04:00:00-04:00"},
		{"America/New_York", "30 1 * * *", "2026-10-31T12:00:00-04:00", "2026-11-01T01:30:00-04:00 2026-11-02T01:30:00-05:00"},
		{"America/New_York", "0 1,2 * * *", "2026-10-31T12:00:00-04:00", "2026-11-01T01:00:00-04:00 2026-11-01T02:00:00-05:00 2026-11-02T01:00:00-05:00"},
		{"America/New_York", "30 1 * * *", "2026-11-01T01:45:00-04:00", "2026-11-02T01:30:00-05:00"}, // between the passes
		{"America/New_York", "30 1 * * *", "2026-11-01T01:10:00-05:00", "2026-11-02T01:30:00-05:00"}, // in the second
		{"America/New_York", "30 * * * *", "2026-11-01T00:30:00-04:00", "2026-11-01T01:30:00-04:00 2026-11-01T01:30:00-05:00 2026-11-01T02:30:00-05:00"},
		{"America/New_York", "*/30 1 * * *", "2026-11-01T00:00:00-04:00", "2026-11-01T01:00:00-04:00 2026-11-01T01:30:00-04:00 2026-11-01T01:00:00-05:00 2026-11-01T01:30:00-05:00 2026-11-02T01:00:00-05:00"},
		{"America/New_York", "30 2 8 3 *", "2026-01-01T00:00:00-05:00", "2026-03-08T03:00:00-04:00 2027-03-08T02:30:00-05:00"},
		// Lord Howe changes by half an hour.
		{"Australia/Lord_Howe", "15 2 * * *", "2026-10-03T12:00:00+10:30", "2026-10-04T02:30:00+11:00 2026-10-05T02:15:00+11:00"},
		{"Australia/Lord_Howe", "45 1 * * *", "2026-04-04T12:00:00+11:00", "2026-04-05T01:45:00+11:00 2026-04-06T01:45:00+10:30"},
		{"Australia/Lord_Howe", "*/15 1 * * *", "2026-04-05T01:30:00+11:00", "2026-04-05T01:45:00+11:00 2026-04-05T01:30:00+10:30 2026-04-05T01:45:00+10:30 2026-04-06T01:00:00+10:30"},
		// The gap is at midnight, or the hour before it comes twice.
		{"Africa/Cairo", "0 0 * * *", "2026-04-23T12:00:00+02:00", "2026-04-24T01:00:00+03:00 2026-04-25T00:00:00+03:00"},
		{"Africa/Cairo", "@daily", "2026-10-28T12:00:00+03:00", "2026-10-29T00:00:00+03:00 2026-10-30T00:00:00+02:00"},
		{"Africa/Cairo", "30 23 * * *", "2026-10-29T12:00:00+03:00", "2026-10-29T23:30:00+03:00 2026-10-30T23:30:00+02:00"},
		{"Africa/Cairo", "30 23 29 * *", "2026-10-29T23:45:00+03:00", "2026-11-29T23:30:00+02:00"},
		{"America/Sao_Paulo", "0 0 * * *", "2018-11-03T12:00:00-03:00", "2018-11-04T01:00:00-02:00 2018-11-05T00:00:00-02:00"},
		{"America/Sao_Paulo", "0 0 4 11 *", "2018-01-01T00:00:00-02:00", "2018-11-04T01:00:00-02:00 2019-11-04T00:00:00-03:00"},
		{"Asia/Beirut", "5 0 * * *", "2026-03-28T12:00:00+02:00", "2026-03-29T01:00:00+03:00 2026-03-30T00:05:00+03:00"},
		{"America/Havana", "30 0 * * *", "2024-11-02T12:00:00-04:00", "2024-11-03T00:30:00-04:00 2024-11-04T00:30:00-05:00"},
		// St John's changed at one minute past midnight: back into the day before.
		{"America/St_Johns", "0 0 * * *", "2010-11-06T12:00:00-02:30", "2010-11-07T00:00:00-02:30 2010-11-08T00:00:00-03:30"},
		{"America/St_Johns", "30 23 * * *", "2010-11-06T12:00:00-02:30", "2010-11-06T23:30:00-02:30 2010-11-07T23:30:00-03:30"},
		{"America/St_Johns", "0 * * * *", "2010-11-06T22:30:00-02:30", "2010-11-06T23:00:00-02:30 2010-11-07T00:00:00-02:30 2010-11-07T00:00:00-03:30 2010-11-07T01:00:00-03:30"},
		// The gap runs over midnight.
		{"Asia/Pyongyang", "45 23 * * *", "2018-05-04T12:00:00+08:30", "2018-05-05T00:00:00+09:00 2018-05-05T23:45:00+09:00"},
		// Days that did not happen.
		{"Pacific/Apia", "0 9 * * *", "2011-12-29T08:00:00-10:00", "2011-12-29T09:00:00-10:00 2011-12-31T09:00:00+14:00"},
		{"Pacific/Apia", "0 9 30 12 *", "2011-12-01T00:00:00-10:00", "2012-12-30T09:00:00+14:00"},
		{"Pacific/Apia", "@daily", "2011-12-29T08:00:00-10:00", "2011-12-31T00:00:00+14:00"},
		{"Pacific/Kiritimati", "0 9 * * *", "1994-12-30T12:00:00-10:40", "1995-01-01T09:00:00+14:00"},
		// Two hours.
		{"Antarctica/Troll", "30 1,2 * * *", "2026-03-28T12:00:00+00:00", "2026-03-29T03:00:00+02:00 2026-03-30T01:30:00+02:00"},
		// A zone that changed by 44 minutes and 30 seconds.
		{"Africa/Monrovia", "10 0 * * *", "1972-01-06T12:00:00-00:44", "1972-01-07T00:44:30Z 1972-01-08T00:10:00Z"},
		{"Africa/Monrovia", "0 * * * *", "1972-01-06T22:30:00-00:44", "1972-01-06T23:00:00-00:44 1972-01-07T01:00:00Z"},
		// Offsets of local mean time have seconds; their format leaves them out.
		{"Asia/Shanghai", "0 12 * * *", "1900-01-01T00:00:00Z", "1900-01-01T12:00:00+08:05"},
		{"UTC", "59 23 31 12 *", "9999-12-31T23:58:59Z", "9999-12-31T23:59:00Z"},
		{"UTC", "* * * * *", "0001-01-01T00:00:00Z", "0001-01-01T00:01:00Z"},
		{"UTC", "* * * * * *", "2026-01-01T00:00:00.999999999Z", "2026-01-01T00:00:01Z"},
		{"UTC", "* * * * * *", "1960-01-01T00:00:00.5Z", "1960-01-01T00:00:01Z"},
	} {
		loc := load(t, tt.zone)
		e, err := Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339Nano, tt.after)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(tt.want)
		var got []string
		for range want {
			next, ok := e.Next(at, loc)
			if !ok {
				break
			}
			at, got = next, append(got, next.Format(time.RFC3339))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s %q after %s runs\n at %v\nnot %v", tt.zone, tt.text, tt.after, got, want)
		}
	}
}

// TestNever has times that no clock shows any more, and ends.
func TestNever(t *testing.T) {
	for _, tt := range []struct{ zone, text, after string }{
		{"America/New_York", "*/30 2 8-14 3 */7", "2026-01-01T00:00:00Z"}, // the second Sunday in March: always in the gap
		{"UTC", "0 0 * * *", "9999-12-31T00:00:00Z"},
	} {
		e, err := Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, tt.after)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := e.Next(at, load(t, tt.zone)); ok || !got.IsZero() {
			t.Errorf("%q after %s runs at %s", tt.text, tt.after, got)
		}
	}
	e, err := Parse("* * * * *")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Time{time.Unix(math.MaxInt64, 0), time.Unix(1<<60, 0)} {
		if got, ok := e.Next(at, load(t, "Europe/Berlin")); ok {
			t.Errorf("after %d runs at %s", at.Unix(), got)
		}
	}
	if got, ok := e.Next(time.Unix(math.MinInt64, 0), time.UTC); !ok || got.Year() != 1 {
		t.Errorf("after the beginning runs at %s, %v", got, ok)
	}
}

// sample is an expression with what it matches, by a way of its own.
type sample struct {
	text                        string
	minute, hour, dom, mon, dow []int // nil: all
	either                      bool
	fixed                       bool
}

func (s *sample) match(wall time.Time) bool {
	in := func(set []int, n int) bool { return set == nil || slices.Contains(set, n) }
	dom, dow := in(s.dom, wall.Day()), in(s.dow, int(wall.Weekday()))
	day := dom && dow
	if s.either {
		day = dom || dow
	}
	return wall.Second() == 0 && in(s.minute, wall.Minute()) && in(s.hour, wall.Hour()) && in(s.mon, int(wall.Month())) && day
}

// aimed returns an expression that has to do with what clocks show around a moment.
func aimed(r *rand.Rand, around []time.Time) sample {
	var s sample
	pick := func(share float64, value func(time.Time) int, n int) (string, []int) {
		if r.Float64() >= share {
			return "*", nil
		}
		var text []string
		var set []int
		for range 1 + r.IntN(3) {
			v := value(around[r.IntN(len(around))])
			if r.IntN(4) == 0 {
				v = (v + r.IntN(3)) % n
			}
			if !slices.Contains(set, v) {
				set, text = append(set, v), append(text, fmt.Sprint(v))
			}
		}
		return strings.Join(text, ","), set
	}
	var minute, hour, dom, mon, dow string
	minute, s.minute = pick(.9, time.Time.Minute, 60)
	if r.IntN(5) == 0 {
		n := []int{7, 15, 20, 30}[r.IntN(4)]
		minute, s.minute = fmt.Sprintf("*/%d", n), nil
		for i := 0; i < 60; i += n {
			s.minute = append(s.minute, i)
		}
	}
	hour, s.hour = pick(.7, time.Time.Hour, 24)
	dom, s.dom = pick(.2, func(t time.Time) int { return min(t.Day(), 28) }, 28)
	if i := slices.Index(s.dom, 0); i >= 0 {
		dom, s.dom = "*", nil
	}
	dow, s.dow = pick(.2, func(t time.Time) int { return int(t.Weekday()) }, 7)
	mon, s.mon = pick(.1, func(t time.Time) int { return int(t.Month()) }, 13)
	if i := slices.Index(s.mon, 0); i >= 0 {
		mon, s.mon = "*", nil
	}
	s.either = s.dom != nil && s.dow != nil
	s.fixed = !strings.Contains(minute+hour, "*")
	s.text = strings.Join([]string{minute, hour, dom, mon, dow}, " ")
	return s
}

// TestOracle compares with looking at the clock in every step of the days around changes
// of it, in zones that changed it in uncommon ways.
func TestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 4))
	for _, name := range []string{
		"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Cairo", "America/Sao_Paulo", "Asia/Beirut",
		"America/St_Johns", "America/Havana", "America/Asuncion", "Africa/Casablanca", "Antarctica/Troll", "Antarctica/Casey",
		"Pacific/Apia", "Pacific/Kiritimati", "Pacific/Kwajalein", "Asia/Pyongyang", "Asia/Kathmandu", "America/Caracas",
		"Asia/Gaza", "Asia/Tehran", "Europe/Volgograd", "America/Scoresbysund", "Pacific/Norfolk", "Asia/Hebron",
	} {
		loc := load(t, name)
		for range 12 {
			change := anyChange(r, loc)
			if change.IsZero() {
				continue
			}
			change = change.Truncate(time.Minute)
			compare(t, r, loc, change.Add(-36*time.Hour), change.Add(36*time.Hour), 60)
		}
	}
	// These had offsets with seconds.
	for name, at := range map[string]string{"Africa/Monrovia": "1972-01-07T00:44:30Z", "Europe/Amsterdam": "1937-06-30T23:40:28Z"} {
		change, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			compare(t, r, load(t, name), change.Add(-3*time.Hour), change.Add(3*time.Hour), 1)
		}
	}
}

// anyChange returns a change of a zone's clock from 1970 on.
func anyChange(r *rand.Rand, loc *time.Location) time.Time {
	at := time.Unix(r.Int64N(57*366*secondsOfDay), 0).In(loc)
	_, end := at.ZoneBounds()
	if end.IsZero() {
		end, _ = at.ZoneBounds()
	}
	return end
}

// compare compares a few expressions with the clock at each step in [from, to).
func compare(t *testing.T, r *rand.Rand, loc *time.Location, from, to time.Time, step int64) {
	t.Helper()
	type reading struct {
		at    int64
		clock time.Time // as if of UTC
	}
	var readings []reading
	first := map[int64]int64{} // when the clock showed it first
	for at := from.Unix() - 40*3600; at < to.Unix(); at += step {
		_, offset := time.Unix(at, 0).In(loc).Zone()
		shown := at + int64(offset)
		if _, ok := first[shown]; !ok {
			first[shown] = at
		}
		if at >= from.Unix()-1 {
			readings = append(readings, reading{at, time.Unix(shown, 0).UTC()})
		}
	}
	clocks := make([]time.Time, 0, len(readings))
	for _, one := range readings {
		if d := one.at - (from.Unix()+to.Unix())/2; d > -2*3600 && d < 3*3600 {
			clocks = append(clocks, one.clock)
		}
	}
	for range 4 {
		s := aimed(r, clocks)
		e, err := Parse(s.text)
		if err != nil {
			t.Fatalf("Parse(%q): %v", s.text, err)
		}
		var want []int64
		for i := 1; i < len(readings); i++ {
			one := readings[i]
			runs := s.match(one.clock) && (!s.fixed || first[one.clock.Unix()] == one.at)
			if leap := one.clock.Unix() - readings[i-1].clock.Unix(); s.fixed && leap > step && leap <= 3*3600+step {
				for c := readings[i-1].clock.Unix() + step; c < one.clock.Unix(); c++ {
					runs = runs || s.match(time.Unix(c, 0).UTC())
				}
			}
			if runs {
				want = append(want, one.at)
			}
		}
		var got []int64
		for at := time.Unix(readings[0].at, 0); ; {
			next, ok := e.Next(at, loc)
			if !ok || !next.Before(to) {
				break
			}
			at, got = next, append(got, next.Unix())
		}
		for i := range max(len(got), len(want)) {
			if g, w := instant(got, i, loc), instant(want, i, loc); g != w {
				t.Errorf("%s %q from %s: run %d is at %s, not %s", loc, s.text, from.In(loc), i, g, w)
				break
			}
		}
	}
}

// instant returns the nth of some seconds as a time, or "none".
func instant(seconds []int64, n int, loc *time.Location) string {
	if n >= len(seconds) {
		return "none"
	}
	return time.Unix(seconds[n], 0).In(loc).Format(time.RFC3339)
}
