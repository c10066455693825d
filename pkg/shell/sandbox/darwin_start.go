//go:build unix && !linux

package sandbox

import (
	"os"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// seatbeltProgram is where macOS keeps its program, whatever PATH says.
const seatbeltProgram = "/usr/bin/sandbox-exec"

type processSystem struct {
	once sync.Once
	left []string
}

type tripwire struct{}

// Probe finds what this machine lends itself to.
func Probe(Cache) Support {
	if runtime.GOOS != "darwin" {
		return Support{}
	}
	_, err := os.Stat(seatbeltProgram)
	return Support{Seatbelt: err == nil}
}

// Keep excepts a child of this process from what [Process.Finish] ends, which
// here ends no others anyway.
func Keep(start func() (pid int, err error)) (int, error) { return start() }

// Start starts a command in the sandbox. Call [Process.Finish] when it has ended, or
// to end it.
func (sb *Sandbox) Start(c Command) (*Process, error) {
	path, argv := c.Path, c.Argv
	if sb.kind == Seatbelt {
		if len(argv) == 0 {
			argv = []string{path}
		}
		path = seatbeltProgram
		argv = append([]string{"sandbox-exec", "-p", seatbeltProfile(sb.profile), c.Path}, argv[1:]...)
	}
	for fd := 3; fd < 1024; fd++ {
		unix.CloseOnExec(fd) // the command is no heir of who started this process
	}
	p := &Process{ended: make(chan struct{})}
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: []uintptr{c.Stdin.Fd(), c.Stdout.Fd(), c.Stderr.Fd()},
		Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		if _, statErr := os.Stat(c.Dir); statErr != nil {
			return nil, fault.System(statErr, c.Dir)
		}
		return nil, fault.System(err, path)
	}
	p.pid = pid
	go p.await()
	return p, nil
}

func (p *Process) await() {
	defer close(p.ended)
	var ws syscall.WaitStatus
	for {
		_, err := syscall.Wait4(p.pid, &ws, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		p.err = err
		break
	}
	if ws.Signaled() {
		p.state = State{ExitCode: -1, Signal: unix.SignalName(ws.Signal())}
		return
	}
	p.state = State{ExitCode: ws.ExitStatus()}
}

// Terminate asks the command, and what is in its process group, to end.
func (p *Process) Terminate() {
	_ = unix.Kill(-p.pid, unix.SIGTERM) // Finish ends what this does not
}

// Finish ends the command and what is left in its process group. What made a
// session of its own is not found on this system.
func (p *Process) Finish() ([]string, error) {
	p.system.once.Do(func() {
		_ = unix.Kill(-p.pid, unix.SIGKILL) // fails when nothing is left
		<-p.ended
	})
	return p.system.left, nil
}

// Restored has nothing to do where the kernel keeps the protected paths.
func (sb *Sandbox) Restored() ([]string, error) { return nil, nil }

// Aside is for systems where something is restored.
func (sb *Sandbox) Aside() []string { return nil }

// Changes is for systems that can run previews.
func (sb *Sandbox) Changes() ([]Change, bool, error) { return nil, true, nil }

// Count is how many processes the command has at the moment, as far as this
// system tells.
func (p *Process) Count() int { return 1 }
