package job

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
)

// Watch is called before a job starts, and end after it has ended, with everything that it
// started. What end returns is kept in the record. Its error is said there.
type Watch func(ctx context.Context, spec *Spec, dir *state.Dir) (end func() (json.RawMessage, error), err error)

// Supervise runs the job that it reads from in and writes to out whether it started.
// It returns the exit status for the process, which must do nothing else. watch and notify
// may be nil.
func Supervise(in io.Reader, out io.WriteCloser, watch Watch, notify Notify) (status int) {
	spec, err := readSpec(in)
	if err != nil {
		process.Answer(out, nil, err)
		return 1
	}
	if reaper, status := reap(spec, out); reaper {
		return status
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	s := supervisor{spec: spec, out: out, watch: watch, notify: notify}
	if err := s.run(ctx); err != nil {
		s.answer(nil, err)
		return 1
	}
	return 0
}

// supervisor runs a job.
type supervisor struct {
	spec     *Spec
	out      io.WriteCloser
	answered bool
	watch    Watch
	notify   Notify
}

// answer says whether the command runs, once.
func (s *supervisor) answer(r *Record, err error) {
	if !s.answered {
		s.answered = true
		process.Answer(s.out, r, err)
	}
}

// run runs the job to its end and keeps its record.
func (s *supervisor) run(ctx context.Context) (err error) {
	spec := s.spec
	dir, err := state.Open(spec.StateBase, spec.Root, state.Options{})
	if err != nil {
		return err
	}
	store := NewStore(dir)
	r := spec.Record
	unlock, err := dir.Lock(ctx, lockOf(r.ID)) // the kernel releases it when this process ends
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	defer func() { err = errors.Join(err, removeTemp(r.Temp)) }()
	profile := spec.Profile
	if spec.Kind == sandbox.Namespaces && profile.Network.Private() {
		profile.Loopback, profile.Shares = store.Loopback(r.Session), true
		defer profile.Loopback.Close()
	}
	sb, err := native.New(profile, spec.Support, spec.Kind)
	if err != nil {
		return err
	}
	r.State, r.ExitCode, r.Supervisor = Running, -1, process.This()
	output := recorder{dir: dir, id: r.ID}
	c := run.Command{
		Argv: spec.Argv, Dir: spec.Dir, Env: append(spec.Env, markVariable+"="+r.ID), Timeout: maxTime, Idle: spec.Idle, Budget: spec.Budget, Sandbox: sb, Head: 1, Tail: 1,
		Stream: func(chunk run.Chunk) { output.write(chunk.Data) },
	}
	notified, err := s.notified(&c)
	if err != nil {
		return err
	}
	if spec.Stdin != "" {
		c.Stdin = strings.NewReader(spec.Stdin)
	}
	var started error
	runs, cancel := context.WithCancel(ctx)
	defer cancel()
	c.Started = func() {
		if started = store.write(&r); started != nil {
			cancel() // nobody could find it
			return
		}
		store.share(&r, sb.Loopback())
		s.answer(&r, nil)
	}
	changed := s.watched(ctx, dir)
	result, err := run.Run(runs, c)
	store.unshare(r.ID)
	sb.Loopback().Close()
	r.Changed, r.Untracked = changed()
	if result == nil || started != nil {
		return errors.Join(err, started)
	}
	r.State, r.EndedAt = Ended, dir.Now().UTC()
	if result.Ended == run.Canceled {
		r.State = Stopped
	} else {
		r.Ended = string(result.Ended)
	}
	if result.Excess != nil {
		r.Excess = result.Excess.In(spec.Lang)
	}
	r.ExitCode, r.Signal, r.Killed, r.Restored, r.Planted, r.Bytes = result.ExitCode, result.Signal, result.Killed, result.Restored, result.Planted, output.all
	err = errors.Join(err, output.close(), store.write(&r))
	if unsent := notified(&r); unsent != nil {
		r.Notes = fault.T("its end was not sent as a message: %s\n", fault.As(unsent).Message).In(spec.Lang)
		err = errors.Join(err, store.write(&r))
	}
	return err
}

// notified has the output of the command sent as events. What it returns is to be called when
// the job has ended, and waits until the last event is sent.
func (s *supervisor) notified(c *run.Command) (end func(*Record) error, err error) {
	if s.spec.Notify == "" || s.notify == nil {
		return func(*Record) error { return nil }, nil
	}
	ctx := context.Background() // of a job that is asked to end the end is sent, too
	n, err := newNotifier(s.spec.Notify, func(e Event) error { return s.notify(ctx, s.spec, e) })
	if err != nil {
		return nil, err
	}
	keep := c.Stream
	c.Stream = func(chunk run.Chunk) {
		keep(chunk)
		n.write(chunk.Data)
	}
	return n.end, nil
}

// watched calls watch. What it returns is to be called when the job has ended. A job that
// cannot be watched runs all the same, and its record says why.
func (s *supervisor) watched(ctx context.Context, dir *state.Dir) (changed func() (json.RawMessage, string)) {
	if s.watch == nil {
		return func() (json.RawMessage, string) { return nil, "" }
	}
	end, err := s.watch(ctx, s.spec, dir)
	if err != nil {
		return func() (json.RawMessage, string) { return nil, fault.As(err).Message.In(s.spec.Lang) }
	}
	return func() (json.RawMessage, string) {
		found, err := end()
		if err != nil {
			return nil, fault.As(err).Message.In(s.spec.Lang)
		}
		return found, ""
	}
}
