//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// Without a network namespace a command is in the machine's. So under Landlock helve makes
// the calls that give a socket an address or a peer: it reads the address once, judges it,
// and makes the call with its own bytes on its own descriptor of the socket. Of sockets of
// the internet a command has streams on the loopback, and its peers are listeners of the
// commands of its session in its workspace; of those with paths and names, streams to what is in its
// directories, to what the profile names, and to names of its own.

// sockets serves the calls of a command.
type sockets struct {
	profile sandbox.Profile
	full    bool     // it may reach every host
	root    int      // of the command, -1 before its first call
	dirs    []string // in which there may be its peers
	ours    sync.Map // cookies of its listeners by their inodes
	shared  string   // a file with those of other commands, "" without one
	nursery *nursery // makes the files; nil without one
}

// newSockets returns what serves a command.
func newSockets(p sandbox.Profile, network sandbox.Network) *sockets {
	s := &sockets{profile: p, full: network == sandbox.Full, root: -1, dirs: append(p.Roots(), p.Workspace)}
	if p.Temp != "" {
		s.dirs = append(s.dirs, p.Temp)
	}
	if boot := bootID(); boot != "" && p.Lock != "" {
		s.shared = filepath.Join(p.Lock, "listening-"+boot[:min(len(boot), 8)])
	}
	return s
}

// close is called when all processes of the command have ended.
func (s *sockets) close() {
	if s == nil {
		return
	}
	if s.root >= 0 {
		unix.Close(s.root)
	}
	s.withdraw()
}

// copies reports whether this process may copy descriptors of others.
func copies() bool {
	self, err := unix.PidfdOpen(unix.Getpid(), 0)
	if err != nil {
		return false
	}
	defer unix.Close(self)
	fd, err := unix.PidfdGetfd(self, self, 0)
	if err == nil {
		unix.Close(fd)
	}
	return err == nil
}

// end is a socket of the caller as this process has it.
type end struct {
	fd, domain, kind int
	id               socketID
}

// process returns the number of the caller's process, 0 if it is gone.
func (c *caller) process() (pid int) {
	text, err := readAll(fmt.Sprintf("/proc/%d/status", c.pid), 4<<10)
	_, after, _ := bytes.Cut(text, []byte("\nTgid:\t"))
	number, _, _ := bytes.Cut(after, []byte("\n"))
	if err == nil {
		pid, _ = strconv.Atoi(string(number)) // 0 is nobody
	}
	return pid
}

// take returns a copy of a descriptor of the caller.
func (c *caller) take(fd int32) (e end, err error) {
	handle, err := unix.PidfdOpen(c.process(), 0)
	if err != nil {
		return e, unix.EBADF
	}
	defer unix.Close(handle)
	if e.fd, err = unix.PidfdGetfd(handle, int(fd), 0); err != nil {
		return e, unix.EBADF
	}
	var st unix.Stat_t
	err = unix.Fstat(e.fd, &st)
	if err == nil && st.Mode&unix.S_IFMT != unix.S_IFSOCK {
		err = unix.ENOTSOCK
	}
	if err == nil {
		e.id = idOf(e.fd, st.Ino)
		e.domain, err = unix.GetsockoptInt(e.fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
	}
	if err == nil {
		e.kind, err = unix.GetsockoptInt(e.fd, unix.SOL_SOCKET, unix.SO_TYPE)
	}
	if err != nil {
		unix.Close(e.fd)
	}
	return e, err
}

// serve makes a call.
func (s *sockets) serve(listener int, c *caller, m *notification) error {
	e, err := c.take(int32(m.args[0]))
	if err != nil {
		return err
	}
	defer unix.Close(e.fd)
	if s.root < 0 { // all processes of the command have the same one
		if s.root, err = unix.Open(fmt.Sprintf("/proc/%d/root", m.pid), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
			return unix.EPERM
		}
	}
	v := &visit{caller: c, root: s.root, valid: func() bool { return isValid(listener, m.id) }}
	defer v.end()
	if !v.valid() {
		return unix.EBADF
	}
	if uintptr(m.number) == unix.SYS_LISTEN {
		return s.listen(e, int(int32(m.args[1])))
	}
	size := int(int32(m.args[2]))
	if size < 2 || size > unix.SizeofSockaddrAny {
		return unix.EINVAL
	}
	raw, err := c.bytes(m.args[1], uint64(size))
	if err != nil {
		return err
	}
	if uintptr(m.number) == unix.SYS_BIND {
		return s.bind(v, e, raw)
	}
	return s.connect(v, listener, m.id, e, raw)
}

// call makes a call that has an address.
func call(number uintptr, fd int, raw []byte) error {
	if _, _, errno := unix.Syscall(number, uintptr(fd), uintptr(unsafe.Pointer(&raw[0])), uintptr(len(raw))); errno != 0 {
		return errno
	}
	return nil
}

func family(raw []byte) int { return int(binary.NativeEndian.Uint16(raw)) }

// inet has an address of the internet as this process uses it: one for everybody becomes
// the one of the loopback. ok is false for one that is not the machine's own.
func inet(raw []byte, domain int) (local []byte, port uint16, ok bool) {
	if family(raw) != domain || len(raw) < 16 || domain == unix.AF_INET6 && len(raw) < 24 {
		return nil, 0, false
	}
	local, port = slices.Clone(raw), binary.BigEndian.Uint16(raw[2:])
	four := local[4:8]
	if domain == unix.AF_INET6 {
		address := local[8:24]
		four = address[12:]
		switch {
		case bytes.Equal(address, make([]byte, 16)): // also for those who ask by the older protocol
			copy(address[10:], []byte{0xff, 0xff, 127, 0, 0, 1})
			return local, port, true
		case bytes.Equal(address, append(make([]byte, 15), 1)):
			return local, port, true
		case !bytes.Equal(address[:12], []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}):
			return nil, 0, false
		}
	}
	if bytes.Equal(four, make([]byte, 4)) {
		copy(four, []byte{127, 0, 0, 1})
	}
	return local, port, bytes.Equal(four, []byte{127, 0, 0, 1})
}

