package walk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Root is the directory that a walk never leaves.
type Root struct {
	fd    int
	local locality // of its file system
	std   *os.Root
}

// FD returns an open directory as a root. The caller keeps the descriptor.
func FD(fd int) Root { return Root{fd: fd, local: localityOf(fd)} }

// Std returns a root that uses only the standard library. It works on every
// platform and is slower.
func Std(r *os.Root) Root { return Root{fd: -1, std: r} }

// Handle is an open directory.
type Handle struct {
	fd int
	// local says whether the file system is on this machine. Then a short read
	// means the end of a file, and calls do not wait for a network: they take less
	// time than telling the scheduler about them, so they are made directly.
	local locality
	std   *portable
}

type locality int32

const (
	unasked locality = iota
	isRemote
	isHere
	isVirtual // such as /proc: the kernel shows its own state as files
)

const (
	fileFlags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC | unix.O_NOCTTY
	dirFlags  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
)

// OpenDir opens the directory at a path from the root ("." is the root). The path
// must not lead through a link.
func (r Root) OpenDir(rel string) (*Handle, error) {
	if r.std != nil {
		p, err := openPortable(r.std, rel)
		if err != nil {
			return nil, err
		}
		return &Handle{fd: -1, std: p}, nil
	}
	// Nearly all directories are on the file system of the root, whose kind is
	// already known.
	fd, err := r.beneath(rel, dirFlags, unix.RESOLVE_NO_XDEV)
	if err == nil {
		return &Handle{fd: fd, local: r.local}, nil
	}
	if fd, err = r.descend(rel, dirFlags); err != nil {
		return nil, err
	}
	return &Handle{fd: fd}, nil
}

// Enter is OpenDir for the many directories of a walk.
func (r Root) Enter(rel string, s *Scratch) (*Handle, error) {
	if r.std == nil && r.local == isHere {
		s.path = append(append(s.path[:0], rel...), 0)
		s.how = unix.OpenHow{Flags: dirFlags, Resolve: inside | unix.RESOLVE_NO_XDEV}
		fd, _, errno := syscall.RawSyscall6(unix.SYS_OPENAT2, uintptr(r.fd), uintptr(unsafe.Pointer(&s.path[0])),
			uintptr(unsafe.Pointer(&s.how)), unix.SizeofOpenHow, 0, 0)
		if errno == 0 {
			return &Handle{fd: int(fd), local: r.local}, nil
		}
	}
	return r.OpenDir(rel) // which has more ways to open it
}

// inside keeps a path from leaving the root and from following links.
const inside = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS

// descend opens rel with flags that must include O_DIRECTORY.
func (r Root) descend(rel string, flags int) (int, error) {
	fd, err := r.beneath(rel, flags, 0)
	switch errno, _ := errors.AsType[syscall.Errno](err); errno {
	case unix.EAGAIN, unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.ENAMETOOLONG:
		return r.stepwise(rel, flags) // an old kernel, a filter of calls, or a path over PATH_MAX
	}
	return fd, err
}

// beneath opens a path in one system call, which follows no link and cannot
// leave the root.
func (r Root) beneath(rel string, flags int, resolve uint64) (fd int, err error) {
	how := unix.OpenHow{
		Flags:   uint64(flags),
		Resolve: resolve | inside,
	}
	for range 8 {
		fd, err = unix.Openat2(r.fd, rel, &how)
		if err != unix.EINTR && err != unix.EAGAIN {
			break
		}
	}
	return fd, err
}

// stepwise opens one component after the other, none of which may be a link.
func (r Root) stepwise(rel string, flags int) (int, error) {
	fd, err := openat(r.fd, ".", flags)
	if rel == "." {
		return fd, err
	}
	for name := range strings.SplitSeq(rel, "/") {
		if err != nil {
			return -1, err
		}
		if name == "" || name == "." || name == ".." {
			unix.Close(fd)
			return -1, unix.EINVAL
		}
		var next int
		next, err = openat(fd, name, flags)
		unix.Close(fd)
		fd = next
	}
	return fd, err
}

func openat(dir int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, flags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// where returns the kind of the directory's file system. Several goroutines may
// call it at once.
func (h *Handle) where() locality {
	l := locality(atomic.LoadInt32((*int32)(&h.local)))
	if l == unasked {
		l = localityOf(h.fd)
		atomic.StoreInt32((*int32)(&h.local), int32(l))
	}
	return l
}

// virtual reports whether the directory shows state of the kernel. It holds no
// files of the user, and reading it may reveal secrets of processes.
func (h *Handle) virtual() bool { return h.std == nil && h.where() == isVirtual }

// DatesNames reports whether the file system surely changes the times of the directory
// whenever a name in it comes or goes. Some that a program provides do not.
func (h *Handle) DatesNames() bool { return h.std != nil || h.where() == isHere }

func localityOf(fd int) locality {
	var st unix.Statfs_t
	if unix.Fstatfs(fd, &st) != nil {
		return isRemote
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.RAMFS_MAGIC,
		unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.SQUASHFS_MAGIC, unix.EROFS_SUPER_MAGIC_V1,
		0x2fc12fc1 /* ZFS */, 0xca451a4e /* bcachefs */ :
		return isHere
	case unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.SECURITYFS_MAGIC,
		unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC, unix.BPF_FS_MAGIC, unix.DEVPTS_SUPER_MAGIC,
		unix.SELINUX_MAGIC, unix.PSTOREFS_MAGIC, unix.EFIVARFS_MAGIC, unix.BINFMTFS_MAGIC, unix.NSFS_MAGIC:
		return isVirtual
	}
	return isRemote
}

// Readlink returns the target of a link in the directory, as the link holds it.
func (h *Handle) Readlink(e Entry) (string, error) {
	if h.std != nil {
		return h.std.root.Readlink(e.Name())
	}
	buffer := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(h.fd, e.Name(), buffer)
	return string(buffer[:max(n, 0)]), err
}

// Close releases the directory.
func (h *Handle) Close() {
	if h.std != nil {
		h.std.close()
		return
	}
	closeFD(h.fd, h.local == isHere)
}

// closeFD closes a file that was only read, so that an error does not matter.
func closeFD(fd int, local bool) {
	if local {
		_, _, _ = syscall.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0) // an error does not matter
		return
	}
	unix.Close(fd)
}

