//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// A veil keeps what is hidden in the directories that a command may write to hidden under
// Landlock. Rules grant reading to entries, not to the directories that lead to something
// hidden, and a rule belongs to a file, under whatever name. So what the command makes in
// such a directory would be readable to nobody: the [nursery] takes it from a store of files
// and directories for which there are rules already. It also refuses to open, rename and
// link what is hidden, which the nursery could do and the command cannot.
type veil struct {
	paths []string               // what is hidden
	nodes map[identity]bool      // the same, under whatever names
	above map[identity]bool      // the directories that lead there, from a writable one on
	names func(path string) bool // whether a rule hides what has a path
	store map[uint64]*provision  // by the device
	rules []rule                 // for what is in store
	spent bool                   // there was nothing left of it
}

// provision has what is in store on a file system.
type provision struct {
	files []int    // without a name
	dir   string   // of the directories, "" without any
	dirs  []string // their names
}

// The store is for so many new entries of the directories that lead to something hidden.
// What is in a new directory does not count.
const (
	storedFiles       = 128
	storedDirectories = 32
)

// hiddenIn returns those of the paths that lie in writable directories.
func hiddenIn(p sandbox.Profile, secrets []string) (inner []string) {
	for _, path := range secrets {
		if p.Inside(path) {
			inner = append(inner, path)
		}
	}
	return inner
}

// newVeil returns the veil of a profile for what it hides, nil where that is nothing.
func newVeil(p sandbox.Profile, hidden []string) *veil {
	if p.Filesystem != sandbox.Workspace || len(hidden) == 0 && p.Hides == nil {
		return nil
	}
	v := &veil{paths: hidden, nodes: map[identity]bool{}, above: map[identity]bool{}, store: map[uint64]*provision{}}
	v.names = func(path string) bool {
		rel, ok := workspace.RelOS(path, p.Workspace)
		return ok && p.Hides != nil && p.Hides(filepath.ToSlash(rel))
	}
	for _, path := range hidden {
		id, _ := identityOf(path)
		v.nodes[id] = true
		for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
			id, _ := identityOf(dir)
			if !v.above[id] && v.store[id.device] == nil {
				v.store[id.device] = v.provide(dir, p.Lock)
			}
			v.above[id] = true
			if !p.Inside(dir) {
				break
			}
		}
	}
	return v
}

// provided returns the rules for what is in store.
func (v *veil) provided() []rule {
	if v == nil {
		return nil
	}
	return v.rules
}

// provide makes a store for a directory; its directories lie in another one if they can be
// moved from there. What cannot be made is not in store.
func (v *veil) provide(dir, away string) *provision {
	s := &provision{}
	for range storedFiles {
		fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
		if err != nil {
			break
		}
		s.files = append(s.files, fd)
		v.rules = append(v.rules, rule{Path: procLink(fd), Rights: rightsFile, File: true})
	}
	if !sameMount(dir, away) {
		away = dir
	}
	s.dir = filepath.Join(away, ".helve-"+newMark())
	if unix.Mkdir(s.dir, 0o700) != nil {
		s.dir = ""
		return s
	}
	for i := range storedDirectories {
		name := filepath.Join(s.dir, strconv.Itoa(i))
		if unix.Mkdir(name, 0o700) != nil {
			break
		}
		s.dirs = append(s.dirs, name)
		v.rules = append(v.rules, rule{Path: name, Rights: rightsRead})
	}
	return s
}

// sameMount reports whether what is in one directory can be renamed to be in the other.
func sameMount(a, b string) bool {
	var first, second unix.Statx_t
	const how = unix.AT_SYMLINK_NOFOLLOW | unix.AT_NO_AUTOMOUNT
	err := errors.Join(unix.Statx(unix.AT_FDCWD, a, how, unix.STATX_MNT_ID, &first), unix.Statx(unix.AT_FDCWD, b, how, unix.STATX_MNT_ID, &second))
	return err == nil && first.Mask&second.Mask&unix.STATX_MNT_ID != 0 && first.Mnt_id == second.Mnt_id
}

