//go:build linux

package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// initial is the first process of a sandbox. It is a fork of this one that never
// becomes another program: it builds the sandbox around itself, starts the
// command, and has nothing to do from then on but what the first process of a
// namespace owes to the others. The fork has one thread and no runtime: all of
// its functions keep to what was prepared here, and to system calls. Its memory
// is a copy of this process's, so it lets nobody look at it.
type initial struct {
	mask      uint64 // signals that were blocked when it was made; see spawn
	all       uint64
	awaited   uint64
	action    [4]uint64 // struct sigaction of the kernel: handler, flags, restorer, mask
	byDefault [4]uint64
	arrange   script // its descriptors
	build     script // the sandbox
	probe     bool   // build it, start nothing
	status    int32  // descriptor that it writes news to
	gate      int32  // descriptor of a byte that comes when its users are mapped
	opened    [8]byte
	argv0     *byte
	argv      []*byte
	envv      []*byte
	dir       *byte
	refused   syscall.Errno // why the command did not start
	wait      uint32        // status of wait4(2)
	news      news
}

// news is what a sandbox says of itself; see its kinds for the values.
type news struct {
	kind  event
	value int32
	more  int32
}

type event int32

const (
	failed  event = iota + 1 // value is the step of the script, more the error
	refused                  // value is the error with which the command did not start
	ready                    // the command runs, or nothing was to
	ended                    // value is its status of wait4(2), more is 1 if it left nothing running
)

// The descriptors of the first process besides the standard ones, which are the
// command's.
const (
	statusFD = 3
	gateFD   = 4
	firstFD  = 5
)

const signalSetSize = 8 // of the kernel's sigset_t in bytes

// fork makes the process in new namespaces and gives its number.
//
//go:nosplit
//go:norace
//go:noinline
func (in *initial) fork(namespaces uintptr) (pid uintptr, errno syscall.Errno) {
	// A handler of the runtime's must never run in the fork, which stays without
	// signals for good.
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&in.all)), uintptr(unsafe.Pointer(&in.mask)), signalSetSize)
	pid, errno = raw(unix.SYS_CLONE, namespaces|uintptr(unix.SIGCHLD), 0, 0, 0)
	if errno == 0 && pid == 0 {
		in.main()
	}
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&in.mask)), 0, signalSetSize)
	return pid, errno
}

// main is the whole life of the process.
//
//go:nosplit
//go:norace
func (in *initial) main() {
	in.resetSignals()
	if step, errno := in.arrange.run(); errno != 0 {
		in.say(failed, int32(step)-int32(len(in.arrange.steps)), int32(errno))
		exit()
	}
	// Nothing comes but the end of the file when this process's parent is gone.
	if n, errno := raw(unix.SYS_READ, gateFD, uintptr(unsafe.Pointer(&in.opened)), 1, 0); errno != 0 || n != 1 {
		exit()
	}
	if step, errno := in.build.run(); errno != 0 {
		in.say(failed, int32(step), int32(errno))
		exit()
	}
	if in.probe {
		in.say(ready, 0, 0)
		exit()
	}
	command, errno := in.spawn()
	if errno == 0 {
		errno = in.refused
	}
	if errno != 0 {
		in.say(refused, int32(errno), 0)
		exit()
	}
	// The output must end with the command and what it started, not with this.
	do(unix.SYS_CLOSE_RANGE, 0, 2, 0, 0)
	in.say(ready, 0, 0)
	in.serve(command)
}

// resetSignals gives signals that a handler of the runtime's takes to the kernel
// again. Those that are ignored stay so, as across any start of a program.
//
//go:nosplit
//go:norace
func (in *initial) resetSignals() {
	const ignored = 1 // SIG_IGN
	for n := uintptr(1); n <= 64; n++ {
		do(unix.SYS_RT_SIGACTION, n, 0, uintptr(unsafe.Pointer(&in.action)), signalSetSize)
		if in.action[0] != ignored || n == uintptr(unix.SIGCHLD) {
			do(unix.SYS_RT_SIGACTION, n, uintptr(unsafe.Pointer(&in.byDefault)), 0, signalSetSize)
		}
	}
}

// vfork is clone(2) with flags that hold CLONE_VM and CLONE_VFORK: it returns
// first in the new process, which has the memory of this one to itself until it
// becomes another program or ends, and then in this one. In assembly, as the new
// process overwrites the stack on which the call returns.
//
//go:noescape
func vfork(flags uintptr) (pid uintptr, errno syscall.Errno)

// spawn starts the command as the leader of a session of its own, so that it has
// no terminal.
//
//go:nosplit
//go:norace
//go:noinline
func (in *initial) spawn() (pid uintptr, errno syscall.Errno) {
	// What follows in the new process happens in this frame and in those below
	// it, which nothing else uses; this process must leave at once.
	pid, errno = vfork(unix.CLONE_VM | unix.CLONE_VFORK | uintptr(unix.SIGCHLD))
	if errno != 0 || pid != 0 {
		return pid, errno
	}
	_, errno = raw(unix.SYS_SETSID, 0, 0, 0, 0)
	if errno == 0 {
		_, errno = raw(unix.SYS_CHDIR, uintptr(unsafe.Pointer(in.dir)), 0, 0, 0)
	}
	if errno == 0 {
		do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&in.mask)), 0, signalSetSize)
		_, errno = raw(unix.SYS_EXECVE, uintptr(unsafe.Pointer(in.argv0)), uintptr(unsafe.Pointer(&in.argv[0])), uintptr(unsafe.Pointer(&in.envv[0])), 0)
	}
	in.refused = errno
	exit()
	return 0, 0
}

