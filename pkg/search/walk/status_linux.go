package walk

import (
	"io/fs"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Status describes an entry of the directory, of a link the link itself.
func (h *Handle) Status(e Entry) (Status, error) {
	if h.std != nil {
		info, err := h.std.root.Lstat(e.Name())
		if err != nil {
			return Status{}, err
		}
		s := Status{Mode: info.Mode(), Size: info.Size(), Modified: info.ModTime().UnixNano()}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			s.Changed, s.Inode, s.Device = syscall.TimespecToNsec(st.Ctim), st.Ino, st.Dev
			s.setLinks(uint64(st.Nlink))
		}
		return s, nil
	}
	var st unix.Statx_t
	if err := h.statx(e, &st); err != nil {
		return Status{}, err
	}
	s := Status{
		Mode: fileMode(st.Mode), Size: int64(st.Size), Modified: nanoseconds(st.Mtime), Changed: nanoseconds(st.Ctime),
		Inode: st.Ino, Device: unix.Mkdev(st.Dev_major, st.Dev_minor),
	}
	s.setLinks(uint64(st.Nlink))
	return s, nil
}

func (h *Handle) statx(e Entry, st *unix.Statx_t) error {
	if h.local == isHere {
		_, _, errno := syscall.RawSyscall6(unix.SYS_STATX, uintptr(h.fd), uintptr(unsafe.Pointer(unsafe.StringData(e.name))),
			unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BASIC_STATS, uintptr(unsafe.Pointer(st)), 0)
		if errno == 0 {
			return nil
		}
	}
	return unix.Statx(h.fd, e.Name(), unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BASIC_STATS, st)
}

func nanoseconds(t unix.StatxTimestamp) int64 { return t.Sec*1e9 + int64(t.Nsec) }

// fileMode translates the mode of stat(2).
func fileMode(mode uint16) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch modeType(uint32(mode)) {
	case File:
	case Dir:
		m |= fs.ModeDir
	case Symlink:
		m |= fs.ModeSymlink
	default:
		m |= fs.ModeIrregular
	}
	if mode&unix.S_ISUID != 0 {
		m |= fs.ModeSetuid
	}
	if mode&unix.S_ISGID != 0 {
		m |= fs.ModeSetgid
	}
	if mode&unix.S_ISVTX != 0 {
		m |= fs.ModeSticky
	}
	return m
}