// close removes what is left in store.
func (v *veil) close() {
	if v == nil {
		return
	}
	for _, s := range v.store {
		for _, fd := range s.files {
			unix.Close(fd)
		}
		for _, name := range s.dirs {
			_ = unix.Rmdir(name) // a command may have put something into it
		}
		if s.dir != "" {
			_ = unix.Rmdir(s.dir)
		}
		s.files, s.dirs, s.dir = nil, nil, ""
	}
}

// hides reports whether what is at a place is hidden, or lies in something that is.
func (v *veil) hides(p place) bool {
	if v == nil {
		return false
	}
	path := p.path()
	if v.names(path) || slices.ContainsFunc(v.paths, func(one string) bool { return workspace.WithinOS(path, one) }) {
		return true
	}
	return v.nodes[nodeAt(p.dir, p.name)] || v.within(p.dir)
}

// within reports whether an open directory lies in something hidden, whatever that is called
// now.
func (v *veil) within(dir int) bool {
	last := identity{}
	fd, err := unix.Openat(dir, ".", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	for err == nil {
		id := nodeAt(fd, "")
		if id == last || v.nodes[id] {
			unix.Close(fd)
			return v.nodes[id]
		}
		last = id
		up, upErr := unix.Openat(fd, "..", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		unix.Close(fd)
		fd, err = up, upErr
	}
	return true // nothing is known of it
}

// nodeAt returns what is in a directory under a name, or the directory itself.
func nodeAt(dir int, name string) identity {
	var st unix.Stat_t
	if unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW|unix.AT_EMPTY_PATH) != nil {
		return identity{}
	}
	return identity{device: uint64(st.Dev), inode: st.Ino}
}

// leads reports whether what is at a place is hidden or leads to something that is: it keeps
// its name.
func (v *veil) leads(p place) bool {
	return v != nil && (v.hides(p) || v.above[nodeAt(p.dir, p.name)])
}

// loses reports whether what is at a place could no longer be read in the directory of
// another one.
func (v *veil) loses(from, to place, link bool) bool {
	return v != nil && !link && v.above[nodeAt(to.dir, "")] && !v.above[nodeAt(from.dir, "")]
}

// stored returns the store for a new entry of a directory, nil where none is needed or
// nothing is left.
func (v *veil) stored(dir int) *provision {
	if v == nil {
		return nil
	}
	id := nodeAt(dir, "")
	s := v.store[id.device]
	if !v.above[id] || s == nil {
		return nil
	}
	if len(s.files) == 0 || len(s.dirs) == 0 {
		v.spent = true
		return nil
	}
	return s
}

// isSpent reports whether there was nothing left for what the command made.
func (v *veil) isSpent() bool { return v != nil && v.spent }

// create opens a new file, which gets a mode.
func (s *provision) create(p place, flags int, mode uint32) (int, error) {
	if err := writable(p.dir); err != nil {
		return -1, err
	}
	own := s.files[len(s.files)-1]
	fd, err := unix.Open(procLink(own), flags&^(unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW)|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	if err = unix.Linkat(unix.AT_FDCWD, procLink(own), p.dir, p.name, unix.AT_SYMLINK_FOLLOW); err == nil {
		s.files = s.files[:len(s.files)-1]
		defer unix.Close(own)
		err = unix.Fchmod(own, mode)
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// mkdir makes a directory.
func (s *provision) mkdir(p place, mode uint32) error {
	if err := writable(p.dir); err != nil {
		return err
	}
	if err := unix.Renameat2(unix.AT_FDCWD, s.dirs[len(s.dirs)-1], p.dir, p.name, unix.RENAME_NOREPLACE); err != nil {
		return err
	}
	s.dirs = s.dirs[:len(s.dirs)-1]
	return unix.Fchmodat(p.dir, p.name, mode, 0)
}
