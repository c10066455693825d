//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The rights that Landlock rules grant. See the kernel's
// Documentation/userspace-api/landlock.rst.
const (
	rightsRead = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	rightsList = unix.LANDLOCK_ACCESS_FS_READ_DIR
	rightsFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	rightsWrite = rightsRead | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	rightsDevice = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	// rightsDevices is for directories of devices such as /dev/pts.
	rightsDevices = rightsDevice | unix.LANDLOCK_ACCESS_FS_READ_DIR
)

// handledFiles returns the rights that a version of Landlock knows. All of them are
// refused where no rule grants them.
func handledFiles(abi int) uint64 {
	switch {
	case abi >= 9:
		return 1<<17 - 1
	case abi >= 5:
		return 1<<16 - 1
	case abi >= 3:
		return 1<<15 - 1
	case abi >= 2:
		return 1<<14 - 1
	}
	return 1<<13 - 1
}

// landlockABI returns the version of Landlock that the kernel has, 0 without Landlock, and
// why there is none.
func landlockABI() (abi int, why string) {
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, "landlock_create_ruleset: " + errno.Error()
	}
	return int(n), ""
}

// rule grants rights for a path and everything below it.
type rule struct {
	Path   string
	Rights uint64
	File   bool // it is known not to be a directory
}

// rulesetAttr returns the attributes of a set of rules and the part of them, in bytes,
// that a version of Landlock knows. tcp refuses TCP and UDP as well.
func rulesetAttr(abi int, tcp bool) (attr *unix.LandlockRulesetAttr, size uintptr) {
	attr = &unix.LandlockRulesetAttr{Handled_access_fs: handledFiles(abi)}
	size = 8
	if abi >= 4 {
		size = 16
		if tcp {
			attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
			if abi >= 10 {
				attr.Handled_access_net |= unix.LANDLOCK_ACCESS_NET_BIND_UDP | unix.LANDLOCK_ACCESS_NET_CONNECT_SEND_UDP
			}
		}
	}
	if abi >= 6 {
		size = 24
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return attr, size
}

// ruleset adds the steps that make a set of rules and returns where its descriptor
// will be. Paths that do not exist need no rule.
func (s *script) ruleset(abi int, rules []rule, tcp bool) (set *int32) {
	set = new(int32)
	*set = -1
	attr, size := rulesetAttr(abi, tcp)
	s.call("landlock_create_ruleset", "", unix.SYS_LANDLOCK_CREATE_RULESET, pointer(s, attr), size, 0).into = set
	s.grant(set, attr, rules...)
	return set
}

// grant adds the steps that add rules to a set.
func (s *script) grant(set *int32, attr *unix.LandlockRulesetAttr, rules ...rule) {
	beneath := make([]unix.LandlockPathBeneathAttr, len(rules))
	for i, r := range rules {
		rights := r.Rights & attr.Handled_access_fs
		if rights&^rightsFile != 0 && (r.File || !isDirectory(r.Path)) {
			rights &= rightsFile
		}
		if rights == 0 {
			continue
		}
		beneath[i].Allowed_access = rights
		fd := &beneath[i].Parent_fd
		s.call("open", r.Path, unix.SYS_OPENAT, atCWD, s.text(r.Path), unix.O_PATH|unix.O_CLOEXEC, 0).ignore(ifMissing|ifUnreachable, 2).into = fd
		s.call("landlock_add_rule", r.Path, unix.SYS_LANDLOCK_ADD_RULE, 0, unix.LANDLOCK_RULE_PATH_BENEATH, pointer(s, &beneath[i]), 0).on(set)
		s.call("close", r.Path, unix.SYS_CLOSE).on(fd)
	}
}

// rulesetOf makes a set of rules, many more than a script is made for, and returns its
// descriptor. Paths that do not exist need no rule.
func rulesetOf(abi int, rules []rule, tcp bool) (set int, err error) {
	attr, size := rulesetAttr(abi, tcp)
	n, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(attr)), size, 0)
	if errno != 0 {
		return -1, fmt.Errorf("landlock_create_ruleset: %w", errno)
	}
	var path []byte
	for _, r := range rules {
		path = append(append(path[:0], r.Path...), 0)
		if err := add(int(n), r, path, attr.Handled_access_fs); err != nil {
			unix.Close(int(n))
			return -1, err
		}
	}
	return int(n), nil
}

// add adds a rule, whose path is also given with a NUL at its end, to a set that handles some
// rights. The calls do not block for long, so the runtime need not know of them.
func add(set int, r rule, path []byte, handled uint64) error {
	beneath := unix.LandlockPathBeneathAttr{Allowed_access: r.Rights & handled}
	if r.File {
		beneath.Allowed_access &= rightsFile
	}
	if beneath.Allowed_access == 0 {
		return nil
	}
	fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, atCWD, uintptr(unsafe.Pointer(&path[0])), unix.O_PATH|unix.O_CLOEXEC, 0, 0, 0)
	switch {
	case (ifMissing | ifUnreachable).has(errno):
		return nil
	case errno != 0:
		return fmt.Errorf("open %s: %w", r.Path, errno)
	}
	beneath.Parent_fd = int32(fd)
	_, _, errno = unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
	if errno == unix.EINVAL && beneath.Allowed_access&^rightsFile != 0 { // it is no directory
		if beneath.Allowed_access &= rightsFile; beneath.Allowed_access != 0 {
			_, _, errno = unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
		} else {
			errno = 0
		}
	}
	_, _, _ = unix.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
	if errno != 0 {
		return fmt.Errorf("landlock_add_rule %s: %w", r.Path, errno)
	}
	return nil
}

func isDirectory(path string) bool {
	var st unix.Stat_t
	return unix.Stat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR
}

// restrict adds the steps that put the thread, and what it starts, under a set of
// rules for good. It needs no_new_privs.
func (s *script) restrict(set *int32) {
	s.call("landlock_restrict_self", "", unix.SYS_LANDLOCK_RESTRICT_SELF, 0, 0).on(set)
	s.call("close", "", unix.SYS_CLOSE).on(set)
}
