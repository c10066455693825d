package worker

import (
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
)

// Service carries out jobs as long as it runs, as they come.
type Service struct {
	Program string   // helve's executable
	Environ []string // of the keepers
	Spec    []byte   // for the host of the keepers
	Work    *Work    // what is used is Jobs, Labels and Takes
	Slots   int      // jobs that may run at a time on this machine
	// Grace limits the time that running jobs get when the service ends. After it they end
	// by their OnLost.
	Grace time.Duration
	// Report is called with a job when it has started, and when it has ended or went
	// back to the queue; it may be nil.
	Report func(agent.Job)
	// Trouble is called with every failure after which the service goes on; it may be
	// nil.
	Trouble func(error)
}

// Run runs the service until ctx ends. The error is one of the store that does not pass.
func (s *Service) Run(ctx context.Context) error {
	p := usual()
	changed, err := s.Work.Jobs.Watch(ctx)
	if err != nil {
		return err
	}
	again := time.NewTicker(p.Beat)
	defer again.Stop()
	var running []begun
	for ctx.Err() == nil {
		running, err = s.pass(ctx, running)
		switch {
		case err == nil || ctx.Err() != nil:
		case passing(err):
			s.trouble(err)
		default:
			s.drain(ctx, p, running)
			return err
		}
		look := again.C
		if len(running) > 0 { // a keeper that dies changes nothing in the store
			look = time.After(p.Look)
		}
		select {
		case <-changed: // is closed when ctx ends
		case <-look:
		}
		rest(ctx, p.Look/4) // several changes come together
	}
	s.drain(ctx, p, running)
	return nil
}

// pass looks who has ended, and starts keepers for jobs of the queue while there is room.
// It returns those that run.
func (s *Service) pass(ctx context.Context, running []begun) ([]begun, error) {
	running = s.ended(ctx, running)
	reaped, err := s.Work.Jobs.Reap(ctx)
	Sweep(over(reaped))
	if err != nil {
		return running, err
	}
	waiting, err := s.waiting(ctx)
	for range waiting {
		if err != nil || len(running) >= s.Slots {
			break
		}
		var b begun
		b, err = launch(context.WithoutCancel(ctx), s.Program, s.Environ, order{Spec: s.Spec, Once: true, Limit: s.Slots, Labels: s.labels()})
		if err == nil && b.Job == "" {
			break // others have taken all, or there is no room
		}
		if err == nil {
			running = append(running, b)
			s.report(ctx, b.Job, true)
		}
	}
	return running, err
}

// labels returns the labels, not nil.
func (s *Service) labels() []string { return append([]string{}, s.Work.Labels...) }

// waiting returns how many jobs of the queue the service takes.
func (s *Service) waiting(ctx context.Context) (n int, err error) {
	jobs, err := s.Work.Jobs.List(ctx)
	if err != nil {
		return 0, err
	}
	self := agent.Worker{Labels: s.Work.Labels}
	for i := range jobs {
		if jobs[i].Queued && takes(&self, s.Work.Takes, &jobs[i]) {
			n++
		}
	}
	return n, nil
}

// ended reports the jobs whose keepers have ended, and returns the others.
func (s *Service) ended(ctx context.Context, running []begun) []begun {
	return slices.DeleteFunc(running, func(b begun) bool {
		if b.Keeper.Alive() {
			return false
		}
		s.report(ctx, b.Job, false)
		return true
	})
}

// drain lets the jobs that run end, for the grace, and then ends them.
func (s *Service) drain(ctx context.Context, p pace, running []begun) {
	ctx = context.WithoutCancel(ctx) // for the pauses
	wait := func(d time.Duration) {
		for until := time.Now().Add(d); len(running) > 0 && time.Now().Before(until); {
			rest(ctx, p.Look)
			running = s.ended(ctx, running)
		}
	}
	wait(s.Grace)
	for _, b := range running {
		s.trouble(b.Keeper.Terminate(func() bool { return true }))
	}
	wait(4 * p.Grace) // a worker has some, and a keeper more; see pace
}

// report reports a job: as it has begun, even if it has ended since, or as it is now.
func (s *Service) report(ctx context.Context, id string, begun bool) {
	if s.Report == nil {
		return
	}
	job, err := s.Work.Jobs.Get(context.WithoutCancel(ctx), id)
	if err != nil {
		s.trouble(err)
		return
	}
	if begun && (job.Status.Final() || job.Queued) {
		job.Status, job.Queued, job.EndedAt = agent.Working, false, time.Time{}
		job.Reason, job.Result, job.Truncated, job.Fault = "", "", false, nil
	}
	s.Report(job)
}

func (s *Service) trouble(err error) {
	if err != nil && s.Trouble != nil {
		s.Trouble(err)
	}
}
