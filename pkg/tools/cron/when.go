package cron

import (
	"cmp"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/timing"
	"github.com/helve-dev/helve/pkg/schema"
)

// setTiming sets when a job runs. A time zone alone changes that of the times it has, and
// times alone are those of the zone that it has; a new one has the person's.
func (a *AddArgs) setTiming(j *schedule.Job, person string, now time.Time) (notes []fault.Text, err error) {
	zone := cmp.Or(a.Timezone, j.Timing.Zone, person)
	given := timing.Given{Every: a.EverySeconds, Cron: a.Cron, At: a.At, In: a.In, Zone: zone, AllowPast: a.AllowPast}
	if a.Timezone == "" && zone != person {
		notes = append(notes, fault.T("the job keeps its time zone, %s; the person's is %s", zone, person))
	}
	if len(a.times()) == 0 {
		given.Cron = j.Timing.Cron
	}
	if len(a.times()) > 0 || given.Cron != "" {
		var moved []fault.Text
		j.Timing, moved, err = timing.Parse(given, now)
		return append(notes, moved...), err
	}
	given.In = "1h" // checks the zone
	checked, _, err := timing.Parse(given, now)
	j.Timing.Zone = checked.Zone
	return nil, err
}

// setExpiry sets after when a job does not run any more, by the clock of its zone.
func (a *AddArgs) setExpiry(j *schedule.Job, now time.Time) error {
	spec, _, err := timing.Parse(timing.Given{At: a.Expires, Zone: j.Timing.Zone}, now)
	if err != nil {
		e := fault.As(err)
		return schema.Invalid("/expires_at", e.Message).WithHint(fault.T("pass a moment to come, as for at")).Because(err)
	}
	j.ExpiresAt = spec.At
	return nil
}

// nextRuns returns up to three runs of a job, as RFC 1123 shows them with weekday, year
// and offset.
func nextRuns(j *schedule.Job, now time.Time) []string {
	runs := []string{}
	if !j.Enabled {
		return runs
	}
	for _, at := range j.Timing.Upcoming(now, 3) {
		if j.ExpiresAt.IsZero() || at.Before(j.ExpiresAt) {
			runs = append(runs, at.Format(time.RFC1123Z))
		}
	}
	return runs
}
