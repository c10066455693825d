//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Landlock does not control the owner, mode, times and attributes of a file. So for
// the kind [Landlock] this process makes the calls that change those in place of the
// command, after it has looked where they lead; see seccomp_unotify(2). The
// command's own call is never let through, because what it names could be swapped
// after the look.

// metadata is a call as the command made it.
type metadata struct {
	dir      int32 // a descriptor of the caller's or AT_FDCWD
	path     uint64
	byFD     bool // the descriptor itself is the target
	empty    bool // with an empty path it is, too
	noFollow bool
	change   func(m *caller, f *target) error
}

// target is the file that a call leads to, opened with O_PATH.
type target struct {
	fd   int
	name string // a path to the descriptor, for calls that take no descriptor
	st   unix.Stat_t
}

// notification and response are struct seccomp_notif and seccomp_notif_resp.
type notification struct {
	id     uint64
	pid    uint32
	flags  uint32
	number int32
	arch   uint32
	ip     uint64
	args   [6]uint64
}

type response struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// broker makes the calls that a filter hands over: changes of metadata where the profile
// allows writing, and with a nursery the births of files.
type broker struct {
	fd       int    // where the calls arrive
	stop     [2]int // a pipe, closed at one end to end serve
	done     chan struct{}
	writable []string
	kept     []string // protected paths below the writable ones
	groups   []int
	uid      int
	nursery  *nursery
	sockets  *sockets
}

// newBroker returns a broker for the calls that arrive at a descriptor.
func newBroker(fd int, p sandbox.Profile) (*broker, error) {
	groups, err := os.Getgroups()
	if err != nil {
		return nil, err
	}
	b := &broker{fd: fd, done: make(chan struct{}), kept: p.Protected, groups: append(groups, unix.Getegid()), uid: unix.Geteuid()}
	if err := unix.Pipe2(b.stop[:], unix.O_CLOEXEC); err != nil {
		return nil, err
	}
	b.writable = append(p.Roots(), "/dev/pts")
	if p.Temp != "" {
		b.writable = append(b.writable, p.Temp)
	}
	if p.Filesystem == sandbox.Workspace {
		b.writable = append(b.writable, "/dev/shm")
	}
	return b, nil
}

// start serves from a thread of its own, which has no capabilities.
func (b *broker) start() error {
	// The caller and the thread that serves it run in turn; older kernels do without.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(b.fd), unix.SECCOMP_IOCTL_NOTIF_SET_FLAGS, unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP)
	started := make(chan error)
	go b.onThread(started)
	return <-started
}

// onThread is never unlocked, so that the runtime ends the thread with the goroutine. The
// main thread, by which others know this process, is not used.
func (b *broker) onThread(started chan<- error) {
	runtime.LockOSThread()
	if unix.Gettid() == unix.Getpid() {
		defer runtime.UnlockOSThread()
		go b.onThread(started)
		<-b.done
		return
	}
	defer close(b.done)
	err := resign()
	if err == nil && b.nursery != nil {
		err = b.nursery.separate()
	}
	started <- err
	if err == nil {
		b.serve()
	}
}

// close ends serve and waits for it.
func (b *broker) close() {
	unix.Close(b.stop[1])
	<-b.done
	unix.Close(b.stop[0])
	unix.Close(b.fd)
	if b.nursery != nil {
		b.nursery.close()
	}
	b.sockets.close()
}

// serve answers calls until no process is left that could make one, or stop is closed.
func (b *broker) serve() {
	poll := []unix.PollFd{{Fd: int32(b.fd), Events: unix.POLLIN}, {Fd: int32(b.stop[0]), Events: unix.POLLIN}}
	for {
		// To receive without a call would block in the kernel for good.
		n, err := awaitNext(poll)
		if n == 0 && err == nil {
			n, err = unix.Poll(poll, int(b.nursery.next().Milliseconds()))
		}
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || poll[1].Revents != 0:
			return
		case n == 0:
			b.nursery.look(b.fd)
		case poll[0].Revents&unix.POLLIN != 0:
			b.answer()
		case poll[0].Revents != 0:
			return
		}
	}
}

// burst is the time in which the next call mostly arrives after one.
const burst = 50 * time.Microsecond

// awaitNext waits for a burst without telling the runtime, which would else give the
// thread's turn to another one, and get it back, for every call.
func awaitNext(poll []unix.PollFd) (int, error) {
	most := unix.NsecToTimespec(burst.Nanoseconds())
	n, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&poll[0])), uintptr(len(poll)), uintptr(unsafe.Pointer(&most)), 0, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// answer receives a call, makes it and sends the result.
func (b *broker) answer() {
	var n notification
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(b.fd), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
		return // the caller is gone
	}
	if err := b.makeCall(&n); !errors.Is(err, errWaits) && !errors.Is(err, errGiven) {
		respond(b.fd, n.id, 0, err)
	}
}

// respond sends the result of a call: its value, or the error.
func respond(listener int, id uint64, value int64, err error) {
	a := response{id: id, value: value}
	if err != nil {
		errno := unix.EPERM
		errors.As(err, &errno)
		a.errno = -int32(errno)
	}
	// It fails only if the caller is gone.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
}

