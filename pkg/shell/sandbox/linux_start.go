//go:build linux

package sandbox

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// processSystem is what Linux needs to know of a process.
type processSystem struct {
	kind    Kind
	mark    string   // value of markVariable in its environment; see orphans
	start   uint64   // when it started, in the kernel's ticks
	broker  *os.File // where calls arrive that are carried out for the command
	release chan struct{}
	thread  chan struct{} // closed when the thread that started it is gone
	status  int           // descriptor on which the first process of a namespace says what happens
	once    sync.Once
	left    []string
	alone   bool // in its namespace, when it ended
	layers  bool // its overlay must be gone before what is in it is looked at
}

// markVariable tells the processes of calls that run at the same time apart.
const markVariable = "HELVE_CALL"

// Start starts a command in the sandbox. Call [Process.Finish] when it has ended, or
// to end it.
func (sb *Sandbox) Start(c Command) (*Process, error) {
	guard, err := sb.watch()
	if err != nil {
		return nil, err
	}
	sb.guard = guard
	p := &Process{ended: make(chan struct{}), pid: -1}
	p.system = processSystem{kind: sb.kind, mark: newMark(), release: make(chan struct{}), thread: make(chan struct{}), layers: sb.profile.Preview != nil}
	c.Env = append(slices.Clip(c.Env), markVariable+"="+p.system.mark)
	started := make(chan error, 1)
	switch sb.kind {
	case Namespaces:
		go p.onThread(false, started, func() error { return p.startInside(sb.plan(c), c) })
	case Landlock:
		go p.onThread(true, started, func() error { return p.startConfined(sb, c) })
	default:
		go p.onThread(false, started, func() error { return p.fork(c) })
	}
	if err := <-started; err != nil {
		p.closeBroker()
		return nil, err
	}
	if sb.kind != Namespaces { // there it is done already
		limitProcess(p.pid, c.Limits)
	}
	return p, nil
}

func (p *Process) closeBroker() {
	if p.system.broker != nil {
		p.system.broker.Close()
	}
}

func newMark() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// onThread starts the process from a thread of its own and keeps the thread for
// as long: a child asks to be killed when the thread that made it is gone, and
// a thread that is confined must never be used for anything else.
func (p *Process) onThread(confined bool, started chan<- error, start func() error) {
	runtime.LockOSThread()
	if confined && unix.Gettid() == unix.Getpid() {
		// The main thread stands for the process: confined, it would take the
		// command for one of its own. While it is held here, it cannot be next.
		defer runtime.UnlockOSThread()
		go p.onThread(confined, started, start)
		<-p.system.thread
		return
	}
	defer close(p.system.thread)
	if !confined {
		defer runtime.UnlockOSThread()
	} // else the thread ends with the goroutine
	err := start()
	started <- err
	if err != nil {
		return
	}
	if p.system.kind == Namespaces {
		p.followInside()
	} else {
		p.await()
	}
	<-p.system.release
	if p.system.alone {
		p.collectInside()
	}
}

// startConfined starts a process that inherits the confinement of this thread.
func (p *Process) startConfined(sb *Sandbox, c Command) error {
	rules, complete := landlockRules(sb.profile)
	if !complete {
		sb.degrade("secrets_overblocked")
	}
	confine := script{steps: make([]step, 0, 3*len(rules)+64)}
	set := confine.ruleset(sb.support.LandlockABI, rules, sb.report.Network != Full)
	confine.drop()
	confine.restrict(set)
	if err := confine.err(confine.run()); err != nil {
		unix.Close(int(*set))
		return unavailable(err)
	}
	if err := p.shield(sb); err != nil {
		return unavailable(err)
	}
	return p.fork(c)
}

// shield puts this thread under a filter, and another goroutine at the calls
// that the filter asks about.
func (p *Process) shield(sb *Sandbox) error {
	s := shield{Families: socketFamilies(Landlock, sb.report.Network, sb.support.LandlockABI), Alone: true, Metadata: sb.support.Broker}
	fd, err := install(s.code(), s.Metadata)
	if s.Metadata && errors.Is(err, unix.EBUSY) {
		// Somebody further out listens already; there can be one only.
		sb.degrade("file_metadata")
		s.Metadata = false
		fd, err = install(s.code(), false)
	}
	if err != nil || !s.Metadata {
		return err
	}
	broker, err := newBroker(fd, sb.profile)
	if err != nil {
		unix.Close(fd)
		return err
	}
	p.system.broker = broker.file
	go broker.serve()
	return nil
}

func unavailable(err error) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the sandbox could not be set up: %s", "无法建立沙箱：%s", err.Error())).
		WithHint(fault.T("let a person approve the command without it", "请由用户批准在无沙箱的情况下运行该命令")).Because(err)
}

// fork starts the command itself as the leader of a session of its own, so that
// it has no terminal.
func (p *Process) fork(c Command) error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fault.System(err, c.Path)
	}
	if err := sealDescriptors(); err != nil {
		return fault.System(err, c.Path)
	}
	live.Lock()
	defer live.Unlock()
	pid, err := syscall.ForkExec(c.Path, c.Argv, &syscall.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: []uintptr{c.Stdin.Fd(), c.Stdout.Fd(), c.Stderr.Fd()},
		Sys: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return startFailure(err, c)
	}
	p.pid = pid
	p.system.start = startTime(pid)
	live.calls = append(live.calls, p)
	return nil
}

// sealDescriptors keeps from the command what this process was given open by
// who started it, such as a way to approve. Its own are sealed when opened.
func sealDescriptors() error {
	err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
	if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return err
	}
	names, err := namesIn("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

func startFailure(err error, c Command) error {
	if _, statErr := os.Stat(c.Dir); statErr != nil {
		return fault.System(statErr, c.Dir)
	}
	return fault.System(err, c.Path)
}

// limitProcess sets what a process may use. One that is gone already needs no
// limits.
func limitProcess(pid int, l Limits) {
	for _, r := range l.resources() {
		_ = unix.Prlimit(pid, r.kind, &unix.Rlimit{Cur: r.most, Max: r.most}, nil)
	}
}

// resource is a limit of setrlimit(2).
type resource struct {
	kind int
	most uint64
}

func (l Limits) resources() []resource {
	all := []resource{{unix.RLIMIT_CORE, 0}}
	if l.OpenFiles > 0 {
		all = append(all, resource{unix.RLIMIT_NOFILE, l.OpenFiles})
	}
	if l.FileBytes > 0 {
		all = append(all, resource{unix.RLIMIT_FSIZE, l.FileBytes})
	}
	return all
}

// await waits for the command's end but leaves its process in the table, so
// that nothing else gets its number.
func (p *Process) await() {
	defer close(p.ended)
	for {
		err := unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// stateOf reads a status of wait4(2).
func stateOf(ws unix.WaitStatus) State {
	if ws.Signaled() {
		return State{ExitCode: -1, Signal: unix.SignalName(ws.Signal())}
	}
	return State{ExitCode: ws.ExitStatus()}
}

// Terminate asks the command, and what is in its process group, to end.
func (p *Process) Terminate() {
	if p.system.kind == Namespaces {
		_ = unix.Kill(p.pid, unix.SIGTERM) // the first process passes it on
		return
	}
	_ = unix.Kill(-p.pid, unix.SIGTERM) // Finish ends what this does not
}
