//go:build linux && (amd64 || arm64)

package linux

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// A network belongs to a user namespace, and only with all capabilities in that one can it
// be entered. Its owner has them once inside. So a command enters both namespaces of the
// commands that it shares the network with, and has the others for itself.

// errNotEntered is the error of a network that can no longer be entered.
var errNotEntered = errors.New("the network of other commands cannot be entered")

// join has a command started in the network of others.
func (p *plan) join(l *sandbox.Loopback) { p.Join, p.OwnNetwork, p.Loopback = l, false, false }

// leave gives the command a network of its own again.
func (p *plan) leave() { p.Join, p.OwnNetwork, p.Loopback = nil, true, true }

// enter adds the steps that enter a loopback.
func (s *script) enter(l *sandbox.Loopback) {
	s.call("setns", "user", unix.SYS_SETNS, l.User.Fd(), unix.CLONE_NEWUSER)
	s.call("setns", "net", unix.SYS_SETNS, l.Net.Fd(), unix.CLONE_NEWNET)
	s.call("PR_SET_DUMPABLE", "", unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 1) // for its own /proc/self
}

// share adds the steps that hand a loopback out: from outside nobody but root may open the
// namespaces of a process that hides its memory.
func (s *script) share() {
	for _, name := range [...]string{"/proc/self/ns/user", "/proc/self/ns/net"} {
		h := new(handing)
		s.call("open", name, unix.SYS_OPENAT, atCWD, s.text(name), unix.O_RDONLY|unix.O_CLOEXEC, 0).into = &h.fd
		s.handOut(h, handFD)
	}
}

// loopback receives a loopback.
func (h hand) loopback() (*sandbox.Loopback, error) {
	user, err := h.receive("user namespace")
	if err != nil {
		return nil, err
	}
	network, err := h.receive("network")
	if err != nil {
		user.Close()
		return nil, err
	}
	return &sandbox.Loopback{User: user, Net: network}, nil
}

// forkedInside returns the number of the child that a process has made, and reaps the process.
func forkedInside(maker, status int) (int, syscall.Errno) {
	reap(maker)
	// Nothing comes if it was killed.
	if err := unix.SetNonblock(status, true); err != nil {
		return -1, unix.EIO
	}
	n, err := readMessage(status)
	if failed := unix.SetNonblock(status, false); err != nil || failed != nil || n.kind != forked {
		return -1, unix.ESRCH
	}
	return int(n.value), 0
}

// reap waits for the end of a child and returns its exit status.
func reap(pid int) int {
	var ws unix.WaitStatus
	for {
		if _, err := unix.Wait4(pid, &ws, 0, nil); err != unix.EINTR {
			break
		}
	}
	return ws.ExitStatus()
}

// Names implements [sandbox.System].
func (System) Names(l *sandbox.Loopback) (user, network sandbox.Namespace, err error) {
	if user, err = nameOf(l.User); err == nil {
		network, err = nameOf(l.Net)
	}
	return user, network, err
}

func nameOf(f *os.File) (sandbox.Namespace, error) {
	fd := int(f.Fd())
	name, err := os.Readlink(openFile(os.Getpid(), fd))
	return sandbox.Namespace{Descriptor: fd, Name: name}, err
}

// openFile returns the path of a file that a process has open.
func openFile(pid, fd int) string { return fmt.Sprintf("/proc/%d/fd/%d", pid, fd) }

// Find implements [sandbox.System].
func (System) Find(pid int, user, network sandbox.Namespace) (*sandbox.Loopback, error) {
	u, err := openNamespace(pid, user)
	if err != nil {
		return nil, err
	}
	n, err := openNamespace(pid, network)
	if err != nil {
		u.Close()
		return nil, err
	}
	return &sandbox.Loopback{User: u, Net: n}, nil
}

// openNamespace opens a namespace that a process has open. Another file with the number of
// its descriptor is not opened, which might wait, or take what it has.
func openNamespace(pid int, n sandbox.Namespace) (*os.File, error) {
	path := openFile(pid, n.Descriptor)
	if name, err := os.Readlink(path); err != nil || name != n.Name {
		return nil, errors.Join(errNotEntered, err)
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), n.Name)
	if now, err := nameOf(f); err != nil || now.Name != n.Name {
		f.Close()
		return nil, errors.Join(errNotEntered, err)
	}
	return f, nil
}

// errand is a fork of this process that makes calls in a loopback, hands out what it has
// opened there, and ends; see [child] for what it must not do.
type errand struct {
	mask, all uint64
	script    script
}

// fork forks.
//
//go:nosplit
//go:norace
//go:noinline
func (e *errand) fork() (pid uintptr, errno syscall.Errno) {
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&e.all)), uintptr(unsafe.Pointer(&e.mask)), signalSetSize)
	if pid, errno = raw(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0); errno == 0 && pid == 0 {
		_, errno = e.script.run()
		for {
			do(unix.SYS_EXIT_GROUP, uintptr(errno), 0, 0, 0)
		}
	}
	do(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&e.mask)), 0, signalSetSize)
	return pid, errno
}