// isValid reports whether the caller of a call still waits.
func isValid(listener int, id uint64) bool {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&id)))
	return errno == 0
}

// makeCall makes a call that the profile allows.
func (b *broker) makeCall(n *notification) error {
	if b.sockets != nil && slices.Contains(socketCalls[:], uintptr(n.number)) {
		return b.sockets.serve(b.fd, &caller{pid: n.pid, uid: b.uid, groups: b.groups}, n)
	}
	call, changes := metadataCall(n)
	if !changes && b.nursery == nil {
		return unix.ENOSYS
	}
	c := &caller{pid: n.pid, uid: b.uid, groups: b.groups}
	if !changes {
		return b.nursery.take(b.fd, c, n)
	}
	f, err := c.open(call)
	if err != nil {
		return err
	}
	defer unix.Close(f.fd)
	// The caller may have ended before it was looked at, and its number may belong to
	// another process now.
	if !isValid(b.fd, n.id) {
		return unix.ENOENT
	}
	real, err := os.Readlink(f.name)
	if err != nil || !b.allows(real) {
		return unix.EPERM
	}
	return call.change(c, f)
}

// allows reports whether the metadata of a path may be changed.
func (b *broker) allows(real string) bool {
	holds := func(dir string) bool { return workspace.WithinOS(real, dir) }
	return slices.ContainsFunc(b.writable, holds) && !slices.ContainsFunc(b.kept, holds)
}

// caller is the thread that made the call.
type caller struct {
	pid    uint32
	uid    int
	groups []int
}

// read reads memory of the caller, at most up to the end of a page, because the next one
// may not be mapped.
func (c *caller) read(buf []byte, at uint64) int {
	buf = buf[:min(uint64(len(buf)), 4096-at%4096)]
	if len(buf) == 0 {
		return 0
	}
	local := []unix.Iovec{{Base: &buf[0]}}
	local[0].SetLen(len(buf))
	n, err := unix.ProcessVMReadv(int(c.pid), local, []unix.RemoteIovec{{Base: uintptr(at), Len: len(buf)}}, 0)
	if err == nil {
		return n
	}
	// An outer sandbox may refuse that call alone.
	memory, err := unix.Open(fmt.Sprintf("/proc/%d/mem", c.pid), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer unix.Close(memory)
	if n, err = unix.Pread(memory, buf, int64(at)); err != nil {
		return 0
	}
	return n
}

// text reads a string that ends in NUL; most is its greatest length in bytes.
func (c *caller) text(at uint64, most int) (string, error) {
	var all []byte
	var buf [4096]byte
	for len(all) <= most {
		n := c.read(buf[:], at+uint64(len(all)))
		if n <= 0 {
			return "", unix.EFAULT
		}
		if i := bytes.IndexByte(buf[:n], 0); i >= 0 {
			all = append(all, buf[:i]...)
			break
		}
		all = append(all, buf[:n]...)
	}
	if len(all) > most {
		return "", unix.ENAMETOOLONG
	}
	return string(all), nil
}

// bytes reads size bytes.
func (c *caller) bytes(at, size uint64) ([]byte, error) {
	buf := make([]byte, size)
	for done := 0; done < len(buf); {
		n := c.read(buf[done:], at+uint64(done))
		if n <= 0 {
			return nil, unix.EFAULT
		}
		done += n
	}
	return buf, nil
}

// open opens what a call leads to, as the kernel would find it for the caller.
func (c *caller) open(m metadata) (*target, error) {
	base := fmt.Sprintf("/proc/%d/cwd", c.pid)
	if m.dir != unix.AT_FDCWD {
		base = fmt.Sprintf("/proc/%d/fd/%d", c.pid, m.dir)
	}
	path := ""
	if !m.byFD {
		var err error
		if path, err = c.text(m.path, unix.PathMax-1); err != nil {
			return nil, err
		}
		if path == "" && !m.empty {
			return nil, unix.ENOENT
		}
	}
	at, err := unix.Open(base, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, unix.EBADF
	}
	fd := at
	if path != "" {
		defer unix.Close(at)
		flags := unix.O_PATH | unix.O_CLOEXEC
		if m.noFollow {
			flags |= unix.O_NOFOLLOW
		}
		if fd, err = unix.Openat(at, c.own(path), flags, 0); err != nil {
			return nil, err
		}
	}
	f := &target{fd: fd, name: "/proc/self/fd/" + strconv.Itoa(fd)}
	if err := unix.Fstat(fd, &f.st); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return f, nil
}

// own rewrites a path to the caller's descriptors, such as /dev/fd/3, so that it means
// the same for this process.
func (c *caller) own(path string) string {
	clean := filepath.Clean(path)
	if rest, ok := strings.CutPrefix(clean, "/dev/fd/"); ok {
		clean = "/proc/self/fd/" + rest
	}
	for _, self := range [...]string{"/proc/self", "/proc/thread-self"} {
		if rest, ok := strings.CutPrefix(clean, self); ok && strings.HasPrefix(rest, "/fd/") {
			return fmt.Sprintf("/proc/%d", c.pid) + rest
		}
	}
	return path
}

// owns reports whether the caller, which has no capabilities, may do what only the
// owner of a file may do.
func (c *caller) owns(f *target) bool { return int(f.st.Uid) == c.uid }
