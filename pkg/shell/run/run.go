// Package run runs a command to its end and brings back what it printed. It does
// not judge commands, and what they can reach is for the sandbox.
package run

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// Command is what is to run.
type Command struct {
	// Argv are the program and its arguments; see [Shell.Argv]. A program without
	// a slash is looked for in the PATH of Env.
	Argv []string
	Dir  string   // absolute
	Env  []string // all of it; see [Environment]
	// Stdin is what the command reads; nil is an empty input.
	Stdin io.Reader
	// Timeout ends the command, Idle ends it when it printed nothing for so
	// long. Zero is no limit.
	Timeout, Idle time.Duration
	// Split keeps standard error apart from standard output.
	Split bool
	// Raw keeps colours and progress lines as they are printed.
	Raw bool
	// Head and Tail are how many bytes of each output are kept; zero is
	// limit.ExecHead and limit.ExecTail.
	Head, Tail int
	// Spill, if not nil, makes the place that the whole output goes to when more
	// is printed than is kept. It is closed.
	Spill func() (io.WriteCloser, error)
	// Stream, if not nil, is given what is printed as it comes. It must not keep
	// the bytes.
	Stream func(Chunk)
	// Started, if not nil, is called once the command runs.
	Started func()
	// Sandbox confines the command; nil does not.
	Sandbox *sandbox.Sandbox
}

// Chunk is a piece of output.
type Chunk struct {
	Stderr bool // only with Split
	Data   []byte
}

// Reason is why a command was ended before it did so by itself.
type Reason string

// Why a command was ended.
const (
	NoReason Reason = ""
	TimedOut Reason = "timeout"
	Idle     Reason = "idle"
	Canceled Reason = "canceled"
	TooMany  Reason = "too_many_processes"
)

// counting is how often the processes of a command are counted.
const counting = time.Second

// Result is what became of a command. A status that is not 0 is no error.
type Result struct {
	sandbox.State
	Ended    Reason // NoReason when it ended by itself
	Duration time.Duration
	Output   Output // with Split, of standard output alone
	Stderr   Output
	// Killed are the command lines of processes that the command left running.
	Killed []string
	// Restored are protected paths that it changed and that were put back.
	Restored []string
	Sandbox  sandbox.Report
	Denials  []sandbox.Denial
	// SpillErr says why the whole output is not in the spill.
	SpillErr error
}

// Run runs a command. What it printed comes back however it ended, also when
// ctx is done. An error means that it did not start, or that something of it
// could not be ended or put back.
func Run(ctx context.Context, c Command) (*Result, error) {
	path, err := lookPath(c)
	if err != nil {
		return nil, err
	}
	sb := c.Sandbox
	if sb == nil {
		if sb, err = sandbox.New(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.Full, Workspace: c.Dir}, sandbox.Support{}, sandbox.None); err != nil {
			return nil, err
		}
	}
	p, err := open(c)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	process, err := sb.Start(sandbox.Command{
		Path: path, Argv: c.Argv, Dir: c.Dir, Env: c.Env, Stdin: p.stdin, Stdout: p.stdout, Stderr: p.stderr,
		Limits: sandbox.Limits{OpenFiles: limit.ExecFiles, FileBytes: limit.ExecFileBytes},
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
	r.Ended = p.watch(ctx, c, process)
	// The command is over or past its time. What it left running may print a
	// little more, and is then ended; only this closes the pipes for sure.
	p.drain(limit.ExecDrain)
	r.Killed, err = process.Finish()
	p.drain(limit.ExecGrace)
	p.close()
	r.Duration = time.Since(begin)
	state, stateErr := process.State()
	restored, restoreErr := sb.Restored()
	r.State, r.Restored = state, restored
	p.result(r)
	r.Denials = sb.Denials(r.Output.Text+"\n"+r.Stderr.Text, c.Dir)
	for _, e := range []error{err, stateErr, restoreErr} {
		if e != nil {
			return r, e
		}
	}
	return r, nil
}

// watch waits for the end of the command and ends it when it must. It gives why
// it did.
func (p *pipes) watch(ctx context.Context, c Command, process *sandbox.Process) Reason {
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
	count := time.NewTicker(counting)
	defer count.Stop()
	for {
		var why Reason
		select {
		case <-process.Done():
			return NoReason
		case <-ctx.Done():
			why = Canceled
		case <-timeout:
			why = TimedOut
		case now := <-idle:
			if now.Sub(p.lastOutput()) < c.Idle {
				continue
			}
			why = Idle
		case <-count.C:
			if process.Count() <= limit.ExecProcesses {
				continue
			}
			return TooMany // no grace: it might double again
		}
		end(process)
		return why
	}
}

// end asks the command to end, and leaves it to the caller to make it when it
// does not in time.
func end(process *sandbox.Process) {
	process.Terminate()
	grace := time.NewTimer(limit.ExecGrace)
	defer grace.Stop()
	select {
	case <-process.Done():
	case <-grace.C:
	}
}

// lookPath finds the program of a command in its own environment.
func lookPath(c Command) (string, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return "", fault.New(fault.InvalidArguments, fault.T("there is no command", "没有要运行的命令"))
	}
	if !filepath.IsAbs(c.Dir) {
		return "", fault.New(fault.InvalidArguments, fault.T("the directory %q is not absolute", "目录 %q 不是绝对路径", c.Dir))
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
	return "", fault.New(fault.NotFound, fault.T("there is no program %s", "找不到程序 %s", name)).
		WithHint(fault.T("check its name, or install it", "请检查名称，或先安装该程序"))
}

// nullDevice opens an empty input.
func nullDevice() (*os.File, error) {
	fd, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fault.System(err, os.DevNull)
	}
	return os.NewFile(uintptr(fd), os.DevNull), nil
}
