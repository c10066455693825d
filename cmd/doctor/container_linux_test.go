package doctor_test

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Docker's default profile of seccomp, profiles/seccomp/default.json of moby, as far as calls
// are concerned that a process without further capabilities can make elsewhere.
var (
	refusedInContainers = []uint32{
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
		unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_MOUNT_SETATTR, unix.SYS_PIVOT_ROOT, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_PROCESS_MADVISE,
		unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_FANOTIFY_INIT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_QUOTACTL, unix.SYS_ACCT, unix.SYS_SYSLOG,
		unix.SYS_MBIND, unix.SYS_GET_MEMPOLICY, unix.SYS_SET_MEMPOLICY, unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT,
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_VHANGUP,
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	}
	landlockCalls = []uint32{unix.SYS_LANDLOCK_CREATE_RULESET, unix.SYS_LANDLOCK_ADD_RULE, unix.SYS_LANDLOCK_RESTRICT_SELF}
	// newNamespaces are the flags of clone that make namespaces.
	newNamespaces = uint32(unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET)
	// capabilitiesOfContainers is what root keeps of its capabilities.
	capabilitiesOfContainers = []uint{
		unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FSETID, unix.CAP_FOWNER, unix.CAP_MKNOD, unix.CAP_NET_RAW, unix.CAP_SETGID, unix.CAP_SETUID, unix.CAP_SETFCAP,
		unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_SYS_CHROOT, unix.CAP_KILL, unix.CAP_AUDIT_WRITE,
	}
)

// contain puts the thread under the filter that programs in containers are under, and takes
// the capabilities that they lack. Profiles knew no Landlock until 2021.
func contain(landlock bool) error {
	const number, arguments = 0, 16 // offsets in struct seccomp_data
	refused := uint32(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	filter := []unix.SockFilter{instruction(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, number)}
	on := func(call uint32, code ...unix.SockFilter) {
		skip := instruction(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, call)
		skip.Jf = uint8(len(code))
		filter = append(append(filter, skip), code...)
	}
	if !landlock {
		for _, call := range landlockCalls {
			on(call, answer(refused))
		}
	}
	for _, call := range refusedInContainers {
		on(call, answer(refused))
	}
	on(unix.SYS_CLONE3, answer(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS))) // then callers use clone
	flags := instruction(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, newNamespaces)
	flags.Jf = 1
	on(unix.SYS_CLONE, instruction(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, arguments), flags, answer(refused), answer(unix.SECCOMP_RET_ALLOW))
	family := instruction(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.AF_VSOCK)
	family.Jf = 1
	on(unix.SYS_SOCKET, instruction(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, arguments), family, answer(refused), answer(unix.SECCOMP_RET_ALLOW))
	filter = append(filter, answer(unix.SECCOMP_RET_ALLOW))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return errno
	}
	return dropCapabilities()
}

func dropCapabilities() error {
	var kept uint64
	for _, c := range capabilitiesOfContainers {
		kept |= 1 << c
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	if data[0].Effective&(1<<unix.CAP_SETPCAP) != 0 { // else nothing can be gained
		for c := range uintptr(unix.CAP_LAST_CAP + 1) {
			if kept&(1<<c) != 0 {
				continue
			}
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) {
				return err
			}
		}
	}
	for i := range data {
		some := uint32(kept >> (32 * i))
		data[i].Effective &= some
		data[i].Permitted &= some
		data[i].Inheritable &= some
	}
	return unix.Capset(&header, &data[0])
}

func instruction(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }

// answer ends a filter.
func answer(with uint32) unix.SockFilter { return instruction(unix.BPF_RET|unix.BPF_K, with) }
