package workspace

import "golang.org/x/sys/unix"

// pathOnly opens a directory without the right to list it.
const pathOnly = unix.O_PATH

// What openat2(2) refuses in a path.
const (
	anywhere           = 0
	inside             = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS
	insideWithoutLinks = inside | unix.RESOLVE_NO_SYMLINKS
)

// kernelOpen opens name below dir. The kernel checks every step, so that no race
// with a rename or a link leads out.
func kernelOpen(dir int, name string, flags int, resolve uint64) (int, error) {
	how := unix.OpenHow{Flags: uint64(flags | unix.O_CLOEXEC), Resolve: resolve}
	for again := 0; ; {
		fd, err := unix.Openat2(dir, name, &how)
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN && again < attempts: // a rename raced with a ".."
			again++
		default:
			return fd, err
		}
	}
}

// kernelFS reports whether fd is on a file system in which the kernel shows its own
// state. Such a file system may be mounted anywhere.
func kernelFS(fd int) bool {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return true
	}
	switch uint32(st.Type) {
	case unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.SECURITYFS_MAGIC,
		unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC, unix.BPF_FS_MAGIC, unix.DEVPTS_SUPER_MAGIC,
		unix.SELINUX_MAGIC, unix.PSTOREFS_MAGIC, unix.EFIVARFS_MAGIC, unix.BINFMTFS_MAGIC, unix.NSFS_MAGIC:
		return true
	}
	return false
}