// inside makes calls in a loopback and returns the descriptors that they hand out.
func inside(l *sandbox.Loopback, add func(s *script, handOut func(*handing))) (files []*os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	h := hand{pair[0], pair[1]}
	defer h.close()
	e := &errand{all: ^uint64(0)}
	e.script.enter(l)
	count := 0
	add(&e.script, func(out *handing) {
		e.script.handOut(out, h.child)
		count++
	})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	live.Lock()
	pid, errno := e.fork()
	live.Unlock()
	runtime.KeepAlive(e)
	if errno != 0 {
		return nil, errno
	}
	if status := reap(int(pid)); status != 0 {
		return nil, errors.Join(errNotEntered, syscall.Errno(max(0, status)))
	}
	for range count {
		f, err := h.receive("file of the network")
		if err != nil {
			for _, f := range files {
				f.Close()
			}
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Connect implements [sandbox.System]. A socket stays in the network that it was made in.
func (System) Connect(ctx context.Context, l *sandbox.Loopback, to netip.AddrPort) (net.Conn, error) {
	family, address := uintptr(unix.AF_INET6), unix.Sockaddr(&unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()})
	if four := to.Addr().Unmap(); four.Is4() {
		family, address = unix.AF_INET, &unix.SockaddrInet4{Port: int(to.Port()), Addr: four.As4()}
	}
	files, err := inside(l, func(s *script, handOut func(*handing)) {
		h := new(handing)
		s.call("socket", "", unix.SYS_SOCKET, family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0).into = &h.fd
		handOut(h)
	})
	if err != nil {
		return nil, err
	}
	defer files[0].Close()
	if err := connect(ctx, files[0], address); err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(to), Err: os.NewSyscallError("connect", err)}
	}
	return net.FileConn(files[0])
}

// connect connects a socket that does not block.
func connect(ctx context.Context, f *os.File, to unix.Sockaddr) error {
	until, _ := ctx.Deadline()
	if err := f.SetWriteDeadline(until); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = f.SetWriteDeadline(time.Unix(1, 0)) })()
	way, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var result error
	begun := false
	err = way.Write(func(fd uintptr) bool {
		if !begun {
			begun, result = true, unix.Connect(int(fd), to)
			return !errors.Is(result, unix.EINPROGRESS)
		}
		var code int
		if code, result = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_ERROR); result == nil && code != 0 {
			result = syscall.Errno(code)
		}
		return true
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(err, result)
}

// Listening implements [sandbox.System].
func (System) Listening(l *sandbox.Loopback, roots []int) ([]sandbox.Listening, error) {
	tables, err := inside(l, func(s *script, handOut func(*handing)) {
		for _, name := range [...]string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
			h := new(handing)
			s.call("open", name, unix.SYS_OPENAT, atCWD, s.text(name), unix.O_RDONLY|unix.O_CLOEXEC, 0).into = &h.fd
			handOut(h)
		}
	})
	if err != nil {
		return nil, err
	}
	owners := socketsOf(roots)
	var all []sandbox.Listening
	for _, f := range tables {
		data, readErr := io.ReadAll(io.LimitReader(f, maxTable))
		err = errors.Join(err, readErr, f.Close())
		for line := range strings.Lines(string(data)) {
			if at, inode, ok := listeningAt(line); ok {
				all = append(all, sandbox.Listening{Address: at, Root: owners[inode]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b sandbox.Listening) int { return cmp.Compare(a.Address.Port(), b.Address.Port()) })
	return all, err
}

// listeningAt reads a line of proc_net(5) about a socket that listens.
func listeningAt(line string) (at netip.AddrPort, inode string, ok bool) {
	f := strings.Fields(line)
	if len(f) < 10 || f[3] != "0A" {
		return at, "", false
	}
	address, port, _ := strings.Cut(f[1], ":")
	raw, err := hex.DecodeString(address)
	number, portErr := strconv.ParseUint(port, 16, 16)
	if err != nil || portErr != nil || len(raw)%4 != 0 {
		return at, "", false
	}
	for word := range slices.Chunk(raw, 4) { // in the order of the machine
		binary.BigEndian.PutUint32(word, binary.NativeEndian.Uint32(word))
	}
	a, ok := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(a, uint16(number)), f[9], ok
}

// socketsOf returns the sockets that processes and their descendants have open, each with
// the process of those given.
func socketsOf(roots []int) map[string]int {
	owners := map[string]int{}
	table := processes()
	for _, root := range roots {
		for _, pid := range withDescendants([]int{root}, table) {
			if pid == os.Getpid() {
				continue // what it listens at is a way out for a command, and no server
			}
			dir := fmt.Sprintf("/proc/%d/fd/", pid)
			names, err := namesIn(dir)
			if err != nil {
				continue // it has ended, or is not ours
			}
			for _, name := range names {
				link, err := os.Readlink(dir + name)
				if inode, ok := strings.CutPrefix(link, "socket:["); err == nil && ok {
					owners[strings.TrimSuffix(inode, "]")] = root
				}
			}
		}
	}
	return owners
}