// Scratch is memory that the calls of one goroutine reuse.
type Scratch struct {
	path    []byte
	how     unix.OpenHow
	arena   arena
	dirents []byte
	entries []Entry
	sifted  sifted
}

// entries lists the directory, whose path is prefix. A call that a signal
// interrupts returns what it has so far, so only an empty result is the end.
func (h *Handle) entries(prefix string, s *Scratch) ([]Entry, error) {
	s.arena.reset()
	if h.std != nil {
		if err := h.std.entries(&s.arena); err != nil {
			return nil, err
		}
		s.entries = s.arena.list(prefix, s.entries)
		return s.entries, nil
	}
	if s.dirents == nil {
		s.dirents = make([]byte, 64<<10)
	}
	for {
		n, err := h.dirents(s.dirents)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			break
		}
		h.parse(s.dirents[:n], &s.arena)
	}
	s.entries = s.arena.list(prefix, s.entries)
	return s.entries, nil
}

// dirents reads some records of the directory. It returns 0 at its end.
func (h *Handle) dirents(into []byte) (int, error) {
	for {
		var n uintptr
		var errno syscall.Errno
		if h.local == isHere {
			n, _, errno = syscall.RawSyscall(unix.SYS_GETDENTS64, uintptr(h.fd), uintptr(unsafe.Pointer(&into[0])), uintptr(len(into)))
		} else {
			n, _, errno = syscall.Syscall(unix.SYS_GETDENTS64, uintptr(h.fd), uintptr(unsafe.Pointer(&into[0])), uintptr(len(into)))
		}
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}

// parse reads the records of linux_dirent64: inode and offset (8 bytes each),
// length (2), type (1), the name and NULs.
func (h *Handle) parse(b []byte, a *arena) {
	const header = 8 + 8 + 2 + 1
	for len(b) > header {
		size := int(binary.NativeEndian.Uint16(b[16:]))
		if size <= header || size > len(b) {
			return
		}
		inode, name := binary.NativeEndian.Uint64(b), b[header:size]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		kind := b[18]
		b = b[size:]
		if inode == 0 || len(name) == 0 || name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.') {
			continue
		}
		a.add(name, h.typeOf(kind, name))
	}
}

func (h *Handle) typeOf(kind byte, name []byte) Type {
	switch kind {
	case unix.DT_REG:
		return File
	case unix.DT_DIR:
		return Dir
	case unix.DT_LNK:
		return Symlink
	case unix.DT_UNKNOWN:
		var st unix.Stat_t
		if unix.Fstatat(h.fd, string(name), &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
			return Other
		}
		return modeType(st.Mode)
	}
	return Other
}

func modeType(mode uint32) Type {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return File
	case unix.S_IFDIR:
		return Dir
	case unix.S_IFLNK:
		return Symlink
	}
	return Other
}

func infoOf(st *unix.Stat_t) Info {
	return Info{Type: modeType(st.Mode), Size: st.Size, Modified: time.Unix(st.Mtim.Unix())}
}

// Stat describes the file or directory at a path from the root. It does not
// follow a link.
func (r Root) Stat(rel string) (Info, error) {
	if r.std != nil {
		return lstatPortable(r.std, rel)
	}
	dir, name := split(rel)
	fd, err := r.descend(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return Info{}, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return Info{}, err
	}
	return infoOf(&st), nil
}

// stat describes entries into infos.
func (r Root) stat(entries []Entry, infos []Info) {
	opened, h := "", (*Handle)(nil)
	defer func() {
		if h != nil {
			h.Close()
		}
	}()
	for i, e := range entries {
		if r.std != nil {
			infos[i], _ = lstatPortable(r.std, e.Path()) // zero if it is gone or unreadable
			continue
		}
		if dir := dirOf(e.prefix); dir != opened {
			if h != nil {
				h.Close()
			}
			h, opened = nil, dir
			if fd, err := r.descend(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC); err == nil {
				h = &Handle{fd: fd}
			}
		}
		var st unix.Stat_t
		if h != nil && unix.Fstatat(h.fd, e.Name(), &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
			infos[i] = infoOf(&st)
		}
	}
}
