package agent

import (
	"time"

	"github.com/helve-dev/helve/pkg/shell/process"
)

// Beat is how often a worker must write at least, with [Jobs.Note], that it lives.
const Beat = 10 * time.Second

const (
	// deadAfter is how long somebody who looks several times watches a worker of another
	// machine that does not write before it takes it for dead; who looks once goes by the
	// clocks, which may differ, and waits for deadByClock.
	deadAfter   = 45 * time.Second
	deadByClock = 3 * time.Minute
)

// sight is the last Beat of a worker, and since when it has been the last one, by a clock
// that is not set.
type sight struct {
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
		j.seen[w.ID] = sight{of.Beat, time.Now()}
		return false
	}
	return time.Since(seen.since) > deadAfter
}
