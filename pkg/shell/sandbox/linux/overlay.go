//go:build linux && (amd64 || arm64)

package linux

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// overlay is an overlayfs in place of a writable directory: the command sees Lower
// with its own changes, which go to Upper. It is at Lower itself, unless At says otherwise.
type overlay struct{ Lower, Upper, Work, At string }

func (l *overlay) path() string { return cmp.Or(l.At, l.Lower) }

// write adds the steps that make the overlay without attaching it, and returns where
// its descriptor will be. fsconfig(2) takes each option on its own, so that a comma
// in a path does not end it.
func (l *overlay) write(s *script) (fd *int32) {
	fs, fd := new(int32), new(int32)
	s.call("overlay", "", unix.SYS_FSOPEN, s.text("overlay"), unix.FSOPEN_CLOEXEC).into = fs
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`)
	for _, o := range [...][2]string{{"lowerdir", l.Lower}, {"upperdir", l.Upper}, {"workdir", l.Work}} {
		s.call("overlay", o[1], unix.SYS_FSCONFIG, 0, unix.FSCONFIG_SET_STRING, s.text(o[0]), s.text(escape.Replace(o[1]))).on(fs)
	}
	s.call("overlay userxattr", "", unix.SYS_FSCONFIG, 0, unix.FSCONFIG_SET_FLAG, s.text("userxattr")).on(fs)
	// Else the whole file system below is synced when the overlay goes.
	s.call("overlay volatile", "", unix.SYS_FSCONFIG, 0, unix.FSCONFIG_SET_FLAG, s.text("volatile")).on(fs).ignore(ifUnknown, 0)
	s.call("overlay", l.Lower, unix.SYS_FSCONFIG, 0, unix.FSCONFIG_CMD_CREATE).on(fs)
	s.call("overlay", l.Lower, unix.SYS_FSMOUNT, 0, unix.FSMOUNT_CLOEXEC).on(fs).into = fd
	return fd
}

// Strip implements [sandbox.System]: it removes the attributes of overlayfs.
func (System) Strip(name string) error {
	err := filepath.WalkDir(name, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		buf := make([]byte, 64<<10)
		n, err := unix.Llistxattr(name, buf)
		if errors.Is(err, unix.ENOTSUP) {
			return nil
		}
		if err != nil {
			return err
		}
		for key := range strings.SplitSeq(string(buf[:n]), "\x00") {
			if strings.HasPrefix(key, "user.overlay.") {
				if err := unix.Lremovexattr(name, key); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return fault.System(err, name)
}
