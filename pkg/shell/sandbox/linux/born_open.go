//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// make makes the call of a notification and returns the descriptor that the caller gets,
// or else -1.
func (n *nursery) make(v *visit, m *notification) (fd int, err error) {
	number, a := modern(m.number, m.args)
	switch number {
	case unix.SYS_OPENAT:
		p, err := v.place(int32(a[0]), a[1])
		if err != nil {
			return -1, err
		}
		return n.openAt(v, m.id, p, int(uint32(a[2])), uint32(a[3]))
	case unix.SYS_MKDIRAT:
		return -1, n.bearAt(v, a[0], a[1], unix.S_IFDIR, func(p place) error { return n.mkdir(v, p, uint32(a[2])) })
	case unix.SYS_MKNODAT:
		if kind := uint32(a[2]) & unix.S_IFMT; kind == unix.S_IFCHR || kind == unix.S_IFBLK {
			return -1, unix.EPERM
		}
		return -1, n.bearAt(v, a[0], a[1], unix.S_IFREG, func(p place) error {
			return n.withMode(v, p, uint32(a[2]), func(mode uint32) error { return unix.Mknodat(p.dir, p.name, mode, 0) })
		})
	case unix.SYS_SYMLINKAT:
		text, err := v.text(a[0], unix.PathMax-1)
		if err != nil {
			return -1, err
		}
		return -1, n.bearAt(v, a[1], a[2], unix.S_IFLNK, func(p place) error { return unix.Symlinkat(text, p.dir, p.name) })
	case unix.SYS_LINKAT:
		return -1, n.link(v, a)
	case unix.SYS_RENAMEAT:
		a[4] = 0
		fallthrough
	case unix.SYS_RENAMEAT2:
		return -1, n.rename(v, a)
	case unix.SYS_TRUNCATE:
		return -1, n.truncate(v, a[0], int64(a[1]))
	}
	return -1, unix.ENOSYS
}

// bearAt finds a place and gives it an entry of a kind.
func (n *nursery) bearAt(v *visit, dir, path uint64, kind uint32, f func(place) error) error {
	p, err := v.place(int32(dir), path)
	if err != nil {
		return err
	}
	return n.bear(v, p, kind, f)
}

// bear gives a place that has none an entry, or makes that aside. A new directory is
// harmless: what comes into it is judged.
func (n *nursery) bear(v *visit, p place, kind uint32, f func(place) error) error {
	path := p.path()
	switch {
	case !p.isEntry(), p.exists():
		return unix.EEXIST
	case p.slash && kind != unix.S_IFDIR:
		return unix.ENOENT
	case n.confines && !n.allows(path), n.veil.hides(p):
		return unix.EACCES
	}
	if top, ok := n.judgeEntry(path, kind); ok && kind != unix.S_IFDIR {
		q, err := n.turn(v, p, top)
		if err == nil {
			err = f(q)
		}
		if err == nil {
			n.lay(path, top, false)
		}
		return err
	}
	if err := n.before(p); err != nil {
		return err
	}
	return f(p)
}

// before clears the directory of a place that becomes one of git's with the new entry.
func (n *nursery) before(p place) error {
	if becomesGits(p.at, p.name) {
		return n.clear(p.at)
	}
	return nil
}

