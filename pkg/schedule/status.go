package schedule

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// SchedulerStatus describes the scheduler that runs jobs at their times, if there is one.
type SchedulerStatus struct {
	Running bool      `json:"running"`
	Host    string    `json:"host,omitzero"`
	PID     int       `json:"pid,omitzero"`
	Since   time.Time `json:"since,omitzero"`
	// Hint says what to do if none is running.
	Hint fault.Text `json:"-"`
}

// SchedulerStatus reports whether a scheduler is running on any host.
func (s *Jobs) SchedulerStatus(ctx context.Context) (status SchedulerStatus, err error) {
	now := s.now()
	err = s.store.View(ctx, func(r store.Reader) error {
		entries, err := r.List(schedulerKeys)
		if err != nil {
			return err
		}
		status = SchedulerStatus{}
		for _, e := range entries { // the oldest first, which leads if it lives
			m, ok := decodeMember(e)
			if !ok {
				continue
			}
			here, alive := m.here()
			if m.Kind == kindRun && (here && alive || !here && !m.late(now, deadByClock)) {
				status = SchedulerStatus{Running: true, Host: m.Host, PID: m.PID, Since: m.Since}
				return nil
			}
		}
		return nil
	})
	if err == nil && !status.Running {
		status.Hint = fault.T("nobody runs jobs now: start helve cron run, or helve cron install to have it started always")
	}
	return status, err
}
