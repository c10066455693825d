//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// child is the first process of a PID namespace. It is a fork of this process that
// never executes another program: it builds the sandbox around itself, starts the
// command, and then does what the first process of a namespace must do for the
// others. The fork has one thread and no runtime, so its functions use only what
// newChild prepared and system calls. Its memory is a copy of this process's
// memory, so no process of the sandbox may look at it.
type child struct {
	mask      uint64    // the signals that were blocked before the fork; the command gets them back
	all       uint64    // all signals
	awaited   uint64    // the signals that serve handles
	action    [4]uint64 // the kernel's struct sigaction: handler, flags, restorer, mask
	byDefault [4]uint64
	enter     script // the network of other commands; empty without one
	arrange   script // its descriptors
	build     script // the sandbox
	probe     bool   // build it, start nothing
	status    int32  // descriptor that it writes messages to
	gate      int32  // descriptor of a byte that comes when its users are mapped
	hand      int32  // handFD before it is there; -1 is none
	opened    [8]byte
	argv0     *byte
	argv      []*byte
	envv      []*byte
	dir       *byte
	refused   syscall.Errno // why the command did not start
	wait      uint32        // status of wait4(2)
	message   message
}

// message is a report of the child; see the kinds for the values.
type message struct {
	kind  messageKind
	value int32
	more  int32
}

type messageKind int32

const (
	setupFailed messageKind = iota + 1 // value is the step of the script, more the error
	startFailed                        // value is the error with which the command did not start
	started                            // the command runs, or the sandbox is only a probe
	forked                             // value is the number of the child, which another process has made
	ended                              // value is the command's status of wait4(2), more is 1 if nothing else runs
)

// The descriptors of the child besides the standard ones, which are the command's.
const (
	statusFD = 3
	gateFD   = 4
	handFD   = 5 // a socket that it hands its listener out by, if it has one
	firstFD  = 6
)

const signalSetSize = 8 // of the kernel's sigset_t in bytes

// fork forks into new namespaces and returns the number of the child; of one that enters
// others' network, that of the process that makes it.
//
//go:nosplit
//go:norace
//go:noinline
func (ch *child) fork(namespaces uintptr) (pid uintptr, errno syscall.Errno) {
	// A signal handler of the runtime must never run in the fork, which keeps all
	// signals blocked.
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&ch.all)), uintptr(unsafe.Pointer(&ch.mask)), signalSetSize)
	first := namespaces
	if len(ch.enter.steps) > 0 {
		first = 0
	}
	pid, errno = raw(unix.SYS_CLONE, first|uintptr(unix.SIGCHLD), 0, 0, 0)
	if errno == 0 && pid == 0 {
		if first != namespaces {
			ch.forkInside(namespaces &^ unix.CLONE_NEWUSER)
		}
		ch.main()
	}
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&ch.mask)), 0, signalSetSize)
	return pid, errno
}

// forkInside enters the network, and forks as the process would that made this one. Only a
// process with one thread can enter a user namespace, and entering makes it undumpable: so
// neither is for the parent.
//
//go:nosplit
//go:norace
func (ch *child) forkInside(namespaces uintptr) {
	if step, errno := ch.enter.run(); errno != 0 {
		ch.send(setupFailed, int32(step), int32(errno))
		exit()
	}
	pid, errno := raw(unix.SYS_CLONE, namespaces|unix.CLONE_PARENT|uintptr(unix.SIGCHLD), 0, 0, 0)
	switch {
	case errno != 0:
		ch.send(setupFailed, int32(len(ch.enter.steps)-1), int32(errno))
		exit()
	case pid != 0:
		ch.send(forked, int32(pid), 0)
		exit()
	}
}

// main is all that the child does.
//
//go:nosplit
//go:norace
func (ch *child) main() {
	ch.resetSignals()
	if step, errno := ch.arrange.run(); errno != 0 {
		ch.send(setupFailed, int32(step)-int32(len(ch.arrange.steps)), int32(errno))
		exit()
	}
	// The parent writes the byte; when the parent is gone, the file ends.
	if n, errno := raw(unix.SYS_READ, gateFD, uintptr(unsafe.Pointer(&ch.opened)), 1, 0); errno != 0 || n != 1 {
		exit()
	}
	if step, errno := ch.build.run(); errno != 0 {
		ch.send(setupFailed, int32(step), int32(errno))
		exit()
	}
	if ch.probe {
		ch.send(started, 0, 0)
		exit()
	}
	command, errno := ch.spawn()
	if errno == 0 {
		errno = ch.refused
	}
	if errno != 0 {
		ch.send(startFailed, int32(errno), 0)
		exit()
	}
	// The output must end with the command and what it started, not with the child.
	do(unix.SYS_CLOSE_RANGE, 0, 2, 0, 0)
	ch.send(started, 0, 0)
	ch.serve(command)
}

// resetSignals removes the handlers of the runtime. Signals that are ignored stay
// ignored, as across execve(2).
//
//go:nosplit
//go:norace
func (ch *child) resetSignals() {
	const ignored = 1 // SIG_IGN
	for n := uintptr(1); n <= 64; n++ {
		do(unix.SYS_RT_SIGACTION, n, 0, uintptr(unsafe.Pointer(&ch.action)), signalSetSize)
		if ch.action[0] != ignored || n == uintptr(unix.SIGCHLD) {
			do(unix.SYS_RT_SIGACTION, n, uintptr(unsafe.Pointer(&ch.byDefault)), 0, signalSetSize)
		}
	}
}

// vfork is clone(2) with CLONE_VM and CLONE_VFORK. It returns first in the new
// process, which uses the memory of the caller until it executes a program or
// ends, and then in the caller. It is in assembly because the new process
// overwrites the stack from which the call returns.
//
//go:noescape
func vfork(flags uintptr) (pid uintptr, errno syscall.Errno)

