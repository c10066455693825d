package timing

import (
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/cron"
	"github.com/helve-dev/helve/pkg/schedule/zone"
	"github.com/helve-dev/helve/pkg/schema"
)

// Given is a caller's specification of the times of a job, with exactly one of Every,
// Cron, At and In.
type Given struct {
	Every     *int64 // period in seconds, counted from now
	Cron      string
	At        string // a moment: see Parse
	In        string // a while from now: see Parse
	Zone      string // see [zone.Load]; empty is the system's zone
	AllowPast bool   // a moment in the past runs at once
}

// Parse returns the times of a job in the form to store, with notes for the caller on
// times that a change of the clock moves, and on what may be read in another way than it
// was meant. A fault is invalid_arguments and points to the
// argument by its name in the tool: every_seconds, cron, at, in, timezone.
//
// At is RFC 3339, with a space for the T and without seconds if need be; without an
// offset it is a time on the clock of the zone. In is hours, minutes and the like, such
// as 20m, 1h30m, "2 days" or 1d12h, in which a day is 24 hours.
func Parse(given Given, now time.Time) (Spec, []fault.Text, error) {
	set := 0
	for _, is := range []bool{given.Every != nil, given.Cron != "", given.At != "", given.In != ""} {
		if is {
			set++
		}
	}
	if set != 1 {
		return Spec{}, nil, oneOf(set)
	}
	loc, err := zone.Load(given.Zone)
	if err != nil {
		return Spec{}, nil, at("/timezone", err)
	}
	spec := Spec{Zone: loc.String()}
	now = now.In(loc)
	notes := remarks(loc, given)
	switch {
	case given.Every != nil:
		spec.Every, spec.Anchor = *given.Every, now.Truncate(time.Second).UTC()
		return spec, nil, period(spec.Every)
	case given.Cron != "":
		err := spec.setCron(given.Cron, now)
		return spec, notes, err
	case given.In != "":
		wait, err := parseWait(given.In)
		if err != nil {
			return Spec{}, nil, err
		}
		spec.At = now.Add(wait + time.Second - 1).Truncate(time.Second).UTC() // never early
		return spec, nil, nil
	}
	moment, moved, err := parseMoment(given.At, loc, now)
	if err != nil {
		return Spec{}, nil, err
	}
	notes = append(notes, moved...)
	if !moment.After(now) {
		if !given.AllowPast {
			return Spec{}, nil, past(moment, now)
		}
		moment = now.Truncate(time.Second).Add(time.Second)
		notes = append(notes, fault.T("that moment is past: the job runs at once"))
	}
	spec.At = moment.UTC()
	return spec, notes, nil
}

// remarks returns the notes on a zone, where a time on its clock was given, and on an
// expression.
func remarks(loc *time.Location, given Given) (notes []fault.Text) {
	if note := zone.Remark(loc); !note.IsZero() && (given.Cron != "" || given.At != "") {
		notes = append(notes, note)
	}
	if note := cron.Remark(given.Cron); !note.IsZero() {
		notes = append(notes, note)
	}
	return notes
}

// setCron sets the expression, which must have a next run.
func (s *Spec) setCron(text string, now time.Time) error {
	e, err := cron.Parse(text)
	if err != nil {
		return at("/cron", err)
	}
	s.Cron = e.String()
	if _, ok := e.Next(now, now.Location()); !ok {
		return schema.Invalid("/cron", fault.T("%q has no run in the next 50 years in %s", s.Cron, s.Zone)).
			WithHint(fault.T("its times are in the hour that the clock leaves out; choose others"))
	}
	return nil
}

// past is the fault of a moment that is not in the future.
func past(moment, now time.Time) error {
	return schema.Invalid("/at", fault.T("%s is past: it is %s", Show(moment), Show(now.Truncate(time.Second)))).
		WithHint(fault.T("pass a moment in the future with its year, or in, such as \"20m\"; with allow_past it would run at once"))
}
