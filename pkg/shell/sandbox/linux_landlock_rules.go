//go:build linux

package sandbox

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/workspace"
)

// secretEntries is how many directory entries may be listed to leave out secrets.
const secretEntries = 600

// landlockRules are the rules of a profile where Landlock is all there is: what
// holds no secret is readable. A directory above a secret may only be listed,
// and what else is in it gets rules one by one, as Landlock cannot take back
// what it gave further up. ok is false when a directory has too much in it for
// that, and what is beside the secret stays unreadable with it; never the places
// that the command is for.
func landlockRules(p Profile) (rules []rule, ok bool) {
	budget := secretEntries
	secrets := slices.DeleteFunc(realPaths(p.Secrets), closed)
	slices.Sort(secrets)
	ok = true
	var allow func(path string, file bool)
	allow = func(path string, file bool) {
		switch holds(secrets, path) {
		case isSecret:
		case noSecret:
			rules = append(rules, rule{path, rightsRead, file})
		case hasSecret:
			rules = append(rules, rule{Path: path, Rights: rightsList})
			entries, err := entriesOf(path)
			if err != nil {
				return
			}
			if len(entries) > budget {
				ok = false
				return
			}
			budget -= len(entries)
			for _, e := range entries {
				if path != "/" {
					allow(path+"/"+e.name, e.file)
				} else if e.name != "dev" {
					allow("/"+e.name, e.file)
				}
			}
		}
	}
	for _, place := range slices.Concat([]string{p.Workspace}, p.Writable) {
		allow(place, false)
	}
	allow("/", false)
	for _, root := range p.roots() {
		rules = append(rules, rule{Path: root, Rights: rightsWrite})
	}
	if p.Temp != "" {
		rules = append(rules, rule{Path: p.Temp, Rights: rightsWrite})
	}
	rules = append(rules, deviceRules()...)
	if p.Filesystem == Workspace {
		rules = append(rules, rule{Path: "/dev/shm", Rights: rightsWrite})
	}
	return rules, ok
}

func deviceRules() []rule {
	rules := []rule{{Path: "/dev", Rights: rightsList}, {Path: "/dev/pts", Rights: rightsDevices}, {Path: "/dev/fd", Rights: rightsRead}}
	for _, name := range [...]string{"null", "zero", "full", "random", "urandom", "tty", "ptmx"} {
		rules = append(rules, rule{"/dev/" + name, rightsDevice, true})
	}
	return rules
}

type holding int

const (
	noSecret holding = iota
	hasSecret
	isSecret
)

// holds tells whether path is, or is above, one of the secrets. The root always
// is above one: its devices are no files to be read.
func holds(secrets []string, path string) holding {
	h := noSecret
	if path == "/" {
		h = hasSecret
	}
	for _, s := range secrets {
		if workspace.WithinOS(path, s) {
			return isSecret
		}
		if workspace.WithinOS(s, path) {
			h = hasSecret
		}
	}
	return h
}

// closed reports whether this user can neither read a path nor go through it.
// Then no rules need to leave it out: the command gets no more rights.
func closed(path string) bool {
	for _, right := range [...]uint32{unix.R_OK, unix.X_OK} {
		if unix.Faccessat(unix.AT_FDCWD, path, right, unix.AT_EACCESS) != unix.EACCES {
			return false
		}
	}
	return true
}

// realPaths gives what exists of some paths, without links on the way.
func realPaths(paths []string) []string {
	all := make([]string, 0, len(paths))
	for _, path := range paths {
		// Most are not there, and one call tells.
		if unix.Access(path, unix.F_OK) == unix.ENOENT {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			all = append(all, real)
		}
	}
	return all
}

// entry is what a directory says of one of its own.
type entry struct {
	name string
	file bool // it is no directory for sure
}

// entriesOf lists a directory, links left out: a rule for a link would be one for
// what it leads to.
func entriesOf(dir string) ([]entry, error) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var all []entry
	buf := make([]byte, 32<<10)
	for {
		n, err := unix.ReadDirent(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return all, err
		}
		for rest := buf[:n]; len(rest) > 0; {
			// struct linux_dirent64 of getdents(2): an inode, an offset, the
			// length of the record, the kind, and the name up to a NUL.
			size := int(binary.NativeEndian.Uint16(rest[16:]))
			name, _, _ := bytes.Cut(rest[19:size], []byte{0})
			kind := rest[18]
			rest = rest[size:]
			if s := string(name); s != "." && s != ".." && kind != unix.DT_LNK && (kind != unix.DT_UNKNOWN || !isLink(filepath.Join(dir, s))) {
				all = append(all, entry{s, kind == unix.DT_REG})
			}
		}
	}
}

func isLink(path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) != nil || st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// namesIn lists the names in a directory.
func namesIn(dir string) ([]string, error) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	return namesOf(fd)
}

func namesOf(fd int) ([]string, error) {
	var names []string
	buf := make([]byte, 32<<10)
	for {
		n, err := unix.ReadDirent(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return names, err
		}
		_, _, names = unix.ParseDirent(buf[:n], -1, names)
	}
}
