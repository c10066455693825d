//go:build unix

package process

import "golang.org/x/sys/unix"

func (p ID) alive() bool {
	if p.PID <= 0 || unix.Kill(p.PID, 0) == unix.ESRCH {
		return false
	}
	return p.Start == 0 || startOf(p.PID) == p.Start
}
