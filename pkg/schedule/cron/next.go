package cron

import (
	"math"
	"time"

	"github.com/helve-dev/helve/pkg/schedule/zone"
)

const (
	// longestGap is the longest change of the clock that counts as one, as in cron(8).
	longestGap = 3 * 60 * 60
	// horizon limits the search, in seconds: a 29 February on a given weekday comes again
	// within 40 years.
	horizon = 50 * 366 * secondsOfDay
	// settled is the time, in seconds, after which a clock change cannot repeat a time any
	// more: the clocks of the world are never further apart.
	settled = 2 * secondsOfDay

	firstSecond = -62135596800 // of year 1
	lastSecond  = 253402300799 // of year 9999
)

// Next returns the first run after an instant, in loc. It reports false if there is none
// within 50 years, as for a time that is always in the gap of a change to summer time
// and is skipped there.
//
// Between two changes of its offset, the clock of a zone runs evenly: there, a run
// happens when the clock shows a matching time.
func (e *Expression) Next(after time.Time, loc *time.Location) (time.Time, bool) {
	from := min(max(after.Unix(), firstSecond-1), lastSecond) + 1
	until := min(from+horizon, lastSecond)
	for from <= until {
		now := zone.StretchAt(from, loc)
		shown := int64(math.MinInt64)
		if e.fixed {
			shown = shownBefore(now, from, loc)
			if gap := now.Clock(now.Start) - shown; from == now.Start && gap > 0 && gap <= longestGap {
				if _, ok := e.nextClock(shown, shown+gap); ok {
					return time.Unix(from, 0).In(loc), true
				}
			}
		}
		end := min(now.End, until+1)
		if at, ok := e.nextClock(max(now.Clock(from), shown), now.Clock(end)); ok {
			return time.Unix(at-now.Offset, 0).In(loc), true
		}
		from = end
	}
	return time.Time{}, false
}

// nextClock returns the first matching reading of the clock in [from, end), both in
// seconds since 1970 by that clock.
func (e *Expression) nextClock(from, end int64) (int64, bool) {
	if from >= end {
		return 0, false
	}
	day, second := from/secondsOfDay, from%secondsOfDay
	if second < 0 {
		day, second = day-1, second+secondsOfDay
	}
	for c := civilOf(day); day*secondsOfDay < end; second = 0 {
		if e.month>>c.month&1 == 0 {
			first, days := c.nextMonth()
			c, day = first, day+int64(days)
			continue
		}
		if e.days.match(c) {
			if at, ok := e.timeOfDay(second); ok {
				at += day * secondsOfDay
				return at, at < end
			}
		}
		c, day = c.tomorrow(), day+1
	}
	return 0, false
}

// shownBefore returns the reading up to which the clock showed each time before a stretch
// began, or leapt over it: less than that shows again, more was leapt over. It looks back
// from an instant of the stretch only as far as that makes a difference.
func shownBefore(s zone.Stretch, from int64, loc *time.Location) int64 {
	most := int64(math.MinInt64 / 2)
	for from-s.Start < settled {
		before := zone.StretchAt(s.Start-1, loc)
		most = max(most, before.Clock(s.Start))
		s = before
	}
	return most
}
