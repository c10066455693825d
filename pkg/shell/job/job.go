// Package job runs commands in the background, each watched by a process of its
// own that outlives the call which started it. It neither judges commands nor
// says what they may reach.
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
	"github.com/helve-dev/helve/pkg/state"
)

// StopTime is how long [Store.Stop] waits for a job to end.
const StopTime = 10 * time.Second

const (
	// maxJobs jobs may run at a time, each for maxTime.
	maxJobs = 32
	maxTime = 24 * time.Hour
	// Ended jobs are remembered for keepTime, and the last keepJobs of them.
	keepTime = 24 * time.Hour
	keepJobs = 100
	// startTime is how long a job may take to start, and pollTime how often a
	// waiting reader looks for its end.
	startTime = 20 * time.Second
	pollTime  = 50 * time.Millisecond
	// commandBytes is how much of a command line a record keeps.
	commandBytes = 500
)

// State is how far a job has come.
type State string

// The states.
const (
	Running State = "running"
	Ended   State = "ended"   // by itself, or at a limit
	Stopped State = "stopped" // by somebody's word
	Lost    State = "lost"    // its supervisor was killed, and it with it
)

// Record is what is known of a job.
type Record struct {
	ID         string      `json:"id"`
	State      State       `json:"state"`
	Command    string      `json:"command"`
	Cwd        string      `json:"cwd"`
	Session    string      `json:"session"`
	Risk       policy.Risk `json:"risk"`
	Started    time.Time   `json:"started"`
	EndedAt    time.Time   `json:"ended_at,omitzero"`
	ExitCode   int         `json:"exit_code"` // -1 unless it ended by itself
	Signal     string      `json:"signal,omitzero"`
	Ended      string      `json:"ended,omitzero"` // why it was ended: timeout, idle, too_many_processes
	Killed     []string    `json:"killed,omitempty"`
	Restored   []string    `json:"restored,omitempty"`
	Bytes      int64       `json:"bytes"` // of output, of which the last are kept
	Supervisor Process     `json:"supervisor"`
	Temp       string      `json:"temp,omitzero"` // private directory to remove
}

// Process is a process that can be told from another one which got its number.
type Process struct {
	PID   int    `json:"pid"`
	Start uint64 `json:"start,omitzero"` // when it started, in the system's own unit; 0 where that is not known
}

// Store is the jobs of one workspace, in files of its state directory.
type Store struct{ dir *state.Dir }

// NewStore gives the jobs kept in a state directory. Time is by its clock.
func NewStore(d *state.Dir) *Store { return &Store{d} }

const (
	jobsDir = "jobs"
	// listLock is held while jobs are counted and started.
	listLock = "\x00jobs"
)

// markVariable is set for a job's processes, to its id.
const markVariable = "HELVE_JOB"

func lockOf(id string) string { return "\x00job " + id }
func fileOf(id string) string { return jobsDir + "/" + id + ".json" }

// isID holds an id to the form of those that [state.NewID] gives, in lower case.
func isID(id string) bool {
	return len(id) == 26 && strings.Trim(id, "0123456789abcdefghjkmnpqrstvwxyz") == ""
}

// Get finds a job. One that is said to run and whose supervisor is gone is lost.
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
		return nil, fault.New(fault.IOError, fault.T("the record of job %s is damaged", "作业 %s 的记录已损坏", id)).
			WithHint(fault.T("start the command again", "请重新启动该命令")).Because(err)
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

// check looks whether a running job's supervisor lives. It does while it holds
// the job's lock; as another reader may hold that for a moment, the process must
// be there as well.
func (s *Store) check(r *Record) (*Record, error) {
	release, free, err := s.dir.Claim(lockOf(r.ID))
	if err != nil {
		return nil, err
	}
	if !free {
		if !r.Supervisor.alive() {
			return s.read(r.ID) // it has just ended, or another reader is finding out
		}
		return r, nil
	}
	// Nobody writes the record now; the supervisor may have done so before.
	now, err := s.read(r.ID)
	if err == nil && now.State == Running {
		now.State, now.ExitCode, now.EndedAt = Lost, -1, s.dir.Now().UTC()
		now.Bytes = s.size(r.ID)
		endMarked(now.ID)
		err = errors.Join(s.write(now), removeTemp(now.Temp))
	}
	return now, errors.Join(err, release())
}

// List gives all jobs that are remembered, the oldest first.
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
			continue // it went meanwhile, or tells nothing
		}
		if err != nil {
			return nil, err
		}
		all = append(all, *r)
	}
	return all, nil
}

// sweep forgets the jobs that ended long ago, and the oldest of too many, and
// gives the rest.
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

// Wait returns a job once it has ended. When the context is done, it gives the
// job as it is, without an error.
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

// Stop ends a job with everything it started, and waits for that.
func (s *Store) Stop(ctx context.Context, id string) (*Record, error) {
	r, err := s.Get(id)
	if err != nil || r.State != Running {
		return r, err
	}
	if err := r.Supervisor.terminate(func() bool {
		now, err := s.Get(id)
		return err == nil && now.State == Running
	}); err != nil {
		return nil, fault.System(err, "job "+id)
	}
	ctx, cancel := context.WithTimeout(ctx, StopTime)
	defer cancel()
	r, err = s.Wait(ctx, id)
	switch {
	case err != nil:
	case r.State == Lost: // where a process cannot be asked to end, it is ended
		r.State = Stopped
		err = s.write(r)
	case r.State == Running:
		err = fault.New(fault.Timeout, fault.T("job %s does not stop", "作业 %s 未能停止", id)).
			WithHint(fault.T("look again with action=list", "请稍后用 action=list 查看"))
	}
	return r, err
}

func unknown(id string) error {
	return fault.New(fault.NotFound, fault.T("there is no job %q", "没有作业 %q", id)).
		WithHint(fault.T("action=list shows what there is", "action=list 会列出现有作业"))
}
