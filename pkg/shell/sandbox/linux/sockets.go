//go:build linux

package linux

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Without a network namespace a command is in the machine's. So under Landlock helve makes
// the calls that give a socket an address or a peer: it reads the address once, judges it,
// and makes the call with its own bytes on its own descriptor of the socket. Of sockets of
// the internet a command has streams on the loopback, and its peers are listeners of the
// commands in its workspace; of those with paths and names, streams to what is in its
// directories, to what the profile names, and to names of its own.

// sockets serves the calls of a command.
type sockets struct {
	profile sandbox.Profile
	full    bool     // it may reach every host
	root    int      // of the command, -1 before its first call
	dirs    []string // in which there may be its peers
	ours    sync.Map // inodes of its listeners
	shared  string   // a file with those of other commands, "" without one
	nursery *nursery // makes the files; nil without one
}

// newSockets returns what serves a command.
func newSockets(p sandbox.Profile, network sandbox.Network) *sockets {
	s := &sockets{profile: p, full: network == sandbox.Full, root: -1, dirs: append(p.Roots(), p.Workspace)}
	if p.Temp != "" {
		s.dirs = append(s.dirs, p.Temp)
	}
	if boot, err := readAll("/proc/sys/kernel/random/boot_id", 8); err == nil && p.Lock != "" {
		s.shared = filepath.Join(p.Lock, "listening-"+string(boot))
	}
	return s
}

func (s *sockets) close() {
	if s != nil && s.root >= 0 {
		unix.Close(s.root)
	}
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
	inode            uint64
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
		e.inode = st.Ino
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
	if _, known := s.ours.LoadOrStore(e.inode, true); known || s.shared == "" {
		return nil
	}
	if fd, err := unix.Open(s.shared, unix.O_WRONLY|unix.O_CREAT|unix.O_APPEND|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600); err == nil {
		_, _ = unix.Write(fd, fmt.Appendf(nil, "%d\n", e.inode)) // without it, other commands do not reach it
		unix.Close(fd)
	}
	return nil
}