// openAt opens or creates what is at a place.
func (n *nursery) openAt(v *visit, id uint64, p place, flags int, mode uint32) (int, error) {
	creates, fresh := flags&unix.O_CREAT != 0, flags&(unix.O_CREAT|unix.O_EXCL) == unix.O_CREAT|unix.O_EXCL
	for {
		path := p.path()
		switch {
		case p.open >= 0:
			return n.reopen(v, id, p.open, p.at, flags)
		case !p.isEntry() || p.slash:
			return -1, unix.EISDIR
		case n.veil.hides(p):
			return -1, unix.EACCES
		}
		top, obeyed := n.judge(path)
		if creates && !obeyed && (!n.confines || n.allows(path)) {
			if err := n.before(p); err != nil {
				return -1, err
			}
			fd, err := n.create(v, p, flags|unix.O_EXCL, mode)
			if !errors.Is(err, unix.EEXIST) || fresh {
				return fd, err
			}
		}
		fd, err := v.keep(unix.Openat(p.dir, p.name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0))
		if errors.Is(err, unix.ENOENT) {
			return n.openAside(v, p, top, flags, mode)
		}
		var st unix.Stat_t
		if err == nil {
			err = unix.Fstat(fd, &st)
		}
		kind := st.Mode & unix.S_IFMT
		switch {
		case err != nil:
			return -1, err
		case fresh:
			return -1, unix.EEXIST
		case kind == unix.S_IFDIR:
			return -1, unix.EISDIR
		case kind == unix.S_IFLNK && flags&unix.O_NOFOLLOW != 0:
			return -1, unix.ELOOP
		case kind == unix.S_IFLNK:
			if p, err = v.follow(p); err != nil {
				return -1, err
			}
			continue
		}
		if !obeyed && st.Nlink > 1 && n.twins[identity{device: uint64(st.Dev), inode: st.Ino}] {
			top, obeyed = path, true
		}
		if obeyed && kind == unix.S_IFREG && flags&(unix.O_ACCMODE|unix.O_TRUNC) != 0 {
			return n.rewrite(v, p, fd, top, flags)
		}
		return n.reopen(v, id, fd, path, flags)
	}
}

// mkdir makes a directory.
func (n *nursery) mkdir(v *visit, p place, mode uint32) error {
	if s := n.veil.stored(p.dir); s != nil {
		return n.withMask(v, mode&0o1777, func(mode uint32) error { return s.mkdir(p, mode) })
	}
	return n.withMode(v, p, mode, func(mode uint32) error { return unix.Mkdirat(p.dir, p.name, mode) })
}

// create opens a file that it may have to make.
func (n *nursery) create(v *visit, p place, flags int, mode uint32) (fd int, err error) {
	if s := n.veil.stored(p.dir); s != nil {
		err = n.withMask(v, mode&0o7777, func(mode uint32) error {
			fd, err = s.create(p, flags, mode)
			return err
		})
		if !errors.Is(err, unix.EEXIST) || flags&unix.O_EXCL != 0 {
			return fd, err
		}
	}
	err = n.withMode(v, p, mode, func(mode uint32) error {
		fd, err = unix.Openat(p.dir, p.name, flags|unix.O_NOFOLLOW|unix.O_NOCTTY|unix.O_CLOEXEC, mode)
		return err
	})
	if err != nil {
		return -1, err
	}
	return fd, nil
}

// openAside opens what stands for a place without an entry, if others obey that.
func (n *nursery) openAside(v *visit, p place, top string, flags int, mode uint32) (int, error) {
	path := p.path()
	switch {
	case top == "" && flags&unix.O_CREAT != 0 || n.confines && !n.allows(path):
		return -1, unix.EACCES
	case top == "" || flags&unix.O_CREAT == 0 && n.lies(path) == "":
		return -1, unix.ENOENT
	}
	q, err := n.turn(v, p, top)
	if err != nil {
		return -1, err
	}
	fd, err := n.create(v, q, flags, mode)
	if err == nil {
		n.lay(path, top, false)
	}
	return fd, err
}

