//go:build linux

package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data; see seccomp(2). Arguments are 64 bits wide,
// and only their lower halves are looked at, as the kernel does for these.
const (
	dataNumber = 0
	dataArch   = 4
	dataArg0   = 16
	dataArg1   = 24
)

const (
	allow = unix.SECCOMP_RET_ALLOW
	deny  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	lack  = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	ask   = unix.SECCOMP_RET_USER_NOTIF
)

// firstUnknown is the first number, the same on all architectures, of calls that
// nobody has looked at here, or that do what others are refused for: setxattrat,
// open_tree_attr, file_setattr. Programs do without them, as on older kernels.
const firstUnknown = 463

// filter builds a program of classic BPF: what is answered for which call.
type filter struct{ rules []callRule }

// callRule is the part of a program that answers one call.
type callRule struct {
	number uint32
	code   []unix.SockFilter
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func reply(a uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: a}
}

// unless skips the next n instructions unless the loaded value passes the test.
func unless(test uint16, k uint32, n int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jf: uint8(n)}
}

func (f *filter) on(number uintptr, code ...unix.SockFilter) {
	if f.rules == nil {
		f.rules = make([]callRule, 0, 128) // about what there are
	}
	f.rules = append(f.rules, callRule{uint32(number), code})
}

// call answers a system call as given.
func (f *filter) call(number uintptr, a uint32) { f.on(number, reply(a)) }

// bits answers a system call if its argument has any of the bits.
func (f *filter) bits(number uintptr, arg, mask, a uint32) {
	f.on(number, load(arg), unless(unix.BPF_JSET, mask, 1), reply(a), reply(allow))
}

// values denies a system call if its argument is one of those given, or, with
// others, if it is none of them.
func (f *filter) values(number uintptr, arg uint32, values []uint32, others bool) {
	one, rest := uint32(deny), uint32(allow)
	if others {
		one, rest = rest, one
	}
	code := []unix.SockFilter{load(arg)}
	for _, v := range values {
		code = append(code, unless(unix.BPF_JEQ, v, 1), reply(one))
	}
	f.on(number, append(code, reply(rest))...)
}

// groupSize is about how many instructions stand between two places at which the
// program skips. When a filter is installed, the kernel runs it for every call
// that there is, to learn which ones it need not be asked about.
const groupSize = 24

// answers gives the instructions that answer all calls, of which the number is
// loaded. They are in the order of their numbers and in groups, and whole groups
// are skipped that end before the number that is looked for.
func (f *filter) answers() []unix.SockFilter {
	slices.SortFunc(f.rules, func(a, b callRule) int { return cmp.Compare(a.number, b.number) })
	code, group := make([]unix.SockFilter, 0, 4*len(f.rules)), make([]unix.SockFilter, 0, 4*groupSize)
	for i, r := range f.rules {
		group = append(group, unless(unix.BPF_JEQ, r.number, len(r.code)))
		group = append(group, r.code...)
		if len(group) >= groupSize || i == len(f.rules)-1 {
			group = append(group, reply(allow))
			code = append(code, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K, K: r.number, Jt: uint8(len(group))})
			code = append(code, group...)
			group = group[:0]
		}
	}
	return append(code, reply(allow))
}

// shield is what a filter refuses besides what it always does.
type shield struct {
	// Families are the address families of sockets that may be made.
	Families []uint32
	// Alone refuses what reaches other processes of the user: for a command
	// without namespaces.
	Alone bool
	// Metadata sends the calls of [broker] to who installs the filter.
	Metadata bool
}

// code is the program that refuses what no build or test needs and what has let
// programs out of sandboxes.
func (s shield) code() []unix.SockFilter {
	code := []unix.SockFilter{
		load(dataArch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: auditArch, Jt: 1},
		reply(lack),
		load(dataNumber),
		unless(unix.BPF_JGE, firstUnknown, 1), // which those of x32 are as well
		reply(lack),
	}
	f := filter{s.rules()}
	return append(code, f.answers()...)
}

