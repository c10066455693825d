//go:build linux

package linux

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"net"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// System implements [sandbox.System].
type System struct{}

// confined is a profile that is enforced for one command at a time.
type confined struct {
	*sandbox.Confinement
	snapshot *snapshot // of the protected paths, while a command runs
	watch    *watch    // of the whole tree
	listener net.Listener
}

// New implements [sandbox.System].
func (System) New(p sandbox.Profile, s sandbox.Support, k sandbox.Kind) (sandbox.Sandbox, error) {
	sb, err := newConfined(p, s, k)
	if err != nil {
		return nil, err
	}
	return sb, nil
}

func newConfined(p sandbox.Profile, s sandbox.Support, k sandbox.Kind) (*confined, error) {
	c, err := sandbox.Confine(p, s, k)
	if err != nil {
		return nil, err
	}
	for _, word := range missing(k) {
		c.Degrade(word)
	}
	return &confined{Confinement: c}, nil
}

// Listener implements [sandbox.Sandbox].
func (sb *confined) Listener() net.Listener { return sb.listener }

// process is a running command with every process that it starts.
type process struct {
	pid    int
	ended  chan struct{} // closed when state is set
	state  sandbox.State
	err    error
	system processSystem
}

// Pid implements [sandbox.Process].
func (p *process) Pid() int { return p.pid }

// Done implements [sandbox.Process].
func (p *process) Done() <-chan struct{} { return p.ended }

// State implements [sandbox.Process].
func (p *process) State() (sandbox.State, error) { return p.state, p.err }

// processSystem is what Linux keeps of a process.
type processSystem struct {
	kind    sandbox.Kind
	mark    string        // the value of markVariable in its environment; see orphans
	start   uint64        // when it started, in the kernel's ticks
	broker  *os.File      // where calls arrive that are made for the command
	release chan struct{} // closed by Finish
	thread  chan struct{} // closed when the thread that started it is gone
	status  int           // the descriptor that the child of Namespaces writes messages to
	once    sync.Once
	left    []string // command lines of processes that were killed
	alone   bool     // nothing else ran in its namespaces when it ended
	overlay bool     // Finish must wait until its overlay is unmounted
	slot    *slot    // that no other command has meanwhile
	// listener is at the port of the profile, in the network of the sandbox.
	listener net.Listener
}

// markVariable tells the processes of calls that run at the same time apart.
const markVariable = "HELVE_CALL"

// Start starts a command in the sandbox. Call [Process.Finish] when the command has
// ended, or to end it.
func (sb *confined) Start(c sandbox.Command) (sandbox.Process, error) {
	snapshot, err := sb.takeSnapshot()
	if err != nil {
		return nil, err
	}
	sb.snapshot, sb.watch = snapshot, sb.takeWatch()
	p := &process{ended: make(chan struct{}), pid: -1}
	p.system = processSystem{kind: sb.Kind, mark: cmp.Or(c.Mark, newMark()), release: make(chan struct{}), thread: make(chan struct{}), overlay: sb.Profile.Preview != nil}
	c.Env = append(slices.Clip(c.Env), markVariable+"="+p.system.mark)
	started := make(chan error, 1)
	switch sb.Kind {
	case sandbox.Namespaces:
		go p.onThread(false, started, func() error {
			return sb.withLayers(p, func(layers []overlay) error {
				pl, err := sb.plan(c)
				if err != nil {
					return err
				}
				pl.Mounts.layer(layers, sb.Profile.LayerPaths())
				if err := pl.Mounts.clearWay(); err != nil {
					return err
				}
				return p.startNamespaces(pl, c)
			})
		})
	case sandbox.Landlock:
		go p.onThread(true, started, func() error { return p.startLandlock(sb, c) })
	default:
		go p.onThread(false, started, func() error { return p.fork(c) })
	}
	if err := <-started; err != nil {
		p.closeBroker()
		return nil, err
	}
	sb.listener = p.system.listener
	if sb.Kind != sandbox.Namespaces { // where the child did so
		limitProcess(p.pid, c.Limits)
	}
	return p, nil
}

func (p *process) closeBroker() {
	if p.system.broker != nil {
		p.system.broker.Close()
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
		<-p.system.thread
		return
	}
	defer close(p.system.thread)
	if !confined {
		defer runtime.UnlockOSThread()
	} // else the runtime ends the thread with the goroutine
	err := start()
	started <- err
	if err != nil {
		return
	}
	if p.system.kind == sandbox.Namespaces {
		p.awaitNamespaces()
	} else {
		p.await()
	}
	<-p.system.release
	if p.system.alone {
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
	p.system.start = startTime(pid)
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
	if p.system.kind == sandbox.Namespaces {
		_ = unix.Kill(p.pid, unix.SIGTERM) // the child passes it on
		return
	}
	_ = unix.Kill(-p.pid, unix.SIGTERM) // fails only if it has ended
}
