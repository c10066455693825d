package cron

import "time"

// daySet selects days by day of month and day of week.
type daySet struct {
	dom     uint64   // bit n: day n of the month
	nearest uint64   // bit n: the day from Monday to Friday nearest to day n, in its month
	last    bool     // the last day of the month
	lastWD  bool     // the last day from Monday to Friday of the month
	dow     uint64   // bit n: weekday n; 0 is Sunday
	nth     [7]uint8 // by weekday; bit n: the nth of the month, bit 0: the last
	both    bool     // a day must match by day of month and by day of week
}

// civil is a date with what is asked about it.
type civil struct {
	year   int
	month  time.Month
	day    int
	length int // of the month
	dow    time.Weekday
}

// civilOf returns the date of a day, counted from 1 January 1970.
func civilOf(day int64) civil {
	t := time.Unix(day*secondsOfDay, 0).UTC()
	year, month, d := t.Date()
	return civil{year, month, d, length(year, month), t.Weekday()}
}

// length returns how many days a month has.
func length(year int, month time.Month) int {
	switch month {
	case time.April, time.June, time.September, time.November:
		return 30
	case time.February:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	default:
		return 31
	}
}

// tomorrow returns the next date.
func (c civil) tomorrow() civil {
	c.dow = (c.dow + 1) % 7
	if c.day++; c.day <= c.length {
		return c
	}
	c.day = 1
	if c.month++; c.month > time.December {
		c.month, c.year = time.January, c.year+1
	}
	c.length = length(c.year, c.month)
	return c
}

// nextMonth returns the first day of the next month, and how many days away it is.
func (c civil) nextMonth() (civil, int) {
	ahead := c.length - c.day
	c.day, c.dow = c.length, (c.dow+time.Weekday(ahead))%7
	return c.tomorrow(), ahead + 1
}

// match reports whether a day matches.
func (s *daySet) match(c civil) bool {
	if s.both {
		return s.byMonth(c) && s.byWeek(c)
	}
	return s.byMonth(c) || s.byWeek(c)
}

func (s *daySet) byMonth(c civil) bool {
	if s.dom>>c.day&1 == 1 || s.last && c.day == c.length {
		return true
	}
	if c.dow == time.Saturday || c.dow == time.Sunday {
		return false
	}
	friday := c.dow == time.Friday
	if s.lastWD && (c.day == c.length || friday && c.day+2 >= c.length) {
		return true
	}
	if s.nearest == 0 {
		return false
	}
	has := func(day int) bool { return day <= c.length && s.nearest>>day&1 == 1 }
	return has(c.day) ||
		c.dow == time.Monday && (has(c.day-1) || c.day == 3 && has(1)) ||
		friday && (has(c.day+1) || c.day+2 == c.length && has(c.length))
}

func (s *daySet) byWeek(c civil) bool {
	nth := s.nth[c.dow]
	return s.dow>>c.dow&1 == 1 || nth>>((c.day+6)/7)&1 == 1 || nth&1 == 1 && c.day+7 > c.length
}
