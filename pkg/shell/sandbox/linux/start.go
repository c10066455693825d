//go:build linux && (amd64 || arm64)

package linux

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"runtime"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// markVariable is in the environment of a command. Its value identifies the processes of
// a call among those of calls that run at the same time.
const markVariable = "HELVE_CALL"

// Start implements [sandbox.Sandbox].
func (sb *confined) Start(c sandbox.Command) (sandbox.Process, error) {
	snapshot, err := sb.takeSnapshot()
	if err != nil {
		return nil, err
	}
	sb.snapshot, sb.watch = snapshot, sb.takeWatch()
	p := &process{
		pid: -1, ended: make(chan struct{}), kind: sb.Kind, mark: cmp.Or(c.Mark, newMark()),
		release: make(chan struct{}), thread: make(chan struct{}), overlay: sb.Profile.Preview != nil,
		shared: heldBy(sharedDir),
	}
	c.Env = append(slices.Clip(c.Env), markVariable+"="+p.mark)
	sb.record(p.mark)
	started := make(chan error, 1)
	switch sb.Kind {
	case sandbox.Namespaces:
		go p.onThread(false, started, func() error {
			return sb.withLayers(p, func(layers []overlay) error {
				pl, err := sb.plan(c)
				if err != nil {
					return err
				}
				pl.Mounts.layer(layers, sb.Profile.Layers)
				if err := pl.Mounts.clearWay(); err != nil {
					return err
				}
				err = p.startNamespaces(sb, pl, c)
				if errors.Is(err, errNotEntered) {
					// The commands that had the network have just ended.
					pl.leave()
					err = p.startNamespaces(sb, pl, c)
				}
				if pl.Shield.Births && errors.Is(err, unix.EBUSY) {
					// An outer sandbox listens already, and there can be only one listener.
					sb.Degrade(bornDegraded)
					pl.Shield.Births = false
					err = p.startNamespaces(sb, pl, c)
				}
				return err
			})
		})
	case sandbox.Landlock:
		go p.onThread(true, started, func() error { return p.startLandlock(sb, c) })
	default:
		go p.onThread(false, started, func() error { return p.fork(c) })
	}
	if err := <-started; err != nil {
		p.dismiss()
		sb.forget()
		return nil, err
	}
	p.sweeper = sb.newSweeper()
	sb.listener, sb.loopback = p.listener, p.loopback
	if sb.Kind != sandbox.Namespaces { // where the child did so
		limitProcess(p.pid, c.Limits)
	}
	return p, nil
}

// dismiss ends what serves the command.
func (p *process) dismiss() {
	if p.broker != nil {
		p.broker.close()
		p.broker = nil
	}
	if p.warden != nil {
		p.warden.end(!p.cleared)
		p.warden = nil
	}
}

func newMark() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// onThread starts the process from a thread of its own and keeps the thread until
// Finish: the kernel kills the child when the thread that made it ends, and a thread
// that is confined must not be used for anything else.
func (p *process) onThread(confined bool, started chan<- error, start func() error) {
	runtime.LockOSThread()
	if confined && unix.Gettid() == unix.Getpid() {
		// /proc shows a process by its main thread. If that were in the command's
		// Landlock domain, the command could look into this process. While this
		// goroutine holds it, the next one is on another thread.
		defer runtime.UnlockOSThread()
		go p.onThread(confined, started, start)
		<-p.thread
		return
	}
	defer close(p.thread)
	if !confined {
		defer runtime.UnlockOSThread()
	} // else the runtime ends the thread with the goroutine
	err := start()
	started <- err
	if err != nil {
		return
	}
	if p.kind == sandbox.Namespaces {
		p.awaitNamespaces()
	} else {
		p.await()
	}
	<-p.release
	if p.alone {
		p.reapNamespaces()
	}
}

// fork starts the command as the leader of a session of its own, so that it has no
// terminal.
func (p *process) fork(c sandbox.Command) error {
	if err := sealDescriptors(); err != nil {
		return fault.System(err, "/proc/self/fd")
	}
	attr := syscall.SysProcAttr{Setsid: true}
	if granted().Dies {
		attr.Pdeathsig = syscall.SIGKILL
	}
	live.Lock()
	defer live.Unlock()
	pid, err := syscall.ForkExec(c.Path, c.Argv, &syscall.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: []uintptr{c.Stdin.Fd(), c.Stdout.Fd(), c.Stderr.Fd()},
		Sys: &attr,
	})
	if err != nil {
		return notStarted(err, c)
	}
	p.pid = pid
	p.start = startTime(pid)
	live.calls = append(live.calls, p)
	return nil
}

// await waits for the end of the command but does not reap it, so that its number is
// not given to another process.
func (p *process) await() {
	defer close(p.ended)
	for {
		err := unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// stateOf returns the state for a status of wait4(2).
func stateOf(ws unix.WaitStatus) sandbox.State {
	if ws.Signaled() {
		return sandbox.State{ExitCode: -1, Signal: unix.SignalName(ws.Signal())}
	}
	return sandbox.State{ExitCode: ws.ExitStatus()}
}

// Terminate asks the command, and what is in its process group, to end.
func (p *process) Terminate() {
	if p.kind == sandbox.Namespaces {
		_ = unix.Kill(p.pid, unix.SIGTERM) // the child passes it on
		return
	}
	_ = unix.Kill(-p.pid, unix.SIGTERM) // fails only if it has ended
}
