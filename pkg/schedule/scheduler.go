package schedule

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Runner carries out an action of a job, either the job's own or the call of its
// condition, and returns the output to deliver. With an error, output may be partial. It
// ends soon after ctx does.
type Runner func(ctx context.Context, job Job, action Action, run Run) (output string, err error)

// Options configure a scheduler.
type Options struct {
	Store store.Store
	// Now is the clock on the wall. It may be set at any time.
	Now func() time.Time
	// Runner carries out all actions but messages.
	Runner Runner
	// Takes reports whether the runner may carry out a job: a store may have jobs of
	// workspaces that other hosts have. Such a job is left to them, unless it only sends
	// a message. Nil takes all.
	Takes func(*Job) bool
	// Parallel limits the concurrent runs; default 8.
	Parallel int
	// Grace limits the time of runs when the scheduler is to end, before they are
	// canceled; default 10 seconds.
	Grace time.Duration
	// Report is called with every run that has ended or will be tried again, and with
	// the record of slots that do not run, if it is not nil; one call at a time.
	Report func(Run)
	// Trouble is called with every failure after which the scheduler goes on, if it is
	// not nil; one call at a time.
	Trouble func(error)
}

// Scheduler runs jobs. It is used once: for Run, Tick or RunNow.
type Scheduler struct {
	opt  Options
	bus  *bus.Bus
	who  func(kind string) member // this process
	self member
	stop func()           // ends the heartbeat
	jobs map[string]known // by ID; of the goroutine that looks for work
	// doubt are the attempts, by the ID of the run, that were claimed in a transaction of
	// which the store has not said whether it is written. They have not been started.
	doubt map[string]int

	done chan struct{} // receives when a run has ended

	mu      sync.Mutex
	running map[string]*attempt // by the ID of the run
	started int                 // runs
	seen    map[string]observation
	ended   []Run // for Tick

	reports sync.Mutex // held while Report or Trouble is called
}

// known is a job as it was read last.
type known struct {
	revision uint64
	job      Job
	quiet    time.Time // nothing is to be done before, unless the job changes
}

// attempt is a run that this scheduler carries out.
type attempt struct {
	run    Run
	cancel context.CancelCauseFunc
}

// NewScheduler returns a scheduler.
func NewScheduler(opt Options) *Scheduler {
	opt.Parallel = cmp.Or(opt.Parallel, 8)
	opt.Grace = cmp.Or(opt.Grace, 10*time.Second)
	s := &Scheduler{
		opt: opt, bus: bus.New(opt.Store, opt.Now), jobs: map[string]known{}, doubt: map[string]int{},
		done: make(chan struct{}, 1), running: map[string]*attempt{}, seen: map[string]observation{},
	}
	s.who = func(kind string) member { return thisMember(kind, s.now()) }
	return s
}

// now returns the time as it is kept: in UTC, to the millisecond.
func (s *Scheduler) now() time.Time { return s.opt.Now().UTC().Round(0).Truncate(time.Millisecond) }

func (s *Scheduler) report(run Run) {
	if s.self.Kind == kindTick { // a scheduler that goes on for months keeps none
		s.mu.Lock()
		s.ended = append(s.ended, run)
		s.mu.Unlock()
	}
	if s.opt.Report != nil {
		s.reports.Lock()
		defer s.reports.Unlock()
		s.opt.Report(run)
	}
}

func (s *Scheduler) trouble(err error) {
	if s.opt.Trouble != nil && err != nil {
		s.reports.Lock()
		defer s.reports.Unlock()
		s.opt.Trouble(err)
	}
}

// count returns how many runs go on.
func (s *Scheduler) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running)
}

// remains lists the jobs and the records that dead schedulers left.
type remains struct {
	jobs []string // that have runs of them, or such as this one does not carry out
	dead []string // the keys of their records
}

// look reads the jobs, as far as they have changed, and who has died.
func (s *Scheduler) look(r store.Reader) (seen remains, err error) {
	if seen.dead, err = s.gone(r); err != nil {
		return seen, err
	}
	entries, err := r.List(jobKeys)
	if err != nil {
		return seen, err
	}
	jobs := make(map[string]known, len(entries))
	for _, e := range entries {
		id := strings.TrimPrefix(e.Key, jobKeys)
		k := s.jobs[id]
		if k.revision != e.Revision {
			k = known{revision: e.Revision, job: decodeJob(id, e.Value)}
		}
		jobs[id] = k
		for _, a := range k.job.State.Active {
			dead, err := s.dead(r, a.Scheduler)
			if err != nil {
				return seen, err
			}
			if dead || s.orphaned(id, a) {
				seen.jobs = append(seen.jobs, id)
				break
			}
		}
	}
	s.jobs = jobs
	return seen, nil
}
