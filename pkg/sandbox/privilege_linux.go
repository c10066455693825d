package sandbox

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// drop takes every capability, and every way to get one back, from the calling
// thread and what it starts.
func drop() error {
	for c := range uintptr(unix.CAP_LAST_CAP + 1) {
		// Without CAP_SETPCAP there is nothing to lose that no_new_privs would
		// not keep from being gained.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("PR_CAPBSET_DROP: %w", err)
		}
	}
	const noRoot = 1<<0 | 1<<1 | 1<<2 | 1<<3 // SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP and their locks
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, noRoot, 0, 0, 0); err != nil && !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("PR_SET_SECUREBITS: %w", err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("PR_CAP_AMBIENT: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("capset: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("PR_SET_NO_NEW_PRIVS: %w", err)
	}
	return nil
}
