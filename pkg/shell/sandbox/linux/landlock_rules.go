//go:build linux

package linux

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// secretEntries limits the directory entries that are listed to leave out secrets.
const secretEntries = 600

// landlockRules returns the rules of a profile for the kind [sandbox.Landlock]: everything
// but the secrets is readable. Landlock cannot take back a right that it granted for
// a directory above. So a directory above a secret may only be listed, and its other
// entries get a rule each. complete is false when a directory has too many entries
// for that; then these are unreadable, too, except for the workspace and the other
// writable directories.
func landlockRules(p sandbox.Profile) (rules []rule, complete bool) {
	budget := secretEntries
	secrets := slices.DeleteFunc(realPaths(p.Secrets), func(path string) bool { return unreachable(path) || isPlainNuGet(path) })
	slices.Sort(secrets)
	complete = true
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
				complete = false
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
	for _, dir := range slices.Concat([]string{p.Workspace}, p.Writable) {
		allow(dir, false)
	}
	if p.Closed {
		openClosed(p, allow)
	} else {
		allow("/", false)
	}
	for _, root := range p.Roots() {
		rules = append(rules, rule{Path: root, Rights: rightsWrite})
	}
	if p.Temp != "" {
		rules = append(rules, rule{Path: p.Temp, Rights: rightsWrite})
	}
	rules = append(rules, deviceRules()...)
	if p.Filesystem == sandbox.Workspace {
		rules = append(rules, rule{Path: "/dev/shm", Rights: rightsWrite})
	}
	return rules, complete
}

// openClosed allows what a closed profile shows of the machine.
func openClosed(p sandbox.Profile, allow func(path string, file bool)) {
	shown, _, err := topDirectories()
	if err != nil {
		return // then nothing of it is readable
	}
	for _, dir := range shown {
		if dir != "/dev" {
			allow(dir, false)
		}
	}
	for _, path := range realPaths(p.Readable) {
		allow(path, !isDirectory(path))
	}
}

// deviceRules returns the rules for the devices that may be used.
func deviceRules() []rule {
	rules := []rule{{Path: "/dev", Rights: rightsList}, {Path: "/dev/pts", Rights: rightsDevices}, {Path: "/dev/fd", Rights: rightsRead}}
	for _, name := range [...]string{"null", "zero", "full", "random", "urandom", "tty", "ptmx"} {
		rules = append(rules, rule{"/dev/" + name, rightsDevice, true})
	}
	return rules
}

// holding is the relation of a path to the secrets.
type holding int

const (
	noSecret holding = iota
	hasSecret
	isSecret
)

// holds reports whether path is a secret or is above one. The root always counts as
// above one, because /dev has rules of its own.
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

// unreachable reports whether this user can neither read a path nor go through it.
// Then no rule needs to leave it out, because the command has no more rights.
func unreachable(path string) bool {
	for _, right := range [...]uint32{unix.R_OK, unix.X_OK} {
		if unix.Faccessat(unix.AT_FDCWD, path, right, unix.AT_EACCESS) != unix.EACCES {
			return false
		}
	}
	return true
}

// isPlainNuGet reports whether a file is NuGet's settings and holds no password. NuGet
// writes such a file for everybody and does not run without reading it, and Landlock
// cannot show another one in its place.
func isPlainNuGet(path string) bool {
	if filepath.Base(path) != "NuGet.Config" {
		return false
	}
	data, err := readAll(path, 64<<10)
	if err != nil || len(data) == 64<<10 {
		return false
	}
	text := bytes.ToLower(data)
	for _, word := range [...]string{"credential", "password", "apikey", "token", "secret", "proxy", "@"} {
		if bytes.Contains(text, []byte(word)) {
			return false
		}
	}
	return bytes.Contains(text, []byte("packagesources"))
}

// realPaths resolves the symbolic links of those paths that exist.
func realPaths(paths []string) []string {
	const many = 8 // paths in a directory, for which listing it is cheaper
	all, beside := make([]string, 0, 32), map[string]int{}
	for _, path := range paths {
		beside[filepath.Dir(path)]++
	}
	listed := map[string]map[string]bool{}
	for _, path := range paths {
		dir, name := filepath.Split(path)
		dir = filepath.Clean(dir)
		if _, known := listed[dir]; beside[dir] >= many && !known {
			listed[dir] = nameSet(dir)
		}
		// Most do not exist.
		if names := listed[dir]; names != nil && !names[name] || names == nil && unix.Access(path, unix.F_OK) == unix.ENOENT {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			all = append(all, real)
		}
	}
	return all
}

// nameSet returns the names in a directory, nil if it cannot be listed.
func nameSet(dir string) map[string]bool {
	names, err := namesIn(dir)
	if err != nil && !errors.Is(err, unix.ENOENT) {
		return nil
	}
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// dirEntry is an entry of a directory.
type dirEntry struct {
	name string
	file bool // it is known not to be a directory
}

// entriesOf lists a directory without symbolic links: a rule for a link would be a
// rule for its target.
func entriesOf(dir string) ([]dirEntry, error) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var all []dirEntry
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
				all = append(all, dirEntry{s, kind == unix.DT_REG})
			}
		}
	}
}

func isLink(path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) != nil || st.Mode&unix.S_IFMT == unix.S_IFLNK
}
