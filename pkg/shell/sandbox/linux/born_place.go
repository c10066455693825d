//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// place is a name in a directory, which may have such an entry or not. What is no entry,
// such as an open pipe, is a descriptor alone.
type place struct {
	dir   int    // opened with O_PATH
	at    string // the real path of dir
	name  string // "" and "." are dir itself, ".." is above it
	slash bool   // only a directory is meant
	open  int    // what a link in /proc leads to, instead of all others; -1 without one
}

// maxLinks limits the links that are followed in one path, as the kernel does.
const maxLinks = 40

// path returns the real path of a place.
func (p place) path() string { return filepath.Join(p.at, p.name) }

// isEntry reports whether the place may be made, removed or renamed.
func (p place) isEntry() bool { return p.name != "" && p.name != "." && p.name != ".." }

// exists reports whether there is an entry.
func (p place) exists() bool {
	var st unix.Stat_t
	return unix.Fstatat(p.dir, p.name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil
}

// isMounted reports whether something is mounted on the entry where the command is. The
// kernel keeps it there for the command; for this process, which is in other namespaces,
// it does not.
func (p place) isMounted() bool {
	var dir, entry unix.Statx_t
	const how = unix.AT_SYMLINK_NOFOLLOW | unix.AT_NO_AUTOMOUNT
	if err := unix.Statx(p.dir, p.name, how, unix.STATX_MNT_ID, &entry); err != nil {
		return !errors.Is(err, unix.ENOENT)
	}
	err := unix.Statx(p.dir, "", how|unix.AT_EMPTY_PATH, unix.STATX_MNT_ID, &dir)
	return err != nil || dir.Mask&entry.Mask&unix.STATX_MNT_ID == 0 || dir.Mnt_id != entry.Mnt_id
}

// procLink returns the path to a descriptor of this process.
func procLink(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// visit is the look of one call at the file system, as its caller sees it.
type visit struct {
	*caller
	root  int   // the root of the caller
	fds   []int // closed at the end
	links int
	valid func() bool // whether the caller still waits, and its number is nobody else's
}

func (v *visit) end() {
	for _, fd := range v.fds {
		unix.Close(fd)
	}
}

// keep keeps a descriptor until the end of the visit.
func (v *visit) keep(fd int, err error) (int, error) {
	if err == nil {
		v.fds = append(v.fds, fd)
	}
	return fd, err
}

// base opens what the relative paths of a call start from.
func (v *visit) base(dir int32) (int, error) {
	name := fmt.Sprintf("/proc/%d/cwd", v.pid)
	if dir != unix.AT_FDCWD {
		name = fmt.Sprintf("/proc/%d/fd/%d", v.pid, dir)
	}
	fd, err := v.keep(unix.Open(name, unix.O_PATH|unix.O_CLOEXEC, 0))
	if err != nil {
		return -1, unix.EBADF
	}
	return fd, nil
}

// place finds the place that a call names by a path in its memory.
func (v *visit) place(dir int32, path uint64) (place, error) {
	text, err := v.text(path, unix.PathMax-1)
	if err != nil {
		return place{}, err
	}
	if text == "" {
		return place{}, unix.ENOENT
	}
	base := v.root
	if text[0] != '/' {
		if base, err = v.base(dir); err != nil {
			return place{}, err
		}
	}
	if !v.valid() {
		return place{}, unix.ENOENT
	}
	return v.find(base, text)
}

// find finds the place of a path. Its last name is not followed.
func (v *visit) find(base int, path string) (place, error) {
	trimmed := strings.TrimRight(path, "/")
	p := place{dir: base, slash: trimmed != path, open: -1}
	if strings.HasPrefix(path, "/") {
		p.dir = v.root
	}
	i := strings.LastIndexByte(trimmed, '/')
	p.name = trimmed[i+1:]
	if len(p.name) > 255 {
		return place{}, unix.ENAMETOOLONG
	}
	var err error
	if way := strings.Trim(trimmed[:i+1], "/"); way != "" {
		if p.dir, err = v.walk(p.dir, way); err != nil {
			return place{}, err
		}
	}
	p.at, err = v.real(p.dir)
	return p, err
}

// real returns the path of a descriptor.
func (v *visit) real(fd int) (string, error) {
	var buf [unix.PathMax]byte
	n, err := unix.Readlink(procLink(fd), buf[:])
	if err != nil || n == len(buf) {
		return "", unix.ENAMETOOLONG
	}
	return string(buf[:n]), nil
}

// walk opens the directory at a relative path.
func (v *visit) walk(dir int, way string) (int, error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	if fd, err := v.keep(unix.Openat2(dir, way, &how)); !errors.Is(err, unix.ELOOP) {
		return fd, err
	}
	for _, name := range strings.FieldsFunc(way, func(c rune) bool { return c == '/' }) {
		fd, err := v.keep(unix.Openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0))
		if err != nil {
			return -1, err
		}
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return -1, err
		}
		if st.Mode&unix.S_IFMT == unix.S_IFLNK {
			at, err := v.real(dir)
			if err != nil {
				return -1, err
			}
			to, err := v.follow(place{dir: dir, at: at, name: name, open: -1})
			if err == nil {
				fd, err = v.enter(to)
			}
			if err != nil {
				return -1, err
			}
		}
		dir = fd
	}
	return dir, nil
}

