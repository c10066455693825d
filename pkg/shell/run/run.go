package run

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// Grace is the time that a command gets to end after it was asked to.
const Grace = 2 * time.Second

const (
	// drainTime limits the wait for output of processes that outlive the command and
	// hold its output open.
	drainTime = 200 * time.Millisecond
	// openFiles limits the files that a process has open at a time, fileBytes the size
	// of a file that it writes, and processes the processes of a command, which are
	// counted at least every countInterval.
	openFiles     = 4096
	fileBytes     = 2 << 30
	processes     = 512
	countInterval = time.Second
)

// Command is a program to run, with its streams and limits.
type Command struct {
	// Argv are the program and its arguments; see [Shell.Argv]. A program without
	// a slash is looked up in the PATH of Env.
	Argv []string
	Dir  string   // absolute
	Env  []string // the whole environment; see [Environment]
	// Stdin is the input of the command; nil is an empty one.
	Stdin io.Reader
	// Timeout ends the command after that time, Idle after that time without
	// output. Zero is no limit.
	Timeout, Idle time.Duration
	// Budget ends the command once it and what it started take more.
	Budget Budget
	// Abrupt kills the command when its time is over, without asking it to end first.
	Abrupt bool
	// Split keeps standard error apart from standard output.
	Split bool
	// Raw keeps colours and progress lines.
	Raw bool
	// Head and Tail are the bytes kept of the beginning and of the end of each output;
	// zero is 8 KiB and 24 KiB.
	Head, Tail int
	// Spill, if not nil, opens a file for the whole output. It is called when more
	// is printed than is kept, and the file is closed.
	Spill func() (io.WriteCloser, error)
	// Stream, if not nil, receives the output as it comes. It must not keep the
	// bytes.
	Stream func(Chunk)
	// Closed, if not nil, is called when nobody can write to standard output any more, or
	// to standard error (only with Split). The command may still run.
	Closed func(stderr bool)
	// Started, if not nil, is called once the command runs.
	Started func()
	// Mark is in the environment; see [sandbox.Command].
	Mark string
	// Sandbox confines the command; nil does not.
	Sandbox sandbox.Sandbox
}

// Chunk is a piece of output.
type Chunk struct {
	Stderr bool // only with Split
	Data   []byte
}

// Reason is why a command was ended.
type Reason string

// The reasons why a command is ended.
const (
	NoReason       Reason = ""
	TimedOut       Reason = "timeout"
	Idle           Reason = "idle"
	Canceled       Reason = "canceled"
	TooMany        Reason = "too_many_processes"
	TooLarge       Reason = "too_much_memory"
	DiskFull       Reason = "disk_full"
	TooMuchWritten Reason = "too_much_written"
	TooMuchKept    Reason = "temp_full"
)

// Result is the end of a command, its output, and the findings of its sandbox. An exit
// status other than 0 is not an error.
type Result struct {
	sandbox.State
	Ended Reason // NoReason when it ended by itself
	// Excess says what it took too much of, and what helps; nil unless it was ended for that.
	Excess   *fault.Text
	Duration time.Duration
	Output   Output // with Split, standard output alone
	Stderr   Output
	// Killed are the command lines of processes that the command left running.
	Killed []string
	// Restored are protected paths that the command changed and that were put back.
	Restored []string
	// Planted lists files of the command that other programs would execute or obey, and
	// where they are now.
	Planted []sandbox.Moved
	Sandbox sandbox.Report
	Denials []sandbox.Denial
	// SpillErr says why the spill does not hold the whole output.
	SpillErr error
}

// Run runs a command. The result holds the output however the command ended, also
// when ctx is done. An error means that the command did not start, or that
// something could not be ended or put back.
func Run(ctx context.Context, c Command) (*Result, error) {
	path, err := lookPath(c)
	if err != nil {
		return nil, err
	}
	sb := c.Sandbox
	if sb == nil {
		if sb, err = native.New(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.Full, Workspace: c.Dir}, sandbox.Support{}, sandbox.None); err != nil {
			return nil, err
		}
	}
	p, err := openPipes(c)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	process, err := sb.Start(sandbox.Command{
		Path: path, Argv: c.Argv, Dir: c.Dir, Env: c.Env, Stdin: p.stdin, Stdout: p.stdout, Stderr: p.stderr,
		Limits: c.Budget.limits(), Mark: c.Mark,
	})
	p.started()
	if err != nil {
		p.abandon()
		return nil, err
	}
	if c.Started != nil {
		c.Started()
	}
	r := &Result{Sandbox: sb.Report()}
	r.Ended, r.Excess = p.watch(ctx, c, process)
	// What the command left running may print a little more before it is killed.
	// The pipes can only be closed when nothing is left.
	p.drain(drainTime)
	r.Killed, err = process.Finish()
	p.drain(Grace)
	p.close()
	r.Duration = time.Since(begin)
	state, stateErr := process.State()
	restored, restoreErr := sb.Restored()
	planted, plantedErr := sb.Planted()
	r.State, r.Restored, r.Planted, r.Sandbox = state, restored, planted, sb.Report()
	p.result(r)
	if r.Excess == nil {
		r.Excess = c.Budget.reached(state)
	}
	r.Denials = sb.Denials(r.Output.Text+"\n"+r.Stderr.Text, c.Dir)
	return r, errors.Join(err, stateErr, restoreErr, plantedErr)
}

// watch waits for the end of the command, ends it when a limit is reached, and
// returns which, with what there is to say of it.
func (p *pipes) watch(ctx context.Context, c Command, process sandbox.Process) (Reason, *fault.Text) {
	var timeout, idle <-chan time.Time
	if c.Timeout > 0 {
		t := time.NewTimer(c.Timeout)
		defer t.Stop()
		timeout = t.C
	}
	if c.Idle > 0 {
		t := time.NewTicker(max(c.Idle/4, time.Millisecond))
		defer t.Stop()
		idle = t.C
	}
	meter := newMeter(c.Budget, process)
	next := time.NewTimer(meter.first())
	defer next.Stop()
	for {
		var why Reason
		select {
		case <-process.Done():
			return NoReason, nil
		case <-ctx.Done():
			why = Canceled
		case <-timeout:
			if c.Abrupt {
				return TimedOut, nil
			}
			why = TimedOut
		case now := <-idle:
			if now.Sub(p.lastOutput()) < c.Idle {
				continue
			}
			why = Idle
		case <-next.C:
			excess, said, wait := meter.look()
			if excess != NoReason {
				return excess, &said // no grace: it might take as much again
			}
			next.Reset(wait)
			continue
		}
		end(process)
		return why, nil
	}
}

// end asks the command to end and waits for Grace. The caller kills what does not
// end in time.
func end(process sandbox.Process) {
	process.Terminate()
	grace := time.NewTimer(Grace)
	defer grace.Stop()
	select {
	case <-process.Done():
	case <-grace.C:
	}
}

// lookPath finds the program of a command in the command's own environment.
func lookPath(c Command) (string, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return "", noCommand()
	}
	if !filepath.IsAbs(c.Dir) {
		return "", notAbsolute(c.Dir)
	}
	name := c.Argv[0]
	if filepath.Base(name) != name {
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.Dir, name)
		}
		return name, nil
	}
	if path := Look(name, c.Env); path != "" {
		return path, nil
	}
	return "", noProgram(name)
}
