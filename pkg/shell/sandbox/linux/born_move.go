//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/workspace"
)

// source finds an entry that is renamed or linked; it may lie aside.
func (n *nursery) source(v *visit, dir, path uint64) (p place, st unix.Stat_t, err error) {
	if p, err = v.place(int32(dir), path); err != nil {
		return p, st, err
	}
	if !p.isEntry() {
		return p, st, unix.EBUSY
	}
	err = unix.Fstatat(p.dir, p.name, &st, unix.AT_SYMLINK_NOFOLLOW)
	if errors.Is(err, unix.ENOENT) && n.lies(p.path()) != "" {
		top, _ := n.judge(p.path())
		if p, err = n.turn(v, p, top); err == nil {
			err = unix.Fstatat(p.dir, p.name, &st, unix.AT_SYMLINK_NOFOLLOW)
		}
	}
	return p, st, err
}

// rename renames an entry, or moves it aside.
func (n *nursery) rename(v *visit, a [6]uint64) error {
	const known = unix.RENAME_NOREPLACE | unix.RENAME_EXCHANGE
	from, st, err := n.source(v, a[0], a[1])
	if err != nil {
		return err
	}
	to, err := v.place(int32(a[2]), a[3])
	if err != nil {
		return err
	}
	flags, kind := uint(uint32(a[4])), st.Mode&unix.S_IFMT
	directory, link := kind == unix.S_IFDIR, kind == unix.S_IFLNK
	switch {
	case flags&^known != 0 || flags == known:
		return unix.EINVAL
	case !to.isEntry(), from.isMounted(), to.isMounted():
		return unix.EBUSY
	case (from.slash || to.slash) && !directory:
		return unix.ENOTDIR
	case n.confines && (!n.allows(from.path()) || !n.allows(to.path())), n.veil.leads(from), n.veil.leads(to):
		return unix.EACCES
	case n.veil.loses(from, to, link):
		return unix.EXDEV // it is copied then
	}
	top, obeyed := n.judgeEntry(to.path(), kind)
	if flags&unix.RENAME_EXCHANGE != 0 {
		if _, also := n.judgeEntry(from.path(), unix.S_IFLNK); obeyed || also || n.special(from, to) || n.special(to, from) {
			return unix.EINVAL
		}
		if err := n.before(from); err != nil {
			return err
		}
	}
	if directory && (obeyed || n.special(from, to)) && n.carries(from.dir, from.name, to.path()) {
		return unix.EXDEV // whoever moves it copies it then, file by file
	}
	if directory || !obeyed {
		if err := n.before(to); err != nil {
			return err
		}
		return unix.Renameat2(from.dir, from.name, to.dir, to.name, flags)
	}
	if fd, err := v.keep(unix.Openat(to.dir, to.name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)); err == nil {
		if flags&unix.RENAME_NOREPLACE != 0 {
			return unix.EEXIST
		}
		if err := writable(fd); errors.Is(err, unix.EROFS) {
			return unix.EBUSY // it is mounted
		}
	}
	q, err := n.turn(v, to, top)
	if err != nil {
		return err
	}
	if err := unix.Renameat(from.dir, from.name, q.dir, q.name); err != nil {
		return err
	}
	n.lay(to.path(), top, true)
	n.settle()
	return nil
}

// special reports whether what is in a directory may be obeyed under another path of the
// directory and was not before.
func (n *nursery) special(from, to place) bool {
	here, ok := workspace.RelOS(to.path(), n.profile.Workspace)
	if !ok {
		return false
	}
	there, inside := workspace.RelOS(from.path(), n.profile.Workspace)
	here, there = filepath.ToSlash(here), filepath.ToSlash(there)
	holds := slices.ContainsFunc(n.protected, func(one string) bool { return workspace.WithinOS(one, to.path()) })
	return holds || workspace.Leads(here) || workspace.SameName(to.name, ".git") || !inside || workspace.InDependencies(there) && !workspace.InDependencies(here)
}

// carries reports whether anything in a directory would be obeyed with another path of
// that.
func (n *nursery) carries(dir int, name, path string) bool {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return !errors.Is(err, unix.ENOTDIR) && !errors.Is(err, unix.ELOOP)
	}
	defer unix.Close(fd)
	names, err := namesOf(fd)
	if err != nil {
		return true
	}
	parts := 0
	for _, name := range names {
		if strings.EqualFold(name, "objects") || strings.EqualFold(name, "refs") {
			parts++
		}
		if parts > 1 || name == "HEAD" || strings.EqualFold(name, "commondir") {
			return true
		}
		at, kind := filepath.Join(path, name), kindAt(fd, name)
		if _, ok := n.judgeEntry(at, kind); ok && kind != unix.S_IFDIR || n.carries(fd, name, at) {
			return true
		}
	}
	return false
}

// kindAt returns the kind of an entry; 0 is unknown.
func kindAt(dir int, name string) uint32 {
	var st unix.Stat_t
	_ = unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) // what is unknown may be anything
	return st.Mode & unix.S_IFMT
}

// link gives a file another name. What others obey keeps its only one, or it could be
// written to under the other.
func (n *nursery) link(v *visit, a [6]uint64) error {
	from, st, err := n.source(v, a[0], a[1])
	for a[4]&unix.AT_SYMLINK_FOLLOW != 0 && err == nil && from.open < 0 && st.Mode&unix.S_IFMT == unix.S_IFLNK {
		if from, err = v.follow(from); err == nil && from.open < 0 {
			err = unix.Fstatat(from.dir, from.name, &st, unix.AT_SYMLINK_NOFOLLOW|unix.AT_EMPTY_PATH)
		}
	}
	if err != nil {
		return err
	}
	path := from.path()
	if from.open >= 0 {
		path = from.at
	}
	if _, obeyed := n.judge(path); obeyed {
		return unix.EPERM
	}
	if n.confines && !n.allows(path) || from.open < 0 && n.veil.hides(from) {
		return unix.EXDEV
	}
	return n.bearAt(v, a[2], a[3], st.Mode&unix.S_IFMT, func(to place) error {
		if n.veil.loses(from, to, false) {
			return unix.EXDEV
		}
		if from.open >= 0 {
			return unix.Linkat(unix.AT_FDCWD, procLink(from.open), to.dir, to.name, unix.AT_SYMLINK_FOLLOW)
		}
		return unix.Linkat(from.dir, from.name, to.dir, to.name, 0)
	})
}
