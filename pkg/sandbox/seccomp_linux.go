package sandbox

import (
	"fmt"
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
)

// filter builds a program of classic BPF.
type filter struct{ code []unix.SockFilter }

func (f *filter) load(offset uint32) {
	f.code = append(f.code, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

func (f *filter) answer(a uint32) {
	f.code = append(f.code, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: a})
}

// unless skips the next n instructions unless the loaded value passes the test.
func (f *filter) unless(test uint16, k uint32, n uint8) {
	f.code = append(f.code, unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jf: n})
}

// call answers a system call as given.
func (f *filter) call(number uintptr, a uint32) {
	f.unless(unix.BPF_JEQ, uint32(number), 1)
	f.answer(a)
}

// bits answers a system call if its argument has any of the bits.
func (f *filter) bits(number uintptr, arg, mask, a uint32) {
	f.unless(unix.BPF_JEQ, uint32(number), 4)
	f.load(arg)
	f.unless(unix.BPF_JSET, mask, 1)
	f.answer(a)
	f.load(dataNumber)
}

// values answers a system call if its argument is one of those given, or, with
// others, if it is none of them.
func (f *filter) values(number uintptr, arg uint32, values []uint32, a uint32, others bool) {
	one, rest := a, uint32(allow)
	if others {
		one, rest = allow, a
	}
	f.unless(unix.BPF_JEQ, uint32(number), uint8(2+2*len(values)))
	f.load(arg)
	for _, v := range values {
		f.unless(unix.BPF_JEQ, v, 1)
		f.answer(one)
	}
	f.answer(rest)
}

// syscallFilter is the program that refuses what no build or test needs and what
// has let programs out of sandboxes. families are the address families of
// sockets that may be made.
func syscallFilter(families []uint32) []unix.SockFilter {
	var f filter
	f.load(dataArch)
	f.unless(unix.BPF_JEQ, auditArch, 1)
	f.code = append(f.code, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: 1})
	f.answer(lack)
	f.load(dataNumber)
	if x32Bit != 0 {
		f.unless(unix.BPF_JGE, x32Bit, 1)
		f.answer(lack)
	}
	// What is called most is let through first.
	for _, n := range [...]uintptr{unix.SYS_READ, unix.SYS_WRITE, unix.SYS_OPENAT, unix.SYS_CLOSE, unix.SYS_MMAP, unix.SYS_FUTEX} {
		f.call(n, allow)
	}
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
	f.values(unix.SYS_IOCTL, dataArg1, []uint32{unix.TIOCSTI, tiocLinux}, deny, false)
	f.values(unix.SYS_SOCKET, dataArg0, families, deny, true)
	f.values(unix.SYS_SOCKETPAIR, dataArg0, []uint32{unix.AF_UNIX}, deny, true)
	f.answer(allow)
	return f.code
}

// tiocLinux is TIOCLINUX of <asm/ioctls.h>, which pastes into a console.
const tiocLinux = 0x541c

// socketFamilies are those that a tier lets a profile use. What needs no name on
// the host stays: families that no network namespace holds, such as vsock, go.
func socketFamilies(t Tier, n Network, abi int) []uint32 {
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
// It needs no_new_privs.
func install(code []unix.SockFilter) error {
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}

// hasSeccomp asks the kernel whether it knows the answer that filters give.
func hasSeccomp() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
}