// serve does what is left: it passes signals on to the command, and takes the
// status of whoever ends. It ends when nothing is left, if it is not killed
// before.
//
//go:nosplit
//go:norace
func (in *initial) serve(command uintptr) {
	for {
		signal, errno := raw(unix.SYS_RT_SIGTIMEDWAIT, uintptr(unsafe.Pointer(&in.awaited)), 0, 0, signalSetSize)
		if errno == 0 && signal != uintptr(unix.SIGCHLD) {
			do(unix.SYS_KILL, -command, uintptr(unix.SIGTERM), 0, 0) // fails only when it has ended
			continue
		}
		for {
			pid, errno := raw(unix.SYS_WAIT4, ^uintptr(0), uintptr(unsafe.Pointer(&in.wait)), unix.WNOHANG, 0)
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
				in.say(ended, int32(in.wait), alone)
			}
		}
	}
}

// say fails only when nobody listens any more.
//
//go:nosplit
//go:norace
func (in *initial) say(kind event, value, more int32) {
	in.news.kind, in.news.value, in.news.more = kind, value, more
	do(unix.SYS_WRITE, uintptr(in.status), uintptr(unsafe.Pointer(&in.news)), unsafe.Sizeof(in.news), 0)
}

//go:nosplit
//go:norace
func exit() {
	for {
		do(unix.SYS_EXIT_GROUP, 125, 0, 0, 0)
	}
}

// raw is a system call of at most four arguments; the fifth is always 0.
//
//go:nosplit
//go:norace
func raw(number, a, b, c, d uintptr) (uintptr, syscall.Errno) {
	r, _, errno := syscall.RawSyscall6(number, a, b, c, d, 0, 0)
	return r, errno
}

// do is one whose failure changes nothing.
//
//go:nosplit
//go:norace
func do(number, a, b, c, d uintptr) { _, _ = raw(number, a, b, c, d) }

// newInitial prepares the process of a plan. The files are its standard streams,
// where it writes its news, and where it waits until its users are mapped.
func newInitial(pl *plan, c Command, status, gate int) (*initial, error) {
	in := &initial{all: ^uint64(0), probe: pl.Probe, status: int32(status), gate: int32(gate)}
	for _, s := range [...]syscall.Signal{unix.SIGCHLD, unix.SIGTERM, unix.SIGINT, unix.SIGHUP} {
		in.awaited |= 1 << (s - 1)
	}
	in.build.steps = make([]step, 0, 192) // about what it takes
	var err error
	if in.argv0, err = syscall.BytePtrFromString(pl.Path); err != nil {
		return nil, err
	}
	if in.argv, err = syscall.SlicePtrFromStrings(pl.Argv); err != nil {
		return nil, err
	}
	if in.envv, err = syscall.SlicePtrFromStrings(pl.Env); err != nil {
		return nil, err
	}
	if in.dir, err = syscall.BytePtrFromString(pl.Dir); err != nil {
		return nil, err
	}
	in.arrange.descriptors(in, int(c.Stdin.Fd()), int(c.Stdout.Fd()), int(c.Stderr.Fd()))
	return in, pl.write(&in.build, c)
}

// descriptors adds the steps that give the process its descriptors and no other,
// and bind it to its parent.
func (s *script) descriptors(in *initial, standard ...int) {
	all := append([]int{int(in.status), int(in.gate)}, standard...)
	copies := make([]*int32, len(all))
	for i, fd := range all { // out of the way of each other first
		copies[i] = new(int32)
		s.call("descriptor", "", unix.SYS_FCNTL, uintptr(fd), unix.F_DUPFD_CLOEXEC, firstFD).into = copies[i]
	}
	s.call("descriptor", "", unix.SYS_DUP3, 0, statusFD, unix.O_CLOEXEC).given(copies[0]).into = &in.status
	s.call("descriptor", "", unix.SYS_DUP3, 0, gateFD, unix.O_CLOEXEC).given(copies[1])
	for i := range standard {
		s.call("descriptor", "", unix.SYS_DUP3, 0, uintptr(i), 0).given(copies[2+i])
	}
	s.closeFrom(firstFD)
	s.call("PR_SET_PDEATHSIG", "", unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL))
	s.call("setsid", "", unix.SYS_SETSID)
	s.call("chdir", "/", unix.SYS_CHDIR, s.text("/"))
}

func (s *script) closeFrom(fd uintptr) {
	s.call("close_range", "", unix.SYS_CLOSE_RANGE, fd, uintptr(^uint32(0)), 0)
}
