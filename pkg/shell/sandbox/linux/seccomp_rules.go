//go:build linux && (amd64 || arm64)

package linux

import (
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// firstUnknown is the number, the same on all architectures, from which on calls do
// not exist for a command: nobody has reviewed them here, or they do what other calls
// are refused for, such as setxattrat, open_tree_attr and file_setattr. Programs do
// without them, as on older kernels.
const firstUnknown = 463

// shield says what a filter refuses beyond what it always refuses.
type shield struct {
	// Families are the address families of sockets that may be made.
	Families []uint32
	// WithoutNamespaces also refuses what reaches other processes of the user.
	WithoutNamespaces bool
	// Metadata hands calls that change metadata to a [broker], Births those that give
	// files names.
	Metadata, Births bool
	// Streams are the families of which only streams may be made. Sockets hands over the
	// calls that give them addresses.
	Streams []uint32
	Sockets bool
}

// code returns the program of a filter. It refuses what no build or test needs and
// what has let programs out of sandboxes.
func (s shield) code() []unix.SockFilter {
	code := []unix.SockFilter{
		load(dataArch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: auditArch, Jt: 1},
		reply(lack),
		load(dataNumber),
		unless(unix.BPF_JGE, firstUnknown, 1), // as the calls of x32 are
		reply(lack),
	}
	f := s.rules()
	return append(code, f.instructions()...)
}

// rules returns the decisions about all calls that are not simply allowed.
func (s shield) rules() (f filter) {
	f.call(unix.SYS_CLONE3, lack) // a filter cannot look at its flags, which are in memory
	for _, n := range [...]uintptr{
		unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
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
	f.values(unix.SYS_PTRACE, dataArg0, leakTraces[:], true)
	f.bits(unix.SYS_CLONE, dataArg0, unix.CLONE_NEWUSER)
	f.bits(unix.SYS_UNSHARE, dataArg0, unix.CLONE_NEWUSER)
	ioctls := append([]uint32{unix.TIOCSTI, tiocLinux}, namingIoctls[:]...)
	if s.WithoutNamespaces {
		ioctls = append(ioctls, fileIoctls[:]...)
	}
	f.values(unix.SYS_IOCTL, dataArg1, ioctls, false)
	if s.WithoutNamespaces {
		f.withoutNamespaces()
	}
	if s.Metadata {
		for _, n := range append(metadataCalls[:], oldMetadataCalls[:]...) {
			f.call(n, ask)
		}
	}
	if s.Births {
		f.births()
	}
	f.families(s.Families, s.Streams)
	if s.Sockets {
		f.sockets()
	}
	f.values(unix.SYS_SOCKETPAIR, dataArg0, []uint32{unix.AF_UNIX}, true)
	return f
}

// withoutNamespaces refuses the memory, semaphores and queues that all processes share
// by name, and the limits and priorities of other processes.
func (f *filter) withoutNamespaces() {
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

// fileIoctls change files that are open for reading: FS_IOC_SETFLAGS, its
// 32-bit twin, FS_IOC_FSSETXATTR, FS_IOC_SETVERSION, FS_IOC_ENABLE_VERITY and
// FS_IOC_SET_ENCRYPTION_POLICY of <linux/fs.h>.
var fileIoctls = [...]uint32{0x40086602, 0x40046602, 0x401c5820, 0x40087602, 0x40806685, 0x800c6613}

// namingIoctls give files and directories names, past [filter.births]: BTRFS_IOC_SNAP_CREATE,
// BTRFS_IOC_SUBVOL_CREATE, both with _V2, BCH_IOCTL_SUBVOLUME_CREATE and OCFS2_IOC_REFLINK.
var namingIoctls = [...]uint32{0x50009401, 0x50009417, 0x5000940e, 0x50009418, 0x4020bc10, 0x40186f04}

// leakTraces are the requests of ptrace(2) with which a sanitizer that looks for leaks stops
// the threads of its program and reads their registers. They change nothing in another
// process, and which of them may be looked at is decided as for its memory in /proc.
var leakTraces = [...]uint32{unix.PTRACE_ATTACH, unix.PTRACE_CONT, unix.PTRACE_DETACH, unix.PTRACE_KILL, ptraceGetRegisters, unix.PTRACE_GETREGSET}

// ptraceGetRegisters is PTRACE_GETREGS of <linux/ptrace.h>, which some architectures lack.
const ptraceGetRegisters = 12

// tiocLinux is TIOCLINUX of <asm/ioctls.h>, which pastes into a console.
const tiocLinux = 0x541c

// allowedFamilies returns the address families of sockets that a command may make.
// Families that a network namespace does not confine, such as vsock, are never among
// them.
func allowedFamilies(t sandbox.Kind, n sandbox.Network, abi int) []uint32 {
	unixSockets := t == sandbox.Namespaces || abi >= 9 // else they reach the services of the host
	var families []uint32
	if unixSockets {
		families = append(families, unix.AF_UNIX)
	}
	if t == sandbox.Namespaces || n == sandbox.Full {
		families = append(families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	}
	return families
}
