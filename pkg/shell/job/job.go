package job

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
)

// StopTime limits the wait of [Store.Stop] for the end of a job.
const StopTime = 10 * time.Second

const (
	// maxJobs jobs may run at a time, each for maxTime.
	maxJobs = 32
	maxTime = 24 * time.Hour
	// Ended jobs are remembered for keepTime, the last keepJobs of them.
	keepTime = 24 * time.Hour
	keepJobs = 100
	// startTime limits the start of a job; pollTime is the time between two looks of a
	// waiting reader for its end.
	startTime = 45 * time.Second
	pollTime  = 50 * time.Millisecond
	// commandBytes limits the command line in a record.
	commandBytes = 500
)

// State is a stage in the life of a job.
type State string

// The states.
const (
	Running State = "running"
	Ended   State = "ended"   // by itself or by a limit
	Stopped State = "stopped" // by a call of [Store.Stop]
	Lost    State = "lost"    // killed together with its supervisor
)

// Record describes a job.
type Record struct {
	ID       string          `json:"id"`
	State    State           `json:"state"`
	Command  string          `json:"command"`
	Cwd      string          `json:"cwd"`
	Session  string          `json:"session"`
	Risk     policy.Risk     `json:"risk"`
	Started  time.Time       `json:"started"`
	EndedAt  time.Time       `json:"ended_at,omitzero"`
	ExitCode int             `json:"exit_code"` // -1 unless it ended by itself
	Signal   string          `json:"signal,omitzero"`
	Ended    string          `json:"ended,omitzero"`  // why it was ended: a [run.Reason]
	Excess   string          `json:"excess,omitzero"` // what it took too much of, and what helps
	Killed   []string        `json:"killed,omitempty"`
	Restored []string        `json:"restored,omitempty"`
	Planted  []sandbox.Moved `json:"planted,omitempty"`
	// Changed lists its changes in the workspace once it has ended, in the form of its
	// [Watch]; or Untracked says why they are not known.
	Changed   json.RawMessage `json:"changed,omitempty"`
	Untracked string          `json:"untracked,omitzero"`
	Bytes     int64           `json:"bytes"` // of output, of which the end is kept
	// Notes tells of a job that was held all that its caller would have read beside its
	// output.
	Notes      string     `json:"notes,omitzero"`
	Supervisor process.ID `json:"supervisor"`
	// Held says that Supervisor does other things, too; see [Held].
	Held bool   `json:"held,omitzero"`
	Temp string `json:"temp,omitzero"` // private directory to remove
}

// Store holds the jobs of a workspace, in files of its state directory.
type Store struct{ dir *state.Dir }

// NewStore returns the jobs in a state directory, whose clock they use.
func NewStore(d *state.Dir) *Store { return &Store{d} }

const (
	jobsDir = "jobs"
	// listLock is held while jobs are counted and started.
	listLock = "\x00jobs"
)

// markVariable is set to the id of a job in the environment of its processes.
const markVariable = "HELVE_JOB"

func lockOf(id string) string { return "\x00job " + id }
func fileOf(id string) string { return jobsDir + "/" + id + ".json" }

// isID reports whether an id has the form of [state.NewID], in lower case.
func isID(id string) bool {
	return len(id) == 26 && strings.Trim(id, "0123456789abcdefghjkmnpqrstvwxyz") == ""
}

// Get returns a job. A running job whose supervisor is gone becomes a lost one.
func (s *Store) Get(id string) (*Record, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	if !isID(id) {
		return nil, unknown(id)
	}
	r, err := s.read(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknown(id)
	}
	if err != nil || r.State != Running {
		return r, err
	}
	if r, err = s.check(r); err == nil && r.State == Running {
		r.Bytes = s.size(id)
	}
	return r, err
}

func (s *Store) read(id string) (*Record, error) {
	data, err := s.dir.ReadFile(fileOf(id))
	if err != nil {
		return nil, err
	}
	var r Record
	if err := json.Unmarshal(data, &r); err != nil || r.ID != id {
		return nil, damaged(id, err)
	}
	return &r, nil
}

