package agent

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Jobs are the jobs of a store. Its methods may be called from several goroutines.
type Jobs struct {
	store store.Store
	bus   *bus.Bus
	now   func() time.Time

	mu   sync.Mutex
	seen map[string]observation // by the IDs of workers of other machines
}

// NewJobs returns the jobs of a store, and announces their ends on a bus over the same
// store. now is the clock.
func NewJobs(s store.Store, b *bus.Bus, now func() time.Time) *Jobs {
	return &Jobs{store: s, bus: b, now: now, seen: map[string]observation{}}
}

// FinalMessage returns the id of the message that reports the end of a job.
func FinalMessage(id string) string { return "job:" + id + ":final" }

// clock returns the time as it is kept: in UTC, to the microsecond.
func (j *Jobs) clock() time.Time { return j.now().UTC().Truncate(time.Microsecond) }

// Get returns a job, by its ID or by a beginning of it that no other one has. The faults
// are not_found, with the ID that is similar, and bad_document for a record that is
// damaged.
func (j *Jobs) Get(ctx context.Context, id string) (job Job, err error) {
	err = j.store.View(ctx, func(r store.Reader) error {
		job, err = find(r, id)
		return err
	})
	return job, err
}

// find returns a job by its ID, or by the beginning of it.
func find(r store.Reader, ref string) (Job, error) {
	if job, found, err := read(r, ref); found || err != nil {
		return job, err
	}
	entries, err := r.List(jobKeys)
	if err != nil {
		return Job{}, err
	}
	var all, begun []string
	for _, e := range entries {
		id := strings.TrimPrefix(e.Key, jobKeys)
		all = append(all, id)
		if ref != "" && strings.HasPrefix(id, ref) {
			begun = append(begun, id)
		}
	}
	switch {
	case len(begun) == 1:
		return need(r, begun[0])
	case len(begun) > 1:
		return Job{}, fault.New(fault.NotFound, fault.T("several jobs begin with %q", ref)).
			WithHint(fault.T("name one: %s", strings.Join(begun[:min(len(begun), maxNamed)], ", ")))
	}
	none := unknown(ref)
	if like := similar.Name(ref, all); like != "" {
		none.WithHint(fault.T("did you mean %s? helve spawn list lists the jobs", like))
	}
	return Job{}, none
}

// maxNamed limits the number of jobs that a hint names.
const maxNamed = 10

func unknown(id string) *fault.Error {
	return fault.New(fault.NotFound, fault.T("there is no job %q", id)).
		WithHint(fault.T("helve spawn list lists the jobs"))
}

// List returns the jobs that are kept, newest first, without their results and with the
// first bytes of a long task: Get returns all of one. A job whose record cannot be read
// has failed, and its Fault says why.
func (j *Jobs) List(ctx context.Context) (jobs []Job, err error) {
	err = j.store.View(ctx, func(r store.Reader) error {
		jobs, err = list(r)
		return err
	})
	return jobs, err
}

func list(r store.Reader) ([]Job, error) {
	jobs, err := store.Records(r, jobKeys, func(id string, data []byte) Job {
		kept, err := decode(id, data)
		if err != nil {
			return broken(id, data, err)
		}
		return kept.Job
	})
	slices.SortStableFunc(jobs, func(a, b Job) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return jobs, err
}

// Running returns how many jobs run on a machine, and how many are in the queue.
func (j *Jobs) Running(ctx context.Context, machine string) (running, queued int, err error) {
	err = j.store.View(ctx, func(r store.Reader) error {
		s, err := readSlots(r, (&Worker{Machine: machine, Host: hostname()}).place())
		if err != nil {
			return err
		}
		waiting, err := r.List(queueKeys)
		running, queued = len(s.Jobs), len(waiting)
		return err
	})
	return running, queued, err
}
