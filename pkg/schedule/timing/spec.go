// Package timing is when a job runs: at the times of a cron expression, at a fixed period,
// or once. It reads what callers write, and looks at no clock.
package timing

import (
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/cron"
	"github.com/helve-dev/helve/pkg/schedule/zone"
	"github.com/helve-dev/helve/pkg/schema"
)

// Spec is when a job runs, as it is kept. One of Every, Cron and At is set. Make one with
// [Parse].
type Spec struct {
	Every  int64     `json:"every_seconds,omitzero"` // period in seconds
	Anchor time.Time `json:"anchor,omitzero"`        // from which periods are counted
	Cron   string    `json:"cron,omitzero"`
	At     time.Time `json:"at,omitzero"`
	Zone   string    `json:"timezone,omitzero"` // in which times are meant and shown: see [zone.Load]
}

// Kind is the rule by which the runs of a job follow each other.
type Kind string

// The kinds.
const (
	Every Kind = "every"
	Cron  Kind = "cron"
	At    Kind = "at" // once
)

// Kind returns which of the fields is set.
func (s Spec) Kind() Kind {
	switch {
	case s.Every != 0:
		return Every
	case s.Cron != "":
		return Cron
	default:
		return At
	}
}

// longestPeriod is the longest period, and how far ahead "in" may reach: ten years, in seconds.
const longestPeriod = 3653 * 24 * 60 * 60

// lastSecond is the last of the year 9999, after which JSON has no times.
const lastSecond = 253402300799

// Validate returns the fault of a spec that was kept and cannot be used, such as one whose
// zone this system does not know.
func (s Spec) Validate() error {
	set := 0
	for _, is := range []bool{s.Every != 0, s.Cron != "", !s.At.IsZero()} {
		if is {
			set++
		}
	}
	if set != 1 {
		return oneOf(set)
	}
	if _, err := zone.Load(s.Zone); err != nil {
		return at("/timezone", err)
	}
	if s.Every != 0 {
		return period(s.Every)
	}
	if s.Cron != "" {
		if _, err := cron.Parse(s.Cron); err != nil {
			return at("/cron", err)
		}
	}
	return nil
}

// Location returns the zone in which times are shown: UTC if this system does not know the
// one that was kept, which [Spec.Validate] reports.
func (s Spec) Location() *time.Location {
	if loc, err := zone.Load(s.Zone); err == nil {
		return loc
	}
	return time.UTC
}

// Next returns the first run after an instant. It reports false if there is none, as after
// a single run and of a spec that is not valid.
//
// Periods are counted from the anchor, so that they do not drift, whenever runs happen and
// the clock is set.
func (s Spec) Next(after time.Time) (time.Time, bool) {
	loc, err := zone.Load(s.Zone)
	if err != nil {
		return time.Time{}, false
	}
	switch s.Kind() {
	case At:
		return s.At.In(loc), !s.At.IsZero() && s.At.After(after)
	case Cron:
		e, err := cron.Parse(s.Cron)
		if err != nil {
			return time.Time{}, false
		}
		return e.Next(after, loc)
	default:
		return s.every(after, loc)
	}
}

func (s Spec) every(after time.Time, loc *time.Location) (time.Time, bool) {
	from := after.Unix()
	if s.Every < 1 || from > lastSecond {
		return time.Time{}, false
	}
	if after.Before(s.Anchor) {
		return s.Anchor.In(loc), true
	}
	passed := from - s.Anchor.Unix()
	if after.Nanosecond() < s.Anchor.Nanosecond() {
		passed--
	}
	next := s.Anchor.Unix() + (passed/s.Every+1)*s.Every
	return time.Unix(next, int64(s.Anchor.Nanosecond())).In(loc), next <= lastSecond
}

// Upcoming returns up to n runs after an instant.
func (s Spec) Upcoming(after time.Time, n int) []time.Time {
	var runs []time.Time
	for len(runs) < n {
		next, ok := s.Next(after)
		if !ok {
			break
		}
		after, runs = next, append(runs, next)
	}
	return runs
}

// Show words an instant so that nobody takes it for another: with weekday, year, offset
// and zone.
func Show(t time.Time) fault.Text {
	clock := "15:04"
	if t.Second() != 0 {
		clock = "15:04:05"
	}
	name := t.Location().String()
	if name == t.Format("-07:00") {
		name = ""
	} else {
		name = " " + name
	}
	return fault.T("%s %s %s%s", cron.Weekday(t.Weekday()), t.Format("2006-01-02"), t.Format(clock+" -07:00"), name)
}

// oneOf is the fault of a job with no timing, or with several.
func oneOf(set int) error {
	what := fault.T("exactly one of every_seconds, cron, at and in says when the job runs; none is given")
	if set > 1 {
		what = fault.T("exactly one of every_seconds, cron, at and in says when the job runs; %d are given", set)
	}
	return schema.Invalid("", what).
		WithHint(fault.T("every_seconds repeats after so many seconds, cron at the times of an expression such as \"30 9 * * MON-FRI\", at runs once at a moment, in once after a while such as \"20m\""))
}

// period returns the fault of a period that is out of range.
func period(seconds int64) error {
	if seconds >= 1 && seconds <= longestPeriod {
		return nil
	}
	return schema.Invalid("/every_seconds", fault.T("%d is out of range; allowed are 1 to %d seconds", seconds, int64(longestPeriod))).
		WithHint(fault.T("pass the period in whole seconds, such as 3600 for each hour; to run once use at or in"))
}

// at returns a fault as that of an argument.
func at(pointer string, err error) error {
	e := fault.As(err)
	return schema.Invalid(pointer, e.Message).WithHint(e.Hint).Because(err)
}

// Describe says in words when the job runs.
func (s Spec) Describe() fault.Text {
	switch s.Kind() {
	case Every:
		return fault.T("every %s", length(s.Every))
	case Cron:
		e, err := cron.Parse(s.Cron)
		if err != nil {
			return fault.T("at no time: %q is no cron expression", s.Cron)
		}
		return fault.T("%s (%s)", e.Describe(), s.Location())
	default:
		return fault.T("once, on %s", Show(s.At.In(s.Location())))
	}
}

// length words a period: 90 seconds, 2 hours.
func length(seconds int64) fault.Text {
	switch {
	case seconds%(7*24*3600) == 0:
		return times(seconds/(7*24*3600), fault.T("week"), fault.T("%d weeks", seconds/(7*24*3600)))
	case seconds%(24*3600) == 0:
		return times(seconds/(24*3600), fault.T("day"), fault.T("%d days", seconds/(24*3600)))
	case seconds%3600 == 0:
		return times(seconds/3600, fault.T("hour"), fault.T("%d hours", seconds/3600))
	case seconds%60 == 0:
		return times(seconds/60, fault.T("minute"), fault.T("%d minutes", seconds/60))
	}
	return times(seconds, fault.T("second"), fault.T("%d seconds", seconds))
}

func times(n int64, one, many fault.Text) fault.Text {
	if n == 1 {
		return one
	}
	return many
}
