package cron

import (
	"math/bits"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// mostClocks limits the listed times of the day; more are described.
const mostClocks = 6

// Describe says in words when the expression runs, such as "every weekday at 09:30". It is
// made from what was understood, not from what was written: whoever reads it sees a
// misunderstanding.
func (e *Expression) Describe() fault.Text {
	clocks := e.clocks()
	days, plain := e.days.describe(clocks != nil)
	var when fault.Text
	switch {
	case clocks == nil:
		when = e.interval()
		if !days.IsZero() {
			when = fault.T("%[1]s on %[2]s", when, days)
		}
	case plain:
		when = fault.T("%s at %s", days, list(clocks, and))
	default:
		when = fault.T("at %s on %s", list(clocks, and), days)
	}
	if bits.OnesCount64(e.month) == 12 {
		return when
	}
	var months []fault.Text
	for m := range values(e.month) {
		months = append(months, monthOf(m))
	}
	return fault.T("%s in %s", when, list(months, and))
}

// monthOf returns the name of a month, 1 being January.
func monthOf(m int) fault.Text {
	return [12]fault.Text{
		fault.T("January"), fault.T("February"), fault.T("March"), fault.T("April"), fault.T("May"), fault.T("June"), fault.T("July"),
		fault.T("August"), fault.T("September"), fault.T("October"), fault.T("November"), fault.T("December"),
	}[m-1]
}

// Weekday returns the name of a day of the week.
func Weekday(d time.Weekday) fault.Text {
	return [7]fault.Text{
		fault.T("Sunday"), fault.T("Monday"), fault.T("Tuesday"), fault.T("Wednesday"), fault.T("Thursday"), fault.T("Friday"), fault.T("Saturday"),
	}[d]
}

// clocks returns the times of the day, or nil if they are better described.
func (e *Expression) clocks() []fault.Text {
	n := bits.OnesCount64(e.hour) * bits.OnesCount64(e.minute) * bits.OnesCount64(e.second)
	if n > mostClocks || bits.OnesCount64(e.hour) == 24 {
		return nil
	}
	var out []fault.Text
	for h := range values(e.hour) {
		for m := range values(e.minute) {
			for s := range values(e.second) {
				if e.second == 1 {
					out = append(out, fault.T("%02d:%02d", h, m))
				} else {
					out = append(out, fault.T("%02d:%02d:%02d", h, m, s))
				}
			}
		}
	}
	return out
}

// interval describes times of the day that are too many to list.
func (e *Expression) interval() fault.Text {
	allMinutes, allHours := e.minute == 1<<60-1, e.hour == 1<<24-1
	hours := fault.T(" of hours %s", ranges(e.hour, and))
	switch {
	case allHours:
		hours = fault.T(" of every hour")
	case bits.OnesCount64(e.hour) == 1:
		hours = fault.T(" of hour %s", ranges(e.hour, and))
	}
	minutes := fault.T("minutes %s", ranges(e.minute, and))
	if bits.OnesCount64(e.minute) == 1 {
		minutes = fault.T("minute %s", ranges(e.minute, and))
	}
	if e.second != 1 {
		seconds := e.seconds()
		switch {
		case allMinutes && allHours && every(e.second, 60) > 0:
			return seconds
		case allMinutes && allHours:
			return fault.T("%s of every minute", seconds)
		case allMinutes:
			return fault.T("%s of every minute%s", seconds, hours)
		}
		return fault.T("%s of %s%s", seconds, minutes, hours)
	}
	n := every(e.minute, 60)
	switch {
	case n == 1 && allHours:
		return fault.T("every minute")
	case n == 1:
		return fault.T("every minute%s", hours)
	case n > 0 && allHours:
		return fault.T("every %d minutes", n)
	case n > 0:
		return fault.T("every %d minutes%s", n, hours)
	case e.minute == 1 && allHours:
		return fault.T("every hour")
	case e.minute == 1 && every(e.hour, 24) > 0:
		return fault.T("every %d hours from 00:00", every(e.hour, 24))
	}
	return fault.T("at %s%s", minutes, hours)
}

// seconds describes the seconds of a minute.
func (e *Expression) seconds() fault.Text {
	switch n := every(e.second, 60); {
	case n == 1:
		return fault.T("every second")
	case n > 1:
		return fault.T("every %d seconds", n)
	case bits.OnesCount64(e.second) == 1:
		return fault.T("at second %s", ranges(e.second, and))
	}
	return fault.T("at seconds %s", ranges(e.second, and))
}

// describe says which days match; it is empty if all do and no times are listed. plain is
// a sentence that begins with every.
func (s *daySet) describe(times bool) (days fault.Text, plain bool) {
	allDOM, allDOW := s.dom == 1<<32-2, s.dow == 1<<7-1
	switch {
	case s.both && allDOM && allDOW, !s.both && (allDOM || allDOW):
		if times {
			return fault.T("every day"), true
		}
		return fault.Text{}, false
	case s.both && allDOM:
		return s.weekly(times)
	case s.both && allDOW:
		return s.monthly(and), false
	}
	a := func(day fault.Text) fault.Text { return fault.T("a %s", day) }
	if s.both {
		return fault.T("days that are %s and also %s", s.monthly(or), s.weekdays(or, a)), false
	}
	return fault.T("days that are %s or %s", s.monthly(or), s.weekdays(or, a)), false
}

// weekly describes days of the week alone.
func (s *daySet) weekly(times bool) (days fault.Text, plain bool) {
	working := s.dow == 0b0111110
	itself := func(day fault.Text) fault.Text { return day }
	switch {
	case s.nth != [7]uint8{}:
		return s.weekdays(and, func(day fault.Text) fault.Text { return fault.T("every %s", day) }), false
	case working && times:
		return fault.T("every weekday"), true
	case working:
		return fault.T("weekdays"), false
	case times:
		return fault.T("every %s", s.weekdays(and, itself)), true
	}
	// Chinese says "every" before the whole list.
	return fault.T("%[1]s", s.weekdays(and, func(day fault.Text) fault.Text { return fault.T("%ss", day) })), false
}

// monthly describes days of the month.
func (s *daySet) monthly(by conjunction) fault.Text {
	var out []fault.Text
	switch n := bits.OnesCount64(s.dom); {
	case n == 1:
		out = append(out, fault.T("day %s of the month", ranges(s.dom, by)))
	case n > 1:
		out = append(out, fault.T("days %s of the month", ranges(s.dom, by)))
	}
	if s.last {
		out = append(out, fault.T("the last day of the month"))
	}
	if s.lastWD {
		out = append(out, fault.T("the last weekday of the month"))
	}
	for d := range values(s.nearest) {
		out = append(out, fault.T("the weekday nearest to day %d of the month", d))
	}
	return list(out, by)
}

// weekdays describes days of the week. each words a day that is each of the month's.
func (s *daySet) weekdays(by conjunction, each func(day fault.Text) fault.Text) fault.Text {
	var out []fault.Text
	for d := range s.week() {
		name := Weekday(d)
		if s.dow>>d&1 == 1 {
			out = append(out, each(name))
		}
		for n, which := range [6]fault.Text{
			fault.T("the last %s of the month", name), fault.T("the first %s of the month", name), fault.T("the second %s of the month", name),
			fault.T("the third %s of the month", name), fault.T("the fourth %s of the month", name), fault.T("the fifth %s of the month", name),
		} {
			if s.nth[d]>>n&1 == 1 {
				out = append(out, which)
			}
		}
	}
	return list(out, by)
}

// week returns the days of the week that are named, Monday first.
func (s *daySet) week() func(func(time.Weekday) bool) {
	return func(yield func(time.Weekday) bool) {
		for i := range 7 {
			d := time.Weekday((i + 1) % 7)
			if (s.dow>>d&1 == 1 || s.nth[d] != 0) && !yield(d) {
				return
			}
		}
	}
}

// every returns n if a set is each nth value of so many from 0 on, and they come evenly in
// each round; else 0.
func every(set uint64, count int) int {
	n := bits.TrailingZeros64(set &^ 1)
	if set&1 == 0 || n >= count || count%n != 0 {
		return 0
	}
	for v := range count {
		if (set>>v&1 == 1) != (v%n == 0) {
			return 0
		}
	}
	return n
}

// values returns the members of a set.
func values(set uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}

// ranges writes a set such as 0-5, 10 and 30.
func ranges(set uint64, by conjunction) fault.Text {
	var out []fault.Text
	for set != 0 {
		first := bits.TrailingZeros64(set)
		n := bits.TrailingZeros64(^(set >> first))
		if n < 3 { // two neighbours are no range
			n = 1
			out = append(out, fault.T("%d", first))
		} else {
			out = append(out, fault.T("%d-%d", first, first+n-1))
		}
		set &^= (1<<n - 1) << first
	}
	return list(out, by)
}

// conjunction joins the last two words of a list.
type conjunction bool

const (
	and conjunction = false
	or  conjunction = true
)

// list joins words as in "a, b and c".
func list(words []fault.Text, by conjunction) fault.Text {
	if len(words) < 2 {
		return fault.Join(words, "")
	}
	last := len(words) - 1
	parts := []fault.Text{fault.Join(words[:last], ", "), words[last]}
	if by == or {
		return fault.Join(parts, " or ")
	}
	return fault.Join(parts, " and ")
}
