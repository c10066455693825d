//go:build linux

package linux

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// broker makes changes of metadata where the profile allows writing.
type broker struct {
	file     *os.File
	writable []string
	kept     []string // protected paths below the writable ones
	groups   []int
	uid      int
}

// newBroker returns a broker for the calls that arrive at a descriptor.
func newBroker(fd int, p sandbox.Profile) (*broker, error) {
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	groups, err := os.Getgroups()
	if err != nil {
		return nil, err
	}
	b := &broker{file: os.NewFile(uintptr(fd), "seccomp"), kept: p.Protected, groups: append(groups, unix.Getegid()), uid: unix.Geteuid()}
	b.writable = append(p.Roots(), "/dev/pts")
	if p.Temp != "" {
		b.writable = append(b.writable, p.Temp)
	}
	if p.Filesystem == sandbox.Workspace {
		b.writable = append(b.writable, "/dev/shm")
	}
	return b, nil
}

// serve answers calls until no process is left that could make one, or the file is
// closed.
func (b *broker) serve() {
	raw, err := b.file.SyscallConn()
	if err != nil {
		return // it is closed already
	}
	for more := true; more; {
		err := raw.Read(func(fd uintptr) bool {
			// To receive without a call would block in the kernel for good.
			poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(poll, 0)
			switch {
			case err == unix.EINTR:
				return true
			case err != nil:
				more = false
				return true
			case n > 0 && poll[0].Revents&unix.POLLIN != 0:
				b.answer(fd)
				return true
			case n > 0 && poll[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0:
				more = false
				return true
			}
			return false
		})
		if err != nil {
			return
		}
	}
}

// answer receives a call, makes it and sends the result.
func (b *broker) answer(fd uintptr) {
	var n notification
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
		return // the caller is gone
	}
	a := response{id: n.id}
	if err := b.makeCall(fd, &n); err != nil {
		errno := unix.EPERM
		errors.As(err, &errno)
		a.errno = -int32(errno)
	}
	// It fails only if the caller is gone.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
}

// makeCall makes a call that the profile allows.
func (b *broker) makeCall(fd uintptr, n *notification) error {
	call, ok := metadataCall(n)
	if !ok {
		return unix.ENOSYS
	}
	c, err := newCaller(n.pid)
	if err != nil {
		return unix.EPERM
	}
	defer c.close()
	// The caller may have ended before its memory was opened, and its number may
	// belong to another process now.
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&n.id))); errno != 0 {
		return errno
	}
	f, err := c.open(call)
	if err != nil {
		return err
	}
	defer unix.Close(f.fd)
	real, err := os.Readlink(f.name)
	if err != nil || !b.allows(real) {
		return unix.EPERM
	}
	c.uid, c.groups = b.uid, b.groups
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
	memory int
	uid    int
	groups []int
}

func newCaller(pid uint32) (*caller, error) {
	memory, err := unix.Open(fmt.Sprintf("/proc/%d/mem", pid), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	return &caller{pid: pid, memory: memory}, err
}

func (c *caller) close() { unix.Close(c.memory) }

// text reads a string that ends in NUL; most is its greatest length in bytes.
func (c *caller) text(at uint64, most int) (string, error) {
	var all []byte
	for len(all) <= most {
		// Not beyond a page, because the next one may not be mapped.
		buf := make([]byte, 4096-(at+uint64(len(all)))%4096)
		n, err := unix.Pread(c.memory, buf, int64(at)+int64(len(all)))
		if err != nil || n <= 0 {
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
	n, err := unix.Pread(c.memory, buf, int64(at))
	if err != nil || uint64(n) != size {
		return nil, unix.EFAULT
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