// spawn starts the command as the leader of a session of its own, so that it has
// no terminal.
//
//go:nosplit
//go:norace
//go:noinline
func (ch *child) spawn() (pid uintptr, errno syscall.Errno) {
	// The new process uses this frame and those below it, which nothing else uses
	// meanwhile. The caller must return at once.
	pid, errno = vfork(unix.CLONE_VM | unix.CLONE_VFORK | uintptr(unix.SIGCHLD))
	if errno != 0 || pid != 0 {
		return pid, errno
	}
	_, errno = raw(unix.SYS_SETSID, 0, 0, 0, 0)
	if errno == 0 {
		_, errno = raw(unix.SYS_CHDIR, uintptr(unsafe.Pointer(ch.dir)), 0, 0, 0)
	}
	if errno == 0 {
		do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&ch.mask)), 0, signalSetSize)
		_, errno = raw(unix.SYS_EXECVE, uintptr(unsafe.Pointer(ch.argv0)), uintptr(unsafe.Pointer(&ch.argv[0])), uintptr(unsafe.Pointer(&ch.envv[0])), 0)
	}
	ch.refused = errno
	exit()
	return 0, 0
}

// serve passes signals on to the command and reaps processes. It ends when no
// process is left, if it is not killed before.
//
//go:nosplit
//go:norace
func (ch *child) serve(command uintptr) {
	for {
		signal, errno := raw(unix.SYS_RT_SIGTIMEDWAIT, uintptr(unsafe.Pointer(&ch.awaited)), 0, 0, signalSetSize)
		if errno == 0 && signal != uintptr(unix.SIGCHLD) {
			do(unix.SYS_KILL, -command, uintptr(unix.SIGTERM), 0, 0) // fails only if the command has ended
			continue
		}
		for {
			pid, errno := raw(unix.SYS_WAIT4, ^uintptr(0), uintptr(unsafe.Pointer(&ch.wait)), unix.WNOHANG, 0)
			if errno != 0 {
				exit()
			}
			if pid == 0 {
				break
			}
			if pid == command {
				alone := int32(0)
				if _, errno := raw(unix.SYS_WAITID, unix.P_ALL, 0, 0, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT); errno == unix.ECHILD {
					alone = 1
				}
				ch.send(ended, int32(ch.wait), alone)
			}
		}
	}
}

// send writes a message. It fails only when the parent is gone.
//
//go:nosplit
//go:norace
func (ch *child) send(kind messageKind, value, more int32) {
	ch.message.kind, ch.message.value, ch.message.more = kind, value, more
	do(unix.SYS_WRITE, uintptr(ch.status), uintptr(unsafe.Pointer(&ch.message)), unsafe.Sizeof(ch.message), 0)
}

// exit ends the process.
//
//go:nosplit
//go:norace
func exit() {
	for {
		do(unix.SYS_EXIT_GROUP, 125, 0, 0, 0)
	}
}

// raw makes a system call with four arguments; the others are 0.
//
//go:nosplit
//go:norace
func raw(number, a, b, c, d uintptr) (uintptr, syscall.Errno) {
	r, _, errno := syscall.RawSyscall6(number, a, b, c, d, 0, 0)
	return r, errno
}

// do makes a system call whose failure does not matter.
//
//go:nosplit
//go:norace
func do(number, a, b, c, d uintptr) { _, _ = raw(number, a, b, c, d) }

// newChild prepares the child of a plan. status and gate are descriptors of this
// process: the child writes its messages to status and waits at gate until its
// users are mapped. hand is the socket for its listener; -1 is none.
func newChild(pl *plan, c sandbox.Command, status, gate, hand int) (*child, error) {
	ch := &child{all: ^uint64(0), probe: pl.Probe, status: int32(status), gate: int32(gate), hand: int32(hand)}
	for _, s := range [...]syscall.Signal{unix.SIGCHLD, unix.SIGTERM, unix.SIGINT, unix.SIGHUP} {
		ch.awaited |= 1 << (s - 1)
	}
	ch.build.steps = make([]step, 0, 192) // about as many as there will be
	var err error
	if ch.argv0, err = syscall.BytePtrFromString(pl.Path); err != nil {
		return nil, err
	}
	if ch.argv, err = syscall.SlicePtrFromStrings(pl.Argv); err != nil {
		return nil, err
	}
	if ch.envv, err = syscall.SlicePtrFromStrings(pl.Env); err != nil {
		return nil, err
	}
	if ch.dir, err = syscall.BytePtrFromString(pl.Dir); err != nil {
		return nil, err
	}
	if pl.Join != nil {
		ch.enter.enter(pl.Join)
	}
	ch.arrange.descriptors(ch, int(c.Stdin.Fd()), int(c.Stdout.Fd()), int(c.Stderr.Fd()))
	return ch, pl.write(&ch.build, c)
}

// forgetArguments adds steps that overwrite the arguments of this process in the
// child, where ps(1) would show them, unless they have been moved.
func (s *script) forgetArguments() {
	if len(os.Args) == 0 {
		return
	}
	start := uintptr(unsafe.Pointer(unsafe.StringData(os.Args[0])))
	end := start
	for _, arg := range os.Args {
		if uintptr(unsafe.Pointer(unsafe.StringData(arg))) != end {
			return
		}
		end += uintptr(len(arg)) + 1
	}
	zero := new(int32)
	s.call("open", "/dev/zero", unix.SYS_OPENAT, atCWD, s.text("/dev/zero"), unix.O_RDONLY|unix.O_CLOEXEC, 0).ignore(ifMissing, 1).into = zero
	s.call("read", "/dev/zero", unix.SYS_READ, 0, start, end-start).on(zero)
}
