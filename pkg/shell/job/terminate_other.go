//go:build unix && !linux

package job

import "golang.org/x/sys/unix"

// terminate asks the process to end.
func (p Process) terminate(still func() bool) error {
	if !p.alive() || !still() {
		return nil
	}
	if err := unix.Kill(p.PID, unix.SIGTERM); err != unix.ESRCH {
		return err
	}
	return nil
}
