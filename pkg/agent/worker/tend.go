package worker

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/transcript"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

const (
	// tendTime limits the time that a command spends on the jobs of others.
	tendTime = 10 * time.Second
	// tendEvery is the interval at which a long command does so.
	tendEvery = 5 * time.Second
)

// Tending looks after the jobs of sub-agents that have lost their workers.
type Tending struct {
	mu    sync.Mutex // one at a time
	once  sync.Once
	again *time.Ticker // nil unless it goes on
	end   chan struct{}
}

// Queue holds the dependencies of [Tending]; the host provides them.
type Queue struct {
	Jobs *agent.Jobs
	Can  func(*agent.Job) bool       // reports whether a job can be carried out here
	Keep func(context.Context) error // starts a keeper
}

// Tend writes and reports the ends of jobs that have lost their workers, kills what they
// left, has the queue go on, and forgets what ended long ago. Marks and transcripts are in
// dir. While no job has lost its worker it costs a look into a directory, and does not
// call open.
func (t *Tending) Tend(dir *state.Dir, open func() (Queue, error)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	marks := agent.NewMarks(dir)
	orphans, err := marks.Orphans()
	if err != nil || len(orphans) == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), tendTime)
	defer cancel()
	q, err := open()
	if err != nil {
		return err
	}
	_, err = q.Jobs.Reap(ctx)
	errs := []error{err}
	var ended []string
	waits := false
	for _, id := range orphans {
		j, err := q.Jobs.Get(ctx, id)
		switch {
		case fault.Is(err, fault.NotFound), err == nil && j.Status.Final():
			ended = append(ended, id)
			errs = append(errs, marks.Remove(id))
		case err != nil:
			errs = append(errs, err)
		case j.Queued && len(j.Labels) == 0:
			waits = waits || q.Can(&j)
		}
	}
	Sweep(ended)
	if waits {
		errs = append(errs, q.Keep(ctx))
	}
	_, err = Forget(ctx, q.Jobs, dir, agent.Keep)
	return errors.Join(append(errs, err)...)
}

// Attend calls tend now, and then again and again until Stop, for a command that waits for
// what others do. A failure is left to the call at its end.
func (t *Tending) Attend(tend func() error) {
	t.once.Do(func() {
		_ = tend() // see above
		t.again, t.end = time.NewTicker(tendEvery), make(chan struct{})
		go func() {
			for {
				select {
				case <-t.again.C:
					_ = tend() // see above
				case <-t.end:
					return
				}
			}
		}()
	})
}

// Stop ends Attend.
func (t *Tending) Stop() {
	if t.again != nil {
		t.again.Stop()
		close(t.end)
	}
}

// Forget forgets the jobs that ended longer ago than age, with their transcripts in dir, and
// returns them.
func Forget(ctx context.Context, jobs *agent.Jobs, dir *state.Dir, age time.Duration) ([]agent.Job, error) {
	gone, err := jobs.Collect(ctx, age)
	errs := []error{err}
	for i := range gone {
		errs = append(errs, transcript.Remove(dir, gone[i].ID))
	}
	return gone, errors.Join(errs...)
}
