//go:build linux

package sandbox

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

	"github.com/helve-dev/helve/pkg/workspace"
)

// Landlock does not govern who owns a file, its mode, its times and attributes.
// So where it is all there is, the calls that change those are carried out for
// the command by this process, which looks where they lead first. See "User
// notification" in seccomp_unotify(2). The command's own call is never let
// through: what it names could change after it was looked at.

// metadata is a call as it was made, all but its target.
type metadata struct {
	dir      int32 // a descriptor of the caller's or AT_FDCWD
	path     uint64
	byFD     bool // the descriptor itself is the target
	empty    bool // so it is when the path is empty
	noFollow bool
	change   func(m *caller, f *target) error
}

// target is a file that a call leads to, opened without any right to its bytes.
type target struct {
	fd   int
	name string // by which the kernel reaches it again
	st   unix.Stat_t
}

// notification and answer are struct seccomp_notif and seccomp_notif_resp.
type notification struct {
	id     uint64
	pid    uint32
	flags  uint32
	number int32
	arch   uint32
	ip     uint64
	args   [6]uint64
}

type answer struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// broker carries out changes of metadata where a profile allows to write.
type broker struct {
	file     *os.File
	writable []string
	kept     []string // must not be changed although they are below a writable one
	groups   []int
	uid      int
}

func newBroker(fd int, p Profile) (*broker, error) {
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	groups, err := os.Getgroups()
	if err != nil {
		return nil, err
	}
	b := &broker{file: os.NewFile(uintptr(fd), "seccomp"), kept: p.Protected, groups: append(groups, unix.Getegid()), uid: unix.Geteuid()}
	b.writable = append(p.roots(), "/dev/pts")
	if p.Temp != "" {
		b.writable = append(b.writable, p.Temp)
	}
	if p.Filesystem == Workspace {
		b.writable = append(b.writable, "/dev/shm")
	}
	return b, nil
}

// serve answers until nothing is left that could ask, or the file is closed.
func (b *broker) serve() {
	raw, err := b.file.SyscallConn()
	if err != nil {
		return // it is closed already
	}
	for more := true; more; {
		err := raw.Read(func(fd uintptr) bool {
			// Receiving would wait in the kernel where nobody could wake it.
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

func (b *broker) answer(fd uintptr) {
	var n notification
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
		return // who asked is gone
	}
	a := answer{id: n.id}
	if err := b.carryOut(fd, &n); err != nil {
		errno := unix.EPERM
		errors.As(err, &errno)
		a.errno = -int32(errno)
	}
	// Fails only when who asked is gone.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
}

func (b *broker) carryOut(fd uintptr, n *notification) error {
	call, ok := metadataCall(n)
	if !ok {
		return unix.ENOSYS
	}
	c, err := newCaller(n.pid)
	if err != nil {
		return unix.EPERM
	}
	defer c.close()
	// The number may have become another process's before its memory was opened.
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

func (b *broker) allows(real string) bool {
	holds := func(dir string) bool { return workspace.WithinOS(real, dir) }
	return slices.ContainsFunc(b.writable, holds) && !slices.ContainsFunc(b.kept, holds)
}

// caller is the thread whose call is carried out.
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

// text reads a string that ends in NUL, of at most so many bytes.
func (c *caller) text(at uint64, most int) (string, error) {
	var all []byte
	for len(all) <= most {
		// Not beyond a page, as the next one may not be there.
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

func (c *caller) bytes(at, size uint64) ([]byte, error) {
	buf := make([]byte, size)
	n, err := unix.Pread(c.memory, buf, int64(at))
	if err != nil || uint64(n) != size {
		return nil, unix.EFAULT
	}
	return buf, nil
}

// open finds what a call leads to, as the kernel would for the caller.
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

// own turns a path to the caller's own descriptors into one that means the same
// to others.
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

// owns reports whether the caller, which has no capabilities, may change what
// only the owner of a file may.
func (c *caller) owns(f *target) bool { return int(f.st.Uid) == c.uid }
