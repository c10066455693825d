package agent

import (
	"time"

	"github.com/helve-dev/helve/pkg/shell/process"
)

// Beat is the longest pause between two [Jobs.Note] calls of a living worker.
const Beat = 10 * time.Second

const (
	// A worker of another machine counts as dead after deadAfter without a beat, measured
	// by the observer's monotonic clock. An observer that looks only once must compare the
	// clocks of two machines, which may differ, and waits for deadByClock.
	deadAfter   = 45 * time.Second
	deadByClock = 3 * time.Minute
)

// observation is the last Beat of a worker and the time since when it is the last, by the
// monotonic clock.
type observation struct {
	beat  time.Time
	since time.Time
}

// died reports whether the worker of a job has died.
func (j *Jobs) died(of *Job) bool {
	w := of.Worker
	if !of.runs() {
		return false
	}
	here := w.Machine != "" && w.Machine == process.Machine()
	if here && w.Process.Start != 0 {
		return !w.Process.Alive()
	}
	silent := j.now().Sub(of.Beat)
	if w.Machine == "" && w.Host == hostname() && !w.Process.Alive() && silent > deadAfter {
		return true // this system does not say what process numbers are of
	}
	if silent > deadByClock {
		return true
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	seen, ok := j.seen[w.ID]
	if !ok || !seen.beat.Equal(of.Beat) {
		j.seen[w.ID] = observation{of.Beat, time.Now()}
		return false
	}
	return time.Since(seen.since) > deadAfter
}