// rules are the answers for calls that not everybody may make.
func (s shield) rules() []callRule {
	var f filter
	f.call(unix.SYS_CLONE3, lack) // its flags are in memory, where a filter cannot look
	for _, n := range [...]uintptr{
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT,
		unix.SYS_FSPICK, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_MOUNT_SETATTR, unix.SYS_SETNS,
		unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
		unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_QUOTACTL, unix.SYS_ACCT,
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
		unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_FANOTIFY_INIT, unix.SYS_NFSSERVCTL,
	} {
		f.call(n, deny)
	}
	for _, n := range oldCalls {
		f.call(n, deny)
	}
	f.bits(unix.SYS_CLONE, dataArg0, unix.CLONE_NEWUSER, deny)
	f.bits(unix.SYS_UNSHARE, dataArg0, unix.CLONE_NEWUSER, deny)
	ioctls := []uint32{unix.TIOCSTI, tiocLinux}
	if s.Alone {
		ioctls = append(ioctls, fileIoctls[:]...)
	}
	f.values(unix.SYS_IOCTL, dataArg1, ioctls, false)
	if s.Alone {
		f.alone()
	}
	if s.Metadata {
		for _, n := range append(metadataCalls[:], oldMetadataCalls[:]...) {
			f.call(n, ask)
		}
	}
	f.values(unix.SYS_SOCKET, dataArg0, s.Families, true)
	f.values(unix.SYS_SOCKETPAIR, dataArg0, []uint32{unix.AF_UNIX}, true)
	return f.rules
}

// alone refuses memory, semaphores and queues that any process may name, the
// limits and priorities of other processes, and settings of files that
// Landlock does not see changed.
func (f *filter) alone() {
	for _, n := range [...]uintptr{
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
		unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	} {
		f.call(n, deny)
	}
	own := []uint32{0}
	for _, n := range [...]uintptr{unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR} {
		f.values(n, dataArg0, own, true)
	}
	for _, n := range [...]uintptr{unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET} {
		f.values(n, dataArg1, own, true)
	}
}

// fileIoctls change files that were opened for reading: FS_IOC_SETFLAGS, its
// 32-bit twin, FS_IOC_FSSETXATTR, FS_IOC_SETVERSION, FS_IOC_ENABLE_VERITY and
// FS_IOC_SET_ENCRYPTION_POLICY of <linux/fs.h>.
var fileIoctls = [...]uint32{0x40086602, 0x40046602, 0x401c5820, 0x40087602, 0x40806685, 0x800c6613}

// tiocLinux is TIOCLINUX of <asm/ioctls.h>, which pastes into a console.
const tiocLinux = 0x541c

// socketFamilies are those that a kind lets a profile use. What needs no name on
// the host stays: families that no network namespace holds, such as vsock, go.
func socketFamilies(t Kind, n Network, abi int) []uint32 {
	unixSockets := t == Namespaces || abi >= 9 // else they lead to the host's services
	var families []uint32
	if unixSockets {
		families = append(families, unix.AF_UNIX)
	}
	if t == Namespaces || n == Full {
		families = append(families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	}
	return families
}

// install puts the calling thread, and what it starts, under a filter for good.
// It needs no_new_privs. With listen it gives a descriptor on which the calls
// arrive that the filter asks about.
func install(code []unix.SockFilter, listen bool) (fd int, err error) {
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	flags := uintptr(0)
	if listen {
		// That a signal does not break off what is being carried out is newer
		// than the rest.
		flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	}
	n, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno == unix.EINVAL && listen {
		n, _, errno = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&program)))
	}
	if errno != 0 {
		return -1, fmt.Errorf("seccomp: %w", errno)
	}
	if !listen {
		return -1, nil
	}
	return int(n), nil
}

// knows asks the kernel whether filters may give an answer.
func knows(action uint32) bool {
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
}