// bind gives a socket its address.
func (s *sockets) bind(v *visit, e end, raw []byte) error {
	switch {
	case e.domain == unix.AF_UNIX && len(raw) > 2 && raw[2] != 0:
		return s.bindPath(v, e, raw)
	case e.domain == unix.AF_UNIX, s.full: // a name, or none yet
		return call(unix.SYS_BIND, e.fd, raw)
	}
	return bindLoopback(e, raw)
}

func bindLoopback(e end, raw []byte) error {
	local, _, ok := inet(raw, e.domain)
	if !ok {
		return unix.EADDRNOTAVAIL
	}
	// A socket for one protocol alone has no addresses of the other one.
	if only, err := unix.GetsockoptInt(e.fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY); e.domain == unix.AF_INET6 && err == nil && only != 0 && local[18] != 0 {
		copy(local[8:24], append(make([]byte, 15), 1))
	}
	return call(unix.SYS_BIND, e.fd, local)
}

// listen lets a socket be connected to. One without an address would get one for
// everybody.
func (s *sockets) listen(e end, backlog int) error {
	if !s.full && e.domain != unix.AF_UNIX {
		at, err := unix.Getsockname(e.fd)
		if err != nil {
			return err
		}
		var port int
		switch a := at.(type) {
		case *unix.SockaddrInet4:
			port = a.Port
		case *unix.SockaddrInet6:
			port = a.Port
		default:
			return unix.EPERM
		}
		if port == 0 {
			raw := make([]byte, unix.SizeofSockaddrInet6)
			binary.NativeEndian.PutUint16(raw, uint16(e.domain))
			if err := bindLoopback(e, raw); err != nil {
				return err
			}
		}
	}
	if err := unix.Listen(e.fd, backlog); err != nil {
		return err
	}
	before, known := s.ours.Swap(e.id.inode, e.id.cookie)
	if known && before == e.id.cookie || s.shared == "" {
		return nil
	}
	s.announce(e.id)
	return nil
}

// isOurs reports whether a socket is a listener of a command of the session in the workspace.
func (s *sockets) isOurs(id socketID) bool {
	if cookie, ok := s.ours.Load(id.inode); ok && id.is(socketID{id.inode, cookie.(uint64)}) {
		return true
	}
	return s.hears(id)
}

// bindPath makes a socket with a path. The path is that of the call where that leads to the
// same place for this process, so that the socket has it as its name.
func (s *sockets) bindPath(v *visit, e end, raw []byte) error {
	text, _, _ := bytes.Cut(raw[2:], []byte{0})
	path := string(text)
	if s.nursery == nil || family(raw) != unix.AF_UNIX {
		return unix.EACCES
	}
	defer s.nursery.alone()()
	base, err := v.from(path)
	if err != nil {
		return err
	}
	p, err := v.find(base, path)
	if err != nil {
		return err
	}
	if _, obeyed := s.nursery.judge(p.path()); obeyed {
		return unix.EACCES
	}
	err = s.nursery.bear(v, p, unix.S_IFSOCK, func(p place) error {
		return s.nursery.withMode(v, p, 0o777, func(uint32) error { return s.nursery.bindAt(v, e, p, base, path) })
	})
	if errors.Is(err, unix.EEXIST) {
		return unix.EADDRINUSE
	}
	return err
}

// bindAt binds a socket to a place that is empty. Nothing that leads there changes
// meanwhile, but a link of /proc would lead this process elsewhere.
func (n *nursery) bindAt(v *visit, e end, p place, base int, path string) error {
	relative := !strings.HasPrefix(path, "/")
	if relative && n.ownMask { // and so a directory of its own
		if err := unix.Fchdir(base); err != nil {
			return err
		}
		defer func() { _ = unix.Chdir("/") }()
	}
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_MAGICLINKS}
	dir, err := v.keep(unix.Openat2(unix.AT_FDCWD, filepath.Dir(path), &how))
	if err != nil || nodeAt(dir, "") != nodeAt(p.dir, "") || filepath.Base(path) != p.name || relative && !n.ownMask {
		path = procLink(p.dir) + "/" + p.name
	}
	return unix.Bind(e.fd, &unix.SockaddrUnix{Name: path})
}

// from opens what a path starts from.
func (v *visit) from(path string) (int, error) {
	if strings.HasPrefix(path, "/") {
		return v.root, nil
	}
	return v.base(unix.AT_FDCWD)
}
