//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// The listeners of all commands in a workspace are in a file, so that the commands of a session
// reach each other. A command's are taken out when it ends; those of a killed helve stay, so there is a
// bound, beyond which the oldest go.

// announced is a listener in the file.
type announced struct {
	socketID
	session string
}

// mostListeners limits the listeners in the file.
const mostListeners = 4096

// announce has other commands know a listener.
func (s *sockets) announce(id socketID) {
	s.amend(func(all []announced) []announced {
		all = append(all, announced{id, s.profile.Session})
		return all[max(0, len(all)-mostListeners):]
	})
}

// withdraw takes back what was announced.
func (s *sockets) withdraw() {
	some := false
	s.ours.Range(func(_, _ any) bool {
		some = true
		return false
	})
	if some {
		s.amend(func(all []announced) []announced {
			return slices.DeleteFunc(all, func(a announced) bool {
				cookie, ok := s.ours.Load(a.inode)
				return ok && cookie == a.cookie
			})
		})
	}
}

// amend changes the list of the file. Without it, other commands do not reach the listeners.
func (s *sockets) amend(change func([]announced) []announced) {
	f, all := s.open(unix.O_RDWR|unix.O_CREAT, unix.LOCK_EX)
	if f == nil {
		return
	}
	defer f.Close()
	var text []byte
	for _, a := range change(all) {
		text = fmt.Appendf(text, "%d %d %q\n", a.inode, a.cookie, a.session)
	}
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt(text, 0)
	}
}

// hears reports whether a command of the session listens at a socket.
func (s *sockets) hears(id socketID) bool {
	f, all := s.open(unix.O_RDONLY, unix.LOCK_SH)
	if f != nil {
		_ = f.Close() // nothing was written
	}
	return slices.ContainsFunc(all, func(a announced) bool { return a.session == s.profile.Session && id.is(a.socketID) })
}

// open opens the file, with a lock as long as it is open, and reads it; f is nil without one.
func (s *sockets) open(flags, lock int) (f *os.File, all []announced) {
	if s.shared == "" {
		return nil, nil
	}
	fd, err := unix.Open(s.shared, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, nil
	}
	for err = unix.Flock(fd, lock); errors.Is(err, unix.EINTR); {
		err = unix.Flock(fd, lock)
	}
	text, readErr := readAll(procLink(fd), 1<<20)
	if err != nil || readErr != nil {
		unix.Close(fd)
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		inode, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		cookie, session, _ := strings.Cut(rest, " ")
		a := announced{}
		if a.inode, err = strconv.ParseUint(inode, 10, 64); err == nil {
			a.cookie, err = strconv.ParseUint(cookie, 10, 64)
		}
		if err == nil {
			a.session, err = strconv.Unquote(session)
		}
		if err == nil {
			all = append(all, a)
		}
	}
	return os.NewFile(uintptr(fd), s.shared), all
}
