//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// sealDescriptors sets close-on-exec for the descriptors that this process was
// started with, such as one to approve calls with. Those that it opens have it.
func sealDescriptors() error {
	if unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC) == nil {
		return nil
	}
	// The kernel is older, or something refuses calls that it does not know.
	names, err := namesIn("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

// descriptors adds the steps that give the child its descriptors and no others, and
// that end it with its parent.
func (s *script) descriptors(ch *child, standard ...int) {
	all := append([]int{int(ch.status), int(ch.gate)}, standard...)
	if ch.hand >= 0 {
		all = append(all, int(ch.hand))
	}
	copies := make([]*int32, len(all))
	for i, fd := range all { // first, so that none overwrites another
		copies[i] = new(int32)
		s.call("descriptor", "", unix.SYS_FCNTL, uintptr(fd), unix.F_DUPFD_CLOEXEC, firstFD).into = copies[i]
	}
	s.call("descriptor", "", unix.SYS_DUP3, 0, statusFD, unix.O_CLOEXEC).on(copies[0]).into = &ch.status
	s.call("descriptor", "", unix.SYS_DUP3, 0, gateFD, unix.O_CLOEXEC).on(copies[1])
	for i := range standard {
		s.call("descriptor", "", unix.SYS_DUP3, 0, uintptr(i), 0).on(copies[2+i])
	}
	rest := uintptr(handFD)
	if ch.hand >= 0 {
		s.call("descriptor", "", unix.SYS_DUP3, 0, handFD, unix.O_CLOEXEC).on(copies[2+len(standard)])
		rest = firstFD
	}
	s.closeFrom(rest)
	s.call("PR_SET_PDEATHSIG", "", unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL))
	s.call("setsid", "", unix.SYS_SETSID)
	s.call("chdir", "/", unix.SYS_CHDIR, s.text("/"))
}

// closeFrom adds a call that closes all descriptors from fd on.
func (s *script) closeFrom(fd uintptr) {
	s.call("close_range", "", unix.SYS_CLOSE_RANGE, fd, uintptr(^uint32(0)), 0)
}

// ownNull adds the steps that replace the host's null device by the sandbox's in the
// standard streams: through a descriptor of the host's, its mode could be changed
// for everybody.
func (s *script) ownNull(c sandbox.Command) error {
	for target, f := range []*os.File{c.Stdin, c.Stdout, c.Stderr} {
		var st unix.Stat_t
		if err := unix.Fstat(int(f.Fd()), &st); err != nil {
			return fmt.Errorf("standard stream %d: %w", target, err)
		}
		if st.Mode&unix.S_IFMT != unix.S_IFCHR || st.Rdev != unix.Mkdev(1, 3) { // see null(4)
			continue
		}
		own := new(int32)
		s.call("open", os.DevNull, unix.SYS_OPENAT, atCWD, s.text(os.DevNull), unix.O_RDWR|unix.O_CLOEXEC, 0).into = own
		s.call("standard stream", os.DevNull, unix.SYS_DUP3, 0, uintptr(target), 0).on(own)
	}
	return nil
}
