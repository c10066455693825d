//go:build linux

package linux

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A warden kills a command that runs outside of namespaces, with everything that it has
// started, when this process is killed: the kernel ends only the command itself then, and
// no first process of a namespace takes the others along. It is a fork of this process that
// executes nothing and has nothing open but a pipe, whose end says that this process is
// gone. It is in a Landlock domain whose signals stay inside, and the command in another
// one below that: so all that it can signal is the command's, whatever that has made of
// itself, and the command cannot signal it.
type warden struct {
	pid    int
	line   [2]int // a pipe: the warden reads until the other end is closed
	mask   uint64 // the signals that were blocked before the fork
	all    uint64
	parent uintptr
	byte   byte
	dir    *byte
}

// wardenABI is the version of Landlock from which on signals can be kept in a domain.
const wardenABI = 6

// mostDescriptors limits the descriptors that are closed one by one.
const mostDescriptors = 1 << 16

// domain adds the steps that make the rules of a warden's domain. They refuse nothing but
// signals to outside: moves between directories are refused by all rules that do not
// grant them.
func (w *warden) domain(s *script) (set *int32) {
	set = new(int32)
	attr := &unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_REFER, Scoped: unix.LANDLOCK_SCOPE_SIGNAL}
	s.call("landlock_create_ruleset", "", unix.SYS_LANDLOCK_CREATE_RULESET, pointer(s, attr), unsafe.Sizeof(*attr), 0).into = set
	s.grant(set, attr, rule{Path: "/", Rights: unix.LANDLOCK_ACCESS_FS_REFER})
	return set
}

// start starts the warden of what this thread will start. The thread is in the domain.
func (w *warden) start() (err error) {
	if w.dir, err = syscall.BytePtrFromString("/"); err != nil {
		return err
	}
	if err := unix.Pipe2(w.line[:], unix.O_CLOEXEC); err != nil {
		return err
	}
	w.all, w.parent = ^uint64(0), uintptr(unix.Getpid())
	live.Lock()
	pid, errno := w.fork()
	runtime.KeepAlive(w)
	if errno == 0 {
		w.pid = int(pid)
		live.kept = append(live.kept, w.pid)
	}
	live.Unlock()
	unix.Close(w.line[0])
	if errno != 0 {
		unix.Close(w.line[1])
		return errno
	}
	return nil
}

// fork forks into a child that is no child for those who wait for all of theirs: it has no
// signal for its end.
//
//go:nosplit
//go:norace
//go:noinline
func (w *warden) fork() (pid uintptr, errno syscall.Errno) {
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&w.all)), uintptr(unsafe.Pointer(&w.mask)), signalSetSize)
	if pid, errno = raw(unix.SYS_CLONE, 0, 0, 0, 0); errno == 0 && pid == 0 {
		w.main()
	}
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&w.mask)), 0, signalSetSize)
	return pid, errno
}

// main is all that a warden does; see [child.main] for what it must not do.
//
//go:nosplit
//go:norace
func (w *warden) main() {
	do(unix.SYS_DUP3, uintptr(w.line[0]), 0, 0, 0)
	if _, errno := raw(unix.SYS_CLOSE_RANGE, 1, uintptr(^uint32(0)), 0, 0); errno != 0 { // an older kernel
		for fd := uintptr(1); fd < mostDescriptors; fd++ {
			do(unix.SYS_CLOSE, fd, 0, 0, 0)
		}
	}
	do(unix.SYS_SETSID, 0, 0, 0, 0)
	do(unix.SYS_CHDIR, uintptr(unsafe.Pointer(w.dir)), 0, 0, 0)
	// Whoever could signal its parent might kill more than the command.
	if _, errno := raw(unix.SYS_KILL, w.parent, 0, 0, 0); errno != unix.EPERM {
		exit()
	}
	for {
		if _, errno := raw(unix.SYS_READ, 0, uintptr(unsafe.Pointer(&w.byte)), 1, 0); errno != unix.EINTR {
			break
		}
	}
	do(unix.SYS_KILL, ^uintptr(0), uintptr(unix.SIGKILL), 0, 0) // all others in the domain; no process is born meanwhile
	exit()
}

// end ends the warden, whose command has ended.
func (w *warden) end() {
	unix.Close(w.line[1])
	for {
		if _, err := unix.Wait4(w.pid, nil, unix.WALL, nil); err != unix.EINTR {
			break
		}
	}
	live.Lock()
	defer live.Unlock()
	live.kept = remove(live.kept, w.pid)
}
