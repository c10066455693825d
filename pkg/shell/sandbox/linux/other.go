//go:build linux && !amd64 && !arm64

package linux

import (
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// System implements [sandbox.System] on processors whose system calls have no filter here:
// commands run unconfined, and the report says so.
type System struct{ sandbox.BasicSystem }

// Probe implements [sandbox.System].
func (System) Probe(sandbox.Cache) sandbox.Support {
	const why = "unsupported on this processor"
	return sandbox.Support{Reason: why, LandlockReason: why}
}

// New implements [sandbox.System].
func (System) New(p sandbox.Profile, s sandbox.Support, k sandbox.Kind) (sandbox.Sandbox, error) {
	c, err := sandbox.Confine(p, s, k)
	if err != nil {
		return nil, err
	}
	return &unconfined{Confinement: c}, nil
}

// unconfined starts commands as they are, one at a time.
type unconfined struct {
	*sandbox.Confinement
	sandbox.BasicSandbox
}

// Start implements [sandbox.Sandbox].
func (sb *unconfined) Start(c sandbox.Command) (sandbox.Process, error) {
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		for fd := 3; fd < 1024; fd++ { // an older kernel
			unix.CloseOnExec(fd)
		}
	}
	pid, err := syscall.ForkExec(c.Path, c.Argv, &syscall.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: []uintptr{c.Stdin.Fd(), c.Stdout.Fd(), c.Stderr.Fd()},
		Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return nil, fault.System(err, c.Path)
	}
	p := &process{pid: pid, ended: make(chan struct{})}
	go p.await()
	return p, nil
}

// process is a running command with the processes of its group.
type process struct {
	pid   int
	ended chan struct{} // closed when state is set
	state sandbox.State
	err   error
	once  sync.Once
}

func (p *process) Pid() int                      { return p.pid }
func (p *process) Done() <-chan struct{}         { return p.ended }
func (p *process) State() (sandbox.State, error) { return p.state, p.err }
func (p *process) Count() int                    { return 1 } // the number is not known here
func (p *process) Memory() int64                 { return 0 }
func (p *process) Written() (int64, bool)        { return 0, false }

// await reaps the command.
func (p *process) await() {
	defer close(p.ended)
	var status syscall.WaitStatus
	for {
		_, p.err = syscall.Wait4(p.pid, &status, 0, nil)
		if p.err != syscall.EINTR {
			break
		}
	}
	p.state = sandbox.State{ExitCode: status.ExitStatus()}
	if status.Signaled() {
		p.state = sandbox.State{ExitCode: -1, Signal: unix.SignalName(status.Signal())}
	}
}

// Terminate asks the command and its process group to end.
func (p *process) Terminate() {
	_ = unix.Kill(-p.pid, unix.SIGTERM) // fails only if they have ended
}

// Finish kills the command and its process group. It does not find processes that made a
// session of their own.
func (p *process) Finish() ([]string, error) {
	p.once.Do(func() {
		_ = unix.Kill(-p.pid, unix.SIGKILL) // fails only if nothing is left
		<-p.ended
	})
	return nil, nil
}