// enter opens the directory at a place, following links.
func (v *visit) enter(p place) (int, error) {
	if p.open >= 0 {
		return p.open, nil
	}
	if p.name == "" {
		return p.dir, nil
	}
	return v.walk(p.dir, p.name)
}

// follow returns where the symbolic link at a place leads.
func (v *visit) follow(p place) (place, error) {
	if v.links++; v.links > maxLinks {
		return place{}, unix.ELOOP
	}
	var fs unix.Statfs_t
	if err := unix.Fstatfs(p.dir, &fs); err != nil {
		return place{}, err
	}
	if fs.Type == unix.PROC_SUPER_MAGIC && p.at != "/proc" {
		return v.jump(p)
	}
	var text string
	if ids := v.ids(); fs.Type == unix.PROC_SUPER_MAGIC && p.name == "self" {
		text = ids[0]
	} else if fs.Type == unix.PROC_SUPER_MAGIC && p.name == "thread-self" {
		text = ids[0] + "/task/" + ids[1]
	} else {
		var buf [unix.PathMax]byte
		n, err := unix.Readlinkat(p.dir, p.name, buf[:])
		if err != nil {
			return place{}, err
		}
		if n == 0 || n == len(buf) {
			return place{}, unix.ENOENT
		}
		text = string(buf[:n])
	}
	to, err := v.find(p.dir, text)
	to.slash = to.slash || p.slash
	return to, err
}

// ids returns the numbers of the caller's process and thread as it knows them.
func (v *visit) ids() (ids [2]string) {
	text, err := readAll(fmt.Sprintf("/proc/%d/status", v.pid), 4<<10)
	if err != nil {
		return ids
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "NStgid:" {
			ids[0] = f[len(f)-1]
		} else if len(f) > 1 && f[0] == "NSpid:" {
			ids[1] = f[len(f)-1]
		}
	}
	return ids
}

// jump follows a link of /proc that leads to an open file. This process may look into
// others that the caller may not look into, so the link must be the caller's own. A file
// is found again by its path, because the caller may have got it from outside of its
// sandbox, where it may do more.
func (v *visit) jump(p place) (place, error) {
	ids := v.ids()
	if rest, ok := strings.CutPrefix(p.at, "/proc/"); !ok || ids[0] == "" || !strings.HasPrefix(rest+"/", ids[0]+"/") && !strings.HasPrefix(rest+"/", ids[1]+"/") {
		return place{}, unix.EACCES
	}
	fd, err := v.keep(unix.Openat(p.dir, p.name, unix.O_PATH|unix.O_CLOEXEC, 0))
	if err != nil {
		return place{}, err
	}
	var st, same unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return place{}, err
	}
	path, err := v.real(fd)
	if err != nil {
		return place{}, err
	}
	if !strings.HasPrefix(path, "/") || st.Nlink == 0 {
		return place{open: fd, at: path}, nil // a pipe, or a file without a name
	}
	to, err := v.find(v.root, path)
	if err != nil {
		return place{}, err
	}
	if unix.Fstatat(to.dir, to.name, &same, unix.AT_SYMLINK_NOFOLLOW|unix.AT_EMPTY_PATH) != nil || same.Dev != st.Dev || same.Ino != st.Ino {
		return place{}, unix.EACCES
	}
	return to, nil
}
