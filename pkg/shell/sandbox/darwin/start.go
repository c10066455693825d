//go:build darwin

package darwin

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// seatbeltProgram is the path of macOS's own program: PATH may lead to another.
const seatbeltProgram = "/usr/bin/sandbox-exec"

// Probe implements [sandbox.System].
func (System) Probe(sandbox.Cache) sandbox.Support {
	_, err := os.Stat(seatbeltProgram)
	return sandbox.Support{Seatbelt: err == nil}
}

// Start implements [sandbox.Sandbox].
func (sb *confined) Start(c sandbox.Command) (sandbox.Process, error) {
	path, argv := c.Path, c.Argv
	if sb.Kind == sandbox.Seatbelt {
		if len(argv) == 0 {
			argv = []string{path}
		}
		path = seatbeltProgram
		argv = append([]string{"sandbox-exec", "-p", seatbeltProfile(sb.Profile), c.Path}, argv[1:]...)
	}
	for fd := 3; fd < 1024; fd++ {
		unix.CloseOnExec(fd) // the command must not inherit what this process was started with
	}
	p := &process{ended: make(chan struct{})}
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

// await reaps the command.
func (p *process) await() {
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
		p.state = sandbox.State{ExitCode: -1, Signal: unix.SignalName(ws.Signal())}
		return
	}
	p.state = sandbox.State{ExitCode: ws.ExitStatus()}
}

// Terminate asks the command and its process group to end.
func (p *process) Terminate() {
	_ = unix.Kill(-p.pid, unix.SIGTERM) // fails only if they have ended
}

// Finish kills the command and its process group. It does not find processes that
// made a session of their own.
func (p *process) Finish() ([]string, error) {
	p.once.Do(func() {
		_ = unix.Kill(-p.pid, unix.SIGKILL) // fails only if nothing is left
		<-p.ended
	})
	return nil, nil
}