// rewrite opens, for writing, a copy of a file that others obey. fd is the file itself.
func (n *nursery) rewrite(v *visit, p place, fd int, top string, flags int) (int, error) {
	if err := writable(fd); err != nil {
		return -1, err
	}
	path := p.path()
	if n.confines && !n.allows(path) {
		return -1, unix.EACCES
	}
	q, err := n.turn(v, p, top)
	if err != nil {
		return -1, err
	}
	if !q.exists() {
		if err := copyTo(fd, q); err != nil {
			return -1, err
		}
	}
	to, err := unix.Openat(q.dir, q.name, flags&^(unix.O_CREAT|unix.O_EXCL)|unix.O_NOFOLLOW|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err == nil {
		n.lay(path, top, false)
	}
	return to, err
}

// copyTo makes a copy of a regular file at a place.
func copyTo(fd int, p place) error {
	in, err := unix.Open(procLink(fd), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	from := os.NewFile(uintptr(in), p.name)
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return unix.EIO
	}
	if info.Size() > snapshotBytes {
		return unix.EFBIG
	}
	out, err := unix.Openat(p.dir, p.name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	to := os.NewFile(uintptr(out), p.name)
	defer to.Close()
	if _, err := io.Copy(to, from); err != nil || to.Chmod(info.Mode().Perm()) != nil {
		return unix.EIO
	}
	return nil
}

// reopen opens what a descriptor of O_PATH stands for. The path is that of the file, or
// the kernel's name for what has none.
func (n *nursery) reopen(v *visit, id uint64, fd int, path string, flags int) (int, error) {
	var st unix.Stat_t
	var fs unix.Statfs_t
	if unix.Fstat(fd, &st) != nil || unix.Fstatfs(fd, &fs) != nil {
		return -1, unix.EIO
	}
	kind, file := st.Mode&unix.S_IFMT, strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "/memfd:")
	switch {
	case fs.Type == unix.PROC_SUPER_MAGIC && !n.confines:
		return -1, unix.EROFS // as this process, it would show more
	case file && (n.confines || kind != unix.S_IFREG) && !n.allows(path):
		return -1, unix.EACCES
	case kind == unix.S_IFCHR && st.Rdev == unix.Mkdev(5, 0): // tty(4), another one for this process
		return n.terminal(v, id, flags)
	}
	flags = flags&^(unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW) | unix.O_NOCTTY | unix.O_CLOEXEC
	if kind != unix.S_IFIFO || flags&unix.O_ACCMODE == unix.O_RDWR || flags&unix.O_NONBLOCK != 0 {
		return unix.Open(procLink(fd), flags, 0)
	}
	to, err := openPipe(fd, flags)
	if errors.Is(err, unix.ENXIO) {
		if fd, err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0); err == nil {
			n.waiting, n.wait = append(n.waiting, waiter{id: id, fd: fd, flags: flags}), minWait
			err = errWaits
		}
		return -1, err
	}
	return to, err
}

// openPipe opens a named pipe without waiting for its other end.
func openPipe(fd, flags int) (int, error) {
	to, err := unix.Open(procLink(fd), flags|unix.O_NONBLOCK, 0)
	if err == nil {
		_, err = unix.FcntlInt(uintptr(to), unix.F_SETFL, flags)
	}
	return to, err
}

// terminal opens the controlling terminal of the caller.
func (n *nursery) terminal(v *visit, id uint64, flags int) (int, error) {
	text, err := readAll(fmt.Sprintf("/proc/%d/stat", v.pid), 1<<10)
	if err != nil {
		return -1, unix.ENXIO
	}
	var state string
	var parent, group, session, number int
	after := string(text[bytes.LastIndexByte(text, ')')+1:])
	if _, err := fmt.Sscan(after, &state, &parent, &group, &session, &number); err != nil {
		return -1, unix.ENXIO
	}
	if major := unix.Major(uint64(number)); major < 136 || major > 143 { // those of pts(4)
		return -1, unix.ENXIO
	}
	p, err := v.find(v.root, fmt.Sprintf("/dev/pts/%d", unix.Minor(uint64(number))))
	if err != nil {
		return -1, unix.ENXIO
	}
	fd, err := v.keep(unix.Openat(p.dir, p.name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0))
	if err != nil {
		return -1, unix.ENXIO
	}
	return n.reopen(v, id, fd, p.path(), flags)
}

// truncate sets the size of a file.
func (n *nursery) truncate(v *visit, path uint64, size int64) error {
	p, err := v.place(unix.AT_FDCWD, path)
	if err != nil {
		return err
	}
	if size < 0 {
		return unix.EINVAL
	}
	fd, err := n.openAt(v, 0, p, unix.O_WRONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Ftruncate(fd, size)
}
