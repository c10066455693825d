package zone

import (
	"math"
	"time"
)

const day = 24 * 60 * 60

// Stretch is a stretch of time in which the clock of a zone has one offset.
type Stretch struct {
	Start, End int64 // in seconds since 1970; the end is not in it
	Offset     int64 // east of UTC, in seconds
}

// Clock returns what the clock shows at an instant of s, both in seconds since 1970, by
// that clock and by UTC.
func (s Stretch) Clock(at int64) int64 { return at + s.Offset }

// StretchAt returns the stretch that an instant is in.
func StretchAt(at int64, loc *time.Location) Stretch {
	t := time.Unix(at, 0).In(loc)
	start, end := t.ZoneBounds()
	_, offset := t.Zone()
	s := Stretch{start.Unix(), end.Unix(), int64(offset)}
	if start.IsZero() {
		s.Start = math.MinInt64 / 2
	}
	// The first stretch of a rule begins with its year for the library, though an offset that
	// was written down may hold until later.
	if _, before := start.In(loc).ZoneBounds(); !start.IsZero() && !before.IsZero() && before.Unix() <= at {
		s.Start = before.Unix()
	}
	if end.IsZero() {
		s.End = math.MaxInt64 / 2
	}
	if s.End <= at {
		// In the years that only a rule covers, the library ends leap years on 30 December
		// (tzset adds 365 days). No rule changes the clock on the 31st.
		s.End = at - at%day + day
	}
	return s
}

// Reading counts the times that a clock shows a time.
type Reading int

// A clock that is put forward leaves times out, and one that is put back repeats some.
const (
	Once  Reading = iota
	Never         // it is in the gap that a change of the clock leaves
	Twice
)

// At returns the instant at which the clock of loc shows a time, which is given as if it
// were UTC: if it shows the time twice the first one, and if never the end of the gap.
func At(clock time.Time, loc *time.Location) (time.Time, Reading) {
	shown := clock.Unix()
	at := func(second int64) time.Time { return time.Unix(second, int64(clock.Nanosecond())).In(loc) }
	first, found, gap := int64(0), false, int64(math.MinInt64)
	for s := StretchAt(shown-day, loc); s.Start <= shown+day; s = StretchAt(s.End, loc) {
		second := shown - s.Offset
		switch {
		case second >= s.Start && second < s.End && found:
			return at(first), Twice
		case second >= s.Start && second < s.End:
			first, found = second, true
		case second < s.Start && gap == math.MinInt64:
			gap = s.Start // the first stretch whose clock began later than that
		}
		if s.End > shown+day {
			break
		}
	}
	if found {
		return at(first), Once
	}
	return time.Unix(gap, 0).In(loc), Never
}