func (s *Store) write(r *Record) error {
	data, err := schema.Marshal(r)
	if err != nil {
		return err
	}
	return s.dir.WriteFile(fileOf(r.ID), data)
}

// check marks a running job as lost if its supervisor is gone. A supervisor holds the
// lock of its job while it lives. A reader holds it for a moment, too, so that a lock
// that is taken is not enough: the process must exist.
func (s *Store) check(r *Record) (*Record, error) {
	release, free, err := s.dir.Claim(lockOf(r.ID))
	if err != nil {
		return nil, err
	}
	if !free {
		if !r.Supervisor.Alive() {
			return s.read(r.ID) // it has just ended, or another reader is checking
		}
		return r, nil
	}
	// The lock is ours, so nobody writes the record now. The supervisor may have
	// written it before it ended.
	now, err := s.read(r.ID)
	if err == nil && now.State == Running {
		now.State, now.ExitCode, now.EndedAt = Lost, -1, s.dir.Now().UTC()
		now.Bytes = s.size(r.ID)
		s.unshare(r.ID)
		process.EndMarked(markVariable + "=" + now.ID)
		err = errors.Join(s.write(now), removeTemp(now.Temp))
	}
	return now, errors.Join(err, release())
}

// List returns all jobs that are remembered, the oldest first.
func (s *Store) List() ([]Record, error) {
	names, err := s.dir.List(jobsDir)
	if err != nil {
		return nil, err
	}
	var all []Record
	for _, name := range names {
		id, ok := strings.CutSuffix(name, ".json")
		if !ok || !isID(id) {
			continue
		}
		r, err := s.Get(id)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.IOError) {
			continue // it is gone or unreadable
		}
		if err != nil {
			return nil, err
		}
		all = append(all, *r)
	}
	return all, nil
}

// sweep forgets jobs that ended long ago, and the oldest if there are too many. It
// returns the others.
func (s *Store) sweep() ([]Record, error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	old := s.dir.Now().Add(-keepTime)
	ended := 0
	for _, r := range all {
		if r.State != Running {
			ended++
		}
	}
	return slices.DeleteFunc(all, func(r Record) bool {
		if r.State == Running || ended <= keepJobs && r.EndedAt.After(old) {
			return false
		}
		ended--
		return s.forget(r.ID) == nil
	}), nil
}

// forget removes everything about a job.
func (s *Store) forget(id string) error {
	names, err := s.dir.List(jobsDir)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		if strings.HasPrefix(name, id+".") {
			errs = append(errs, s.dir.Remove(jobsDir+"/"+name))
		}
	}
	return errors.Join(errs...)
}

// Wait waits until a job has ended and returns it. When ctx is done it returns the job
// as it is, without an error.
func (s *Store) Wait(ctx context.Context, id string) (*Record, error) {
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for {
		r, err := s.Get(id)
		if err != nil || r.State != Running {
			return r, err
		}
		select {
		case <-ctx.Done():
			return r, nil
		case <-tick.C:
		}
	}
}

// end asks whoever runs a job to end it.
func (s *Store) end(r *Record) error {
	if r.Held {
		return s.dir.WriteFile(stopOf(r.ID), nil)
	}
	err := r.Supervisor.Terminate(func() bool {
		now, err := s.Get(r.ID)
		return err == nil && now.State == Running
	})
	return fault.System(err, "job "+r.ID)
}

// Stop ends a job with everything that it started, and waits for the end.
func (s *Store) Stop(ctx context.Context, id string) (*Record, error) {
	r, err := s.Get(id)
	if err != nil || r.State != Running {
		return r, err
	}
	if err := s.end(r); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, StopTime)
	defer cancel()
	r, err = s.Wait(ctx, id)
	switch {
	case err != nil:
	case r.State == Lost: // Windows cannot ask a process to end, so it was killed
		r.State = Stopped
		err = s.write(r)
	case r.State == Running:
		err = stillRuns(id)
	}
	return r, err
}
