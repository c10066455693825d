package host

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/transcript"
	"github.com/helve-dev/helve/pkg/agent/worker"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// tendTime limits the time that a command spends on the jobs of others.
	tendTime = 10 * time.Second
	// tendEvery is the interval at which a long command does so.
	tendEvery = 5 * time.Second
)

// tending is the looking after the jobs of sub-agents.
type tending struct {
	mu    sync.Mutex // one at a time
	once  sync.Once
	again *time.Ticker // nil unless it goes on
	end   chan struct{}
}

// Tend looks after the jobs of sub-agents that have lost their workers, if this run has
// used the state of its workspace: their ends are written and told, what they left is
// killed, the queue goes on, and what ended long ago is forgotten. While no job has lost
// its worker it costs a look into a directory.
func (h *Host) Tend() error {
	dir := h.used.Load()
	if dir == nil || os.Getenv("HELVE") != "" { // what helve started has no business with jobs
		return nil
	}
	h.tending.mu.Lock()
	defer h.tending.mu.Unlock()
	marks := agent.NewMarks(dir)
	orphans, err := marks.Orphans()
	if err != nil || len(orphans) == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), tendTime)
	defer cancel()
	_, s, err := h.Governed()
	if err != nil {
		return err
	}
	jobs, err := h.Agents()
	if err != nil {
		return err
	}
	_, err = jobs.Reap(ctx)
	errs := []error{err}
	var ended []string
	waits := false
	for _, id := range orphans {
		j, err := jobs.Get(ctx, id)
		switch {
		case fault.Is(err, fault.NotFound), err == nil && j.Status.Final():
			ended = append(ended, id)
			errs = append(errs, marks.Remove(id))
		case err != nil:
			errs = append(errs, err)
		case j.Queued && len(j.Labels) == 0:
			waits = waits || s.can(&j)
		}
	}
	worker.Sweep(ended)
	if waits {
		errs = append(errs, s.keep(ctx))
	}
	_, err = h.ForgetAgents(ctx, agent.Keep)
	return errors.Join(append(errs, err)...)
}

// attend is Tend now, and then again and again until the host is closed, for a command
// that waits for what others do. A failure is left to the Tend at its end.
func (h *Host) attend() {
	t := &h.tending
	t.once.Do(func() {
		_ = h.Tend() // see above
		t.again, t.end = time.NewTicker(tendEvery), make(chan struct{})
		go func() {
			for {
				select {
				case <-t.again.C:
					_ = h.Tend() // see above
				case <-t.end:
					return
				}
			}
		}()
	})
}

// stop ends attend.
func (t *tending) stop() {
	if t.again != nil {
		t.again.Stop()
		close(t.end)
	}
}

// ForgetAgents forgets the jobs of sub-agents that ended longer ago than age, with their
// transcripts here, and returns them.
func (h *Host) ForgetAgents(ctx context.Context, age time.Duration) ([]agent.Job, error) {
	jobs, err := h.Agents()
	if err != nil {
		return nil, err
	}
	dir, err := h.Transcripts()
	if err != nil {
		return nil, err
	}
	gone, err := jobs.Collect(ctx, age)
	errs := []error{err}
	for i := range gone {
		errs = append(errs, transcript.Remove(dir, gone[i].ID))
	}
	return gone, errors.Join(errs...)
}
