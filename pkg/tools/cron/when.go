package cron

import (
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/timing"
	"github.com/helve-dev/helve/pkg/schema"
)

// setTiming sets when a job runs. A time zone alone changes that of the times it has.
func (a *AddArgs) setTiming(j *schedule.Job, now time.Time) (notes []fault.Text, err error) {
	given := timing.Given{Every: a.EverySeconds, Cron: a.Cron, At: a.At, In: a.In, Zone: a.Timezone, AllowPast: a.AllowPast}
	if len(a.times()) > 0 {
		j.Timing, notes, err = timing.Parse(given, now)
		return notes, err
	}
	if j.Timing.Cron != "" {
		given.Cron = j.Timing.Cron
		j.Timing, notes, err = timing.Parse(given, now)
		return notes, err
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
