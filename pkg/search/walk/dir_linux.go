package walk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
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
	fd  int
	std *os.Root
}

// FD is the root of an open directory, whose descriptor stays the caller's.
func FD(fd int) Root { return Root{fd: fd} }

// Std is a root of the standard library; it works on every platform, slower.
func Std(r *os.Root) Root { return Root{fd: -1, std: r} }

// Handle is an open directory.
type Handle struct {
	fd int
	// local says whether the file system is on this machine: then a read that
	// returns less than it could is at the end, and calls do not wait for a
	// network. It is asked for when the first file is opened.
	local locality
	std   *portable
}

type locality int32

const (
	unasked locality = iota
	isRemote
	isHere
)

const (
	fileFlags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC | unix.O_NOCTTY
	dirFlags  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
)

// OpenDir opens the directory at a path from the root ("." is the root), which
// may lead through no link.
func (r Root) OpenDir(rel string) (*Handle, error) {
	if r.std != nil {
		p, err := openPortable(r.std, rel)
		if err != nil {
			return nil, err
		}
		return &Handle{fd: -1, std: p}, nil
	}
	fd, err := r.descend(rel, dirFlags)
	if err != nil {
		return nil, err
	}
	return &Handle{fd: fd}, nil
}

// descend opens rel with flags that must include O_DIRECTORY.
func (r Root) descend(rel string, flags int) (int, error) {
	how := unix.OpenHow{
		Flags:   uint64(flags),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	for range 8 {
		fd, err := unix.Openat2(r.fd, rel, &how)
		switch {
		case err == nil:
			return fd, nil
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err == unix.ENOSYS || err == unix.EPERM || err == unix.EINVAL || err == unix.ENAMETOOLONG:
			return r.stepwise(rel, flags) // an old kernel, a filter of calls, or a path over PATH_MAX
		}
		return -1, err
	}
	return r.stepwise(rel, flags)
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

// here reports whether the file system is on this machine. Several goroutines
// may ask at once; they get the same answer.
func (h *Handle) here() bool {
	l := locality(atomic.LoadInt32((*int32)(&h.local)))
	if l == unasked {
		if l = isRemote; isLocal(h.fd) {
			l = isHere
		}
		atomic.StoreInt32((*int32)(&h.local), int32(l))
	}
	return l == isHere
}

func isLocal(fd int) bool {
	var st unix.Statfs_t
	if unix.Fstatfs(fd, &st) != nil {
		return false
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.RAMFS_MAGIC,
		unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.SQUASHFS_MAGIC, unix.EROFS_SUPER_MAGIC_V1,
		0x2fc12fc1 /* ZFS */, 0xca451a4e /* bcachefs */ :
		return true
	}
	return false
}

// Close releases the directory.
func (h *Handle) Close() {
	if h.std != nil {
		h.std.close()
		return
	}
	unix.Close(h.fd)
}

// Scratch is memory that calls of one goroutine reuse.
type Scratch struct {
	arena   arena
	dirents []byte
	entries []Entry
	sifted  sifted
}

// entries reads the whole directory. A call that a signal cuts short returns
// what it has so far, so only one that returns nothing is the end.
func (h *Handle) entries(rel string, s *Scratch) ([]Entry, error) {
	prefix := below(rel)
	s.arena.reset()
	if h.std != nil {
		if err := h.std.entries(prefix, &s.arena); err != nil {
			return nil, err
		}
		s.entries = s.arena.list(s.entries)
		return s.entries, nil
	}
	if s.dirents == nil {
		s.dirents = make([]byte, 64<<10)
	}
	for {
		n, err := unix.Getdents(h.fd, s.dirents)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		if n == 0 {
			break
		}
		h.parse(s.dirents[:n], prefix, &s.arena)
	}
	s.entries = s.arena.list(s.entries)
	return s.entries, nil
}

// parse reads the records of linux_dirent64: inode and offset (8 bytes each),
// length (2), type (1), the name and NULs.
func (h *Handle) parse(b []byte, prefix string, a *arena) {
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
		a.add(prefix, name, h.typeOf(kind, name))
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

// Reader is an open file. The zero value is none.
type Reader struct {
	fd    int
	local bool
	std   *os.File
}

// Open opens a regular file of the directory for reading. What has become a
// link, a pipe or a device in the meantime is refused without waiting for it.
func (h *Handle) Open(e Entry) (Reader, error) {
	if h.std != nil {
		f, err := h.std.open(e.Name())
		return Reader{fd: -1, std: f}, err
	}
	name := unsafe.Pointer(unsafe.StringData(e.full[e.base:]))
	// On a local file system the scheduler is not told of the calls: they are
	// shorter than that takes.
	local := h.here()
	for {
		var fd uintptr
		var errno syscall.Errno
		if local {
			fd, _, errno = syscall.RawSyscall6(unix.SYS_OPENAT, uintptr(h.fd), uintptr(name), fileFlags|unix.O_LARGEFILE, 0, 0, 0)
		} else {
			fd, _, errno = syscall.Syscall6(unix.SYS_OPENAT, uintptr(h.fd), uintptr(name), fileFlags|unix.O_LARGEFILE, 0, 0, 0)
		}
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			return Reader{}, errno
		}
		r := Reader{fd: int(fd), local: local}
		if e.Type != File {
			if info, err := r.Stat(); err != nil || info.Type != File {
				r.Close()
				return Reader{}, errNotRegular
			}
		}
		return r, nil
	}
}

// Read reads on from where the last call ended, until p is full or the file
// ends, which is when n < len(p). Unlike an io.Reader it reports no io.EOF.
func (r Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m, err := r.some(p[n:])
		n += m
		if err != nil {
			return n, err
		}
		if m == 0 || r.local && n < len(p) {
			break
		}
	}
	return n, nil
}

func (r Reader) some(p []byte) (int, error) {
	if r.std != nil {
		n, err := r.std.Read(p)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	}
	for {
		var n uintptr
		var errno syscall.Errno
		if r.local {
			n, _, errno = syscall.RawSyscall(unix.SYS_READ, uintptr(r.fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		} else {
			n, _, errno = syscall.Syscall(unix.SYS_READ, uintptr(r.fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		}
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			return 0, errno
		}
		return int(n), nil
	}
}

// ReadAt reads from an offset until p is full or the file ends, as Read does.
func (r Reader) ReadAt(p []byte, off int64) (n int, err error) {
	if r.std != nil {
		n, err := r.std.ReadAt(p, off)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	}
	for n < len(p) {
		m, err := unix.Pread(r.fd, p[n:], off+int64(n))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return n, err
		}
		if m == 0 {
			break
		}
		n += m
	}
	return n, nil
}

// Map gives n bytes from an offset as they stand in the system's cache, until
// unmap is called. The file must hold them: where it has become shorter, looking
// at them is a fault (see debug.SetPanicOnFault). It is not ok where reading is
// the better way.
func (r Reader) Map(off int64, n int) (data []byte, unmap func(), ok bool) {
	if r.std != nil || !r.local {
		return nil, nil, false
	}
	lead := off & int64(os.Getpagesize()-1)
	m, err := unix.Mmap(r.fd, off-lead, int(lead)+n, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, false
	}
	return m[lead:], func() { unix.Munmap(m) }, true //nolint:errcheck // the range is ours
}

// Stat describes the open file.
func (r Reader) Stat() (Info, error) {
	if r.std != nil {
		return statPortable(r.std)
	}
	var st unix.Stat_t
	if err := unix.Fstat(r.fd, &st); err != nil {
		return Info{}, err
	}
	return infoOf(&st), nil
}

// Close releases the file.
func (r Reader) Close() {
	if r.std != nil {
		r.std.Close()
		return
	}
	if r.local {
		_, _, _ = syscall.RawSyscall(unix.SYS_CLOSE, uintptr(r.fd), 0, 0) // the file was only read, so closing loses nothing
		return
	}
	unix.Close(r.fd)
}

func infoOf(st *unix.Stat_t) Info {
	return Info{Type: modeType(st.Mode), Size: st.Size, Modified: time.Unix(st.Mtim.Unix())}
}

// Stat describes what stands at a path from the root, a link as a link.
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

// StatAll describes entries, of which those of one directory should stand
// together. What is no longer there has a zero Info.
func (r Root) StatAll(entries []Entry) []Info {
	infos := make([]Info, len(entries))
	opened, fd := "", -1
	for i, e := range entries {
		if r.std != nil {
			infos[i], _ = lstatPortable(r.std, e.Path()) // gone, or unreadable: zero
			continue
		}
		if dir, _ := split(e.Path()); dir != opened {
			if fd >= 0 {
				unix.Close(fd)
			}
			var err error
			if fd, err = r.descend(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC); err != nil {
				fd = -1
			}
			opened = dir
		}
		var st unix.Stat_t
		if fd >= 0 && unix.Fstatat(fd, e.Name(), &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
			infos[i] = infoOf(&st)
		}
	}
	if fd >= 0 {
		unix.Close(fd)
	}
	return infos
}
