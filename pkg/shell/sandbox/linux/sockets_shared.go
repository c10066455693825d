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

// The listeners of all commands in a workspace are in a file, so that the commands reach each
// other. A command's are taken out when it ends; those of a killed helve stay, so there is a
// bound, beyond which the oldest go.

// mostListeners limits the listeners in the file.
const mostListeners = 4096

// announce has other commands know a listener.
func (s *sockets) announce(id socketID) {
	s.amend(func(all []socketID) []socketID {
		all = append(all, id)
		return all[max(0, len(all)-mostListeners):]
	})
}

// withdraw takes back what was announced.
func (s *sockets) withdraw() {
	announced := false
	s.ours.Range(func(_, _ any) bool {
		announced = true
		return false
	})
	if announced {
		s.amend(func(all []socketID) []socketID {
			return slices.DeleteFunc(all, func(id socketID) bool {
				cookie, ok := s.ours.Load(id.inode)
				return ok && cookie == id.cookie
			})
		})
	}
}

// amend changes the list of the file. Without it, other commands do not reach the listeners.
func (s *sockets) amend(change func([]socketID) []socketID) {
	f, all := s.open(unix.O_RDWR|unix.O_CREAT, unix.LOCK_EX)
	if f == nil {
		return
	}
	defer f.Close()
	var text []byte
	for _, id := range change(all) {
		text = fmt.Appendf(text, "%d %d\n", id.inode, id.cookie)
	}
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt(text, 0)
	}
}

// announced returns the list of the file.
func (s *sockets) announced() []socketID {
	f, all := s.open(unix.O_RDONLY, unix.LOCK_SH)
	if f != nil {
		_ = f.Close() // nothing was written
	}
	return all
}

// open opens the file, with a lock as long as it is open, and reads it; f is nil without one.
func (s *sockets) open(flags, lock int) (f *os.File, all []socketID) {
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
		inode, cookie, _ := strings.Cut(strings.TrimSpace(line), " ")
		id := socketID{}
		if id.inode, err = strconv.ParseUint(inode, 10, 64); err == nil {
			id.cookie, err = strconv.ParseUint(cookie, 10, 64)
		}
		if err == nil {
			all = append(all, id)
		}
	}
	return os.NewFile(uintptr(fd), s.shared), all
}
