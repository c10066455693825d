//go:build linux && (amd64 || arm64)

package linux

import "golang.org/x/sys/unix"

// drop adds the steps after which the thread, and what it starts, has no capability
// and no way to get one back.
func (s *script) drop() {
	for c := range uintptr(unix.CAP_LAST_CAP + 1) {
		// Without CAP_SETPCAP this fails, and no_new_privs alone keeps the command
		// from gaining a capability.
		s.call("PR_CAPBSET_DROP", "", unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c).ignore(ifUnprivileged|ifUnknown, 0)
	}
	const noRoot = 1<<0 | 1<<1 | 1<<2 | 1<<3 // SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP and their locks
	s.call("PR_SET_SECUREBITS", "", unix.SYS_PRCTL, unix.PR_SET_SECUREBITS, noRoot).ignore(ifUnprivileged|ifUnknown, 0)
	// What is not permitted is not ambient either, so capset does the same.
	s.call("PR_CAP_AMBIENT", "", unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL).ignore(ifUnprivileged|ifUnknown, 0)
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	s.call("capset", "", unix.SYS_CAPSET, pointer(s, header), pointer(s, new([2]unix.CapUserData)))
	s.call("PR_SET_NO_NEW_PRIVS", "", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1)
}