// isOurs reports whether an inode is that of a listener of a command in the workspace.
func (s *sockets) isOurs(inode uint64) bool {
	if _, ok := s.ours.Load(inode); ok {
		return true
	}
	if s.shared == "" {
		return false
	}
	text, err := readAll(s.shared, 1<<20)
	return err == nil && slices.Contains(strings.Fields(string(text)), strconv.FormatUint(inode, 10))
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

// connect gives a socket a peer.
func (s *sockets) connect(v *visit, listener int, id uint64, e end, raw []byte) error {
	ours := func() bool { return true }
	switch {
	case e.domain == unix.AF_UNIX && family(raw) == unix.AF_UNIX && len(raw) > 2 && raw[2] != 0:
		fd, err := s.peer(v, raw)
		if err != nil {
			return err
		}
		raw = append(binary.NativeEndian.AppendUint16(nil, unix.AF_UNIX), procLink(fd)+"\x00"...)
	case e.domain == unix.AF_UNIX:
		name := "@" + strings.ReplaceAll(string(raw[min(3, len(raw)):]), "\x00", "@")
		ours = func() bool { return s.allOurs(named("/proc/net/unix", name)) }
	case !s.full:
		local, port, ok := inet(raw, e.domain)
		if !ok {
			return unix.ENETUNREACH
		}
		raw = local
		ours = func() bool {
			return s.allOurs(append(listening("/proc/net/tcp", port), listening("/proc/net/tcp6", port)...))
		}
	}
	if !ours() {
		return unix.ECONNREFUSED
	}
	reach := func(fd int) error {
		err := call(unix.SYS_CONNECT, fd, raw)
		// Meanwhile the listener may have become another one.
		if (err == nil || errors.Is(err, unix.EINPROGRESS)) && !ours() {
			_ = unix.Shutdown(fd, unix.SHUT_RDWR)
			return unix.ECONNREFUSED
		}
		return err
	}
	flags, err := unix.FcntlInt(uintptr(e.fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_NONBLOCK != 0 {
		return reach(e.fd)
	}
	return apart(listener, id, e.fd, v, reach)
}

// apart makes a call that may wait, on a thread of its own.
func apart(listener int, id uint64, fd int, v *visit, f func(fd int) error) error {
	fd, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	if listener, err = unix.FcntlInt(uintptr(listener), unix.F_DUPFD_CLOEXEC, 0); err != nil {
		unix.Close(fd)
		return err
	}
	held := visit{fds: append(v.fds, fd, listener)}
	v.fds = nil
	go func() {
		defer held.end()
		runtime.LockOSThread() // and never unlocks it, so that the thread ends
		err := resign()
		if err == nil {
			err = f(fd)
		}
		respond(listener, id, 0, err)
	}()
	return errWaits
}

// peer opens the socket at a path, if the command may reach it.
func (s *sockets) peer(v *visit, raw []byte) (int, error) {
	text, _, _ := bytes.Cut(raw[2:], []byte{0})
	base, err := v.from(string(text))
	if err != nil {
		return -1, err
	}
	p, err := v.find(base, string(text))
	for err == nil {
		if p.open >= 0 {
			return -1, unix.EACCES
		}
		fd, openErr := v.keep(unix.Openat(p.dir, p.name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0))
		if openErr != nil {
			return -1, openErr
		}
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return -1, err
		}
		switch st.Mode & unix.S_IFMT {
		case unix.S_IFLNK:
			p, err = v.follow(p)
			continue
		case unix.S_IFSOCK:
			if !s.reaches(p) {
				return -1, unix.EACCES
			}
			return fd, nil
		}
		return -1, unix.ECONNREFUSED
	}
	return -1, err
}

// reaches reports whether a command may connect to what is at a place.
func (s *sockets) reaches(p place) bool {
	path := p.path()
	if slices.Contains(s.profile.Readable, path) { // named, as the agent's
		return true
	}
	hidden := slices.ContainsFunc(s.profile.Secrets, func(one string) bool { return workspace.WithinOS(path, one) && !s.isIn(one) })
	return !hidden && slices.ContainsFunc(s.dirs, func(dir string) bool { return workspace.WithinOS(path, dir) })
}

// isIn reports whether something hidden is a directory above those of the command.
func (s *sockets) isIn(hidden string) bool {
	return slices.ContainsFunc(s.dirs, func(dir string) bool { return workspace.WithinOS(dir, hidden) })
}

// allOurs reports whether there are listeners, and all are those of commands.
func (s *sockets) allOurs(inodes []uint64) bool {
	return len(inodes) > 0 && !slices.ContainsFunc(inodes, func(inode uint64) bool { return !s.isOurs(inode) })
}

// maxTable bounds what is read of a table of sockets.
const maxTable = 16 << 20

// listening returns the inodes of the sockets that listen at a port of the machine's own
// addresses, from one of the tables of proc_net(5). One that cannot be read has a listener
// that nobody has.
func listening(table string, port uint16) (inodes []uint64) {
	data, err := readAll(table, maxTable)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil || len(data) == maxTable {
		return []uint64{0}
	}
	const listens = "0A"
	suffix := fmt.Sprintf(":%04X", port)
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 10 || f[3] != listens || !strings.HasSuffix(f[1], suffix) {
			continue
		}
		inode, err := strconv.ParseUint(f[9], 10, 64)
		if err != nil {
			inode = 0
		}
		inodes = append(inodes, inode)
	}
	return inodes
}

// named returns the inodes of the sockets with a name that listen, from the table of
// proc_net_unix.
func named(table, name string) (inodes []uint64) {
	data, err := readAll(table, maxTable)
	if err != nil || len(data) == maxTable {
		return nil
	}
	const accepts = "00010000" // __SO_ACCEPTCON
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 8 || f[3] != accepts || !strings.HasSuffix(strings.TrimSuffix(line, "\n"), " "+name) {
			continue
		}
		if inode, err := strconv.ParseUint(f[6], 10, 64); err == nil {
			inodes = append(inodes, inode)
		}
	}
	return inodes
}
