package task

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Store is the tasks of a workspace, some of which this process carries out. Its methods
// may be called from several goroutines.
type Store struct {
	dir  *state.Dir
	jobs Jobs
	lang fault.Lang // of the messages of tasks

	mu      sync.Mutex
	process string       // the name of the lock that this process holds; "" is none
	release func() error // the lock
	running map[string]*Run
}

// Jobs are the sub-agents that do the work of some tasks, and go on when the process of
// such a task has died.
type Jobs interface {
	// Result returns what the call that waits for a job returns once the job has ended;
	// nil while it has not.
	Result(ctx context.Context, job string) (json.RawMessage, error)
	// Cancel ends a job.
	Cancel(ctx context.Context, job string) error
}

// New returns the tasks that are kept in a state directory.
func New(dir *state.Dir, jobs Jobs, lang fault.Lang) *Store {
	return &Store{dir: dir, jobs: jobs, lang: lang, running: map[string]*Run{}}
}

// Begin keeps a new task, which anybody can ask for from then on. cancel ends the call.
func (s *Store) Begin(owner string, cancel context.CancelCauseFunc) (*Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.running) >= maxRunning { // what could not be kept is forgotten first
		maps.DeleteFunc(s.running, func(_ string, r *Run) bool { return r.Task().Status.Final() })
	}
	if len(s.running) >= maxRunning {
		return nil, fault.New(fault.Unavailable, fault.T("%d tasks are at work", len(s.running))).
			WithHint(fault.T("wait until one of them has ended"))
	}
	if err := s.hold(); err != nil {
		return nil, err
	}
	now := s.dir.Now().UTC()
	r := &Run{store: s, cancel: cancel, used: map[string]bool{}, ended: make(chan struct{}), task: Task{
		ID: rand.Text(), Owner: owner, Process: s.process, Created: now, Updated: now, TTL: Keep, Status: Working,
	}}
	if err := s.save(&r.task); err != nil {
		return nil, err
	}
	s.running[r.task.ID] = r
	return r, s.dir.Trim(tasksDir, 2*Keep, maxBytes)
}

// hold takes the lock that says that this process lives.
func (s *Store) hold() error {
	if s.process != "" {
		return nil
	}
	name := rand.Text()
	release, ok, err := s.dir.Claim(lockOf(name))
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.Internal, fault.T("the lock of a new process is held"))
	}
	s.process, s.release = name, release
	return nil
}

// Get returns a task of an owner. One whose process has died has failed, unless a
// sub-agent does the work.
func (s *Store) Get(ctx context.Context, owner, id string) (Task, error) {
	t, _, err := s.find(owner, id, func(t *Task) error {
		if t.Job != "" {
			result, err := s.jobs.Result(ctx, t.Job)
			if result != nil {
				t.end(s.dir.Now(), Completed)
				t.Result = result
			}
			return err
		}
		lost := fault.T("the process that carried out the call ended before the call did")
		t.end(s.dir.Now(), Failed)
		t.Message = lost.In(s.lang)
		t.Error = &Error{Code: internalError, Message: t.Message}
		return nil
	})
	return t, err
}

// find returns a task of an owner, and the Run of one that this process carries out. What
// orphaned makes of a task is kept whose process has died before its end.
func (s *Store) find(owner, id string, orphaned func(*Task) error) (Task, *Run, error) {
	if r := s.run(id); r != nil {
		t := r.Task()
		if t.Owner != owner {
			return Task{}, nil, unknown()
		}
		return t, r, nil
	}
	t, err := s.load(owner, id)
	if err != nil || t.Status.Final() {
		return t, nil, err
	}
	release, died, err := s.dir.Claim(lockOf(t.Process))
	if err != nil || !died {
		return t, nil, err
	}
	defer func() { _ = release() }() // nobody else wants the lock of a process that has died
	if t, err = s.load(owner, id); err != nil || t.Status.Final() {
		return t, nil, err // it ended before its process did
	}
	if err := orphaned(&t); err != nil || !t.Status.Final() {
		return t, nil, err
	}
	return t, nil, s.save(&t)
}

// Update gives a task what it needs of the client. Answers to what it does not ask are
// ignored.
func (s *Store) Update(owner, id string, answers map[string]json.RawMessage) error {
	t, r, err := s.find(owner, id, func(*Task) error { return nil })
	switch {
	case err != nil || t.Status != InputRequired:
		return err
	case r == nil:
		return elsewhere()
	}
	return r.answer(answers)
}

// Cancel ends a task. One that has ended stays as it is.
func (s *Store) Cancel(ctx context.Context, owner, id string) error {
	t, r, err := s.find(owner, id, func(t *Task) error {
		if t.Job != "" {
			if err := s.jobs.Cancel(ctx, t.Job); err != nil {
				return err
			}
		}
		t.end(s.dir.Now(), Canceled)
		return nil
	})
	switch {
	case err != nil:
		return err
	case r != nil:
		r.stop()
	case !t.Status.Final():
		return elsewhere()
	}
	return nil
}

// Age returns how long ago a task began.
func (s *Store) Age(t Task) time.Duration { return s.dir.Now().Sub(t.Created) }

func (s *Store) run(id string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[id]
}

// Close cancels the tasks of this process and returns when they have ended, except those
// that sub-agents do, which go on. The store can be used again.
func (s *Store) Close() error {
	s.mu.Lock()
	var waiting []*Run
	for _, r := range s.running {
		if !r.leave() {
			waiting = append(waiting, r)
		}
	}
	s.mu.Unlock()
	for _, r := range waiting {
		r.stop()
	}
	for _, r := range waiting {
		<-r.ended
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	release := s.release
	s.process, s.release, s.running = "", nil, map[string]*Run{}
	if release == nil {
		return nil
	}
	return release()
}

const tasksDir = "tasks"

func fileOf(id string) string { return tasksDir + "/" + id + "/task.json" }

// lockOf returns the key of a process's lock. No path has a NUL.
func lockOf(process string) string { return "\x00tasks of " + process }

// load reads a task of an owner.
func (s *Store) load(owner, id string) (t Task, err error) {
	if !isID(id) {
		return t, unknown()
	}
	data, err := s.dir.ReadFile(fileOf(id))
	if errors.Is(err, fs.ErrNotExist) {
		return t, unknown()
	}
	if err != nil {
		return t, err
	}
	if t, err = decode(data); err != nil {
		return Task{}, err
	}
	if t.ID != id || t.Owner != owner || t.Status.Final() && s.dir.Now().After(t.Created.Add(t.TTL)) {
		return Task{}, unknown()
	}
	return t, nil
}

// decode reads what [Store.save] has written.
func decode(data []byte) (t Task, err error) {
	if err = json.Unmarshal(data, &t); err == nil && !known(t.Status) {
		err = errors.New("unknown status")
	}
	if err != nil {
		return Task{}, fault.New(fault.BadDocument, fault.T("the record of a task is damaged")).
			WithHint(fault.T("make the call again")).Because(err)
	}
	return t, nil
}

func (s *Store) save(t *Task) error {
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return s.dir.WriteFile(fileOf(t.ID), data)
}
