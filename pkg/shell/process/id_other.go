//go:build !linux && !windows

package process

import "golang.org/x/sys/unix"

func machine() string { return "" }

// startOf is not known here.
func startOf(int) uint64 { return 0 }

func (p ID) terminate(still func() bool) error {
	if !p.alive() || !still() {
		return nil
	}
	if err := unix.Kill(p.PID, unix.SIGTERM); err != unix.ESRCH {
		return err
	}
	return nil
}
