package schedule

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Standing says whether somebody runs jobs at their times.
type Standing struct {
	Running bool      `json:"running"`
	Host    string    `json:"host,omitzero"`
	PID     int       `json:"pid,omitzero"`
	Since   time.Time `json:"since,omitzero"`
	// Hint says what to do if nobody does.
	Hint fault.Text `json:"-"`
}

// Standing says whether a scheduler is running on any host.
func (s *Jobs) Standing(ctx context.Context) (standing Standing, err error) {
	now := s.now()
	err = s.store.View(ctx, func(r store.Reader) error {
		entries, err := r.List(schedulerKeys)
		if err != nil {
			return err
		}
		standing = Standing{}
		for _, e := range entries { // the oldest first, which leads if it lives
			m, ok := decodeMember(e)
			if !ok {
				continue
			}
			here, alive := m.here()
			if m.Kind == kindRun && (here && alive || !here && !m.late(now, deadByClock)) {
				standing = Standing{Running: true, Host: m.Host, PID: m.PID, Since: m.Since}
				return nil
			}
		}
		return nil
	})
	if err == nil && !standing.Running {
		standing.Hint = fault.T("nobody runs jobs now: start helve cron run, or helve cron install to have it started always")
	}
	return standing, err
}
