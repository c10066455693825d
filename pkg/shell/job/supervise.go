package job

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
)

// Supervise runs the job that it reads from in and writes to out whether it started.
// It returns the exit status for the process, which must do nothing else.
func Supervise(in io.Reader, out io.WriteCloser) (status int) {
	spec, err := readSpec(in)
	if err != nil {
		send(out, reply{}, err)
		return 1
	}
	if reaper, status := reap(spec, out); reaper {
		return status
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	s := supervisor{spec: spec, out: out}
	if err := s.run(ctx); err != nil {
		s.send(reply{}, err)
		return 1
	}
	return 0
}

// send writes the one line and closes out.
func send(out io.WriteCloser, w reply, err error) {
	if err != nil {
		e := fault.As(err)
		w = reply{Code: e.Code, Message: e.Message.String(), Hint: e.Hint.String()}
	}
	if line, err := schema.Marshal(w); err == nil {
		_, _ = out.Write(append(line, '\n')) // the caller may be gone
	}
	_ = out.Close() // see above
}

// supervisor runs a job.
type supervisor struct {
	spec *Spec
	out  io.WriteCloser
	sent bool
}

// send sends the reply, once.
func (s *supervisor) send(w reply, err error) {
	if !s.sent {
		s.sent = true
		send(s.out, w, err)
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
	sb, err := sandbox.New(spec.Profile, spec.Support, spec.Kind)
	if err != nil {
		return err
	}
	r.State, r.ExitCode, r.Supervisor = Running, -1, thisProcess()
	output := recorder{dir: dir, id: r.ID}
	c := run.Command{
		Argv: spec.Argv, Dir: spec.Dir, Env: append(spec.Env, markVariable+"="+r.ID), Timeout: maxTime, Idle: spec.Idle, Sandbox: sb, Head: 1, Tail: 1,
		Stream: func(chunk run.Chunk) { output.write(chunk.Data) },
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
		s.send(reply{Record: &r}, nil)
	}
	result, err := run.Run(runs, c)
	if result == nil || started != nil {
		return errors.Join(err, started)
	}
	r.State, r.EndedAt = Ended, dir.Now().UTC()
	if result.Ended == run.Canceled {
		r.State = Stopped
	} else {
		r.Ended = string(result.Ended)
	}
	r.ExitCode, r.Signal, r.Killed, r.Restored, r.Planted, r.Bytes = result.ExitCode, result.Signal, result.Killed, result.Restored, result.Planted, output.all
	return errors.Join(err, output.close(), store.write(&r))
}
