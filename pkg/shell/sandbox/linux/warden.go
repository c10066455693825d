//go:build linux && (amd64 || arm64)

package linux

import (
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
//
// A warden that shared the memory of this process would die with it when memory is short.
// A copy of all of it would cost more than anything else that a short command needs: so the
// heap is not copied, and the warden has a stack of its own.
type warden struct {
	pid    int
	line   [2]int // a pipe: the warden reads until the other end is closed
	mask   uint64 // the signals that were blocked before the fork
	all    uint64
	parent uintptr
	byte   byte
	dir    *byte
	memory []byte // that the warden itself lies in
	stack  [wardenStack]byte
}

// newWarden returns a warden that lies outside of the heap.
func newWarden() (*warden, error) {
	memory, err := unix.Mmap(-1, 0, int(unsafe.Sizeof(warden{})), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, err
	}
	w := (*warden)(unsafe.Pointer(&memory[0]))
	w.memory, w.dir = memory, unsafe.StringData("/\x00")
	return w, nil
}

// wardenStack is the size of the stack in bytes, carried of which are a copy of what the
// forking thread has on its own.
const (
	wardenStack = 16 << 10
	carried     = 512
)

// heapUnit is a multiple of the size and alignment of what the runtime reserves at a time for
// the heap. The heap of a call fits into one.
const heapUnit = 64 << 20

// wardenABI is the version of Landlock from which on signals can be kept in a domain.
const wardenABI = 6

// mostDescriptors limits the descriptors that are closed one by one.
const mostDescriptors = 1 << 16

// guarded adds the steps that make the rules of a warden's domain. They refuse nothing but
// signals to outside: moves between directories are refused by all rules that do not
// grant them.
func guarded(s *script) (set *int32) {
	set = new(int32)
	attr := &unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_REFER, Scoped: unix.LANDLOCK_SCOPE_SIGNAL}
	s.call("landlock_create_ruleset", "", unix.SYS_LANDLOCK_CREATE_RULESET, pointer(s, attr), unsafe.Sizeof(*attr), 0).into = set
	s.grant(set, attr, rule{Path: "/", Rights: unix.LANDLOCK_ACCESS_FS_REFER})
	return set
}

// start starts the warden of what this thread will start. The thread is in the domain.
func (w *warden) start() (err error) {
	if err := unix.Pipe2(w.line[:], unix.O_CLOEXEC); err != nil {
		return err
	}
	w.all, w.parent = ^uint64(0), uintptr(unix.Getpid())
	heap := uintptr(unsafe.Pointer(new([carried]byte))) &^ (heapUnit - 1)
	live.Lock() // other forks need the heap
	// After a failure the warden has a copy.
	_, _, _ = unix.RawSyscall(unix.SYS_MADVISE, heap, heapUnit, unix.MADV_DONTFORK)
	pid, errno := w.fork()
	_, _, _ = unix.RawSyscall(unix.SYS_MADVISE, heap, heapUnit, unix.MADV_DOFORK)
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

// forkOn is clone(2) without flags: a fork without a signal for its end. It returns in both
// processes, and in the new one on another stack, whose top is given: there lies a copy of
// the caller's frame. So the caller must not be large, and not return in the new process.
//
//go:noescape
func forkOn(top uintptr) (pid uintptr, errno syscall.Errno)

// fork forks into a child that is no child for those who wait for all of theirs: it has no
// signal for its end.
//
//go:nosplit
//go:norace
//go:noinline
func (w *warden) fork() (pid uintptr, errno syscall.Errno) {
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&w.all)), uintptr(unsafe.Pointer(&w.mask)), signalSetSize)
	if pid, errno = forkOn((uintptr(unsafe.Pointer(&w.stack)) + wardenStack) &^ 15); errno == 0 && pid == 0 {
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

// end ends the warden, whose command has ended. Where nothing of the command is left, the
// warden need not look at all processes of the machine.
func (w *warden) end(left bool) {
	if !left {
		_ = unix.Kill(w.pid, unix.SIGKILL) // else the pipe ends it
	}
	unix.Close(w.line[1])
	for {
		if _, err := unix.Wait4(w.pid, nil, unix.WALL, nil); err != unix.EINTR {
			break
		}
	}
	live.Lock()
	live.kept = remove(live.kept, w.pid)
	live.Unlock()
	_ = unix.Munmap(w.memory)
}
