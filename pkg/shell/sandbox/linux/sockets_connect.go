//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/workspace"
)

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
		ours = func() bool { return s.allOurs(namesakes(raw[min(3, len(raw)):])) }
	case !s.full:
		local, port, ok := inet(raw, e.domain)
		if !ok {
			return unix.ENETUNREACH
		}
		raw = local
		ours = func() bool { return s.allOurs(listeners(port)) }
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
func (s *sockets) allOurs(all []socketID) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(one socketID) bool { return !s.isOurs(one) })
}
