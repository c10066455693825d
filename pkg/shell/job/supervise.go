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

// Supervise runs one job, which is told on in, and says on out whether it
// started. It must be the whole of its process. The status is the process's.
func Supervise(in io.Reader, out io.WriteCloser) (status int) {
	spec, err := readSpec(in)
	if err != nil {
		tell(out, word{}, err)
		return 1
	}
	if guarded, status := guard(spec, out); guarded {
		return status
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	s := supervisor{spec: spec, out: out}
	if err := s.run(ctx); err != nil {
		s.tell(word{}, err)
		return 1
	}
	return 0
}

// tell says the one line, and that there is no other.
func tell(out io.WriteCloser, w word, err error) {
	if err != nil {
		e := fault.As(err)
		w = word{Code: e.Code, Message: e.Message.String(), Hint: e.Hint.String()}
	}
	if line, err := schema.Marshal(w); err == nil {
		_, _ = out.Write(append(line, '\n')) // who started it may be gone
	}
	_ = out.Close() // see above
}

type supervisor struct {
	spec *Spec
	out  io.WriteCloser
	told bool
}

func (s *supervisor) tell(w word, err error) {
	if !s.told {
		s.told = true
		tell(s.out, w, err)
	}
}

func (s *supervisor) run(ctx context.Context) (err error) {
	spec := s.spec
	dir, err := state.Open(spec.StateBase, spec.Root, state.Options{})
	if err != nil {
		return err
	}
	store := NewStore(dir)
	r := spec.Record
	unlock, err := dir.Lock(ctx, lockOf(r.ID)) // which ends with this process, whatever ends it
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
			cancel() // nobody could ever find it
			return
		}
		s.tell(word{Record: &r}, nil)
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
	r.ExitCode, r.Signal, r.Killed, r.Restored, r.Bytes = result.ExitCode, result.Signal, result.Killed, result.Restored, output.all
	return errors.Join(err, output.close(), store.write(&r))
}
