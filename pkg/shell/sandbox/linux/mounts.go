//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/known"
)

// mounts is the file system of a sandbox: the host's, read-only, with these
// exceptions.
type mounts struct {
	Writable  []string       // stay as they are
	Shown     []string       // stay readable, also below a replaced directory
	Replaced  []string       // are directories of the sandbox's own, empty but for Temp
	Closed    []string       // are the same, and read-only
	Links     []sandbox.Link // are in closed ones as they are on the machine
	Temp      string         // is shown as /tmp; "" is none
	Size      uint64         // of each that is replaced, in bytes
	Pinned    []string       // are mount points, so that they cannot be renamed
	Protected []string       // are read-only, below the writable ones
	Hidden    []string       // are covered, so that they cannot be read
	Layers    []overlay      // are what they are on the machine, and writable
	Preview   *overlay
}

// detached is a copy of mounts that is not attached yet.
type detached struct {
	path string
	fd   *int32
	file bool
}

// write adds the steps that arrange a new mount namespace.
func (m *mounts) write(s *script) error {
	s.mount("private mounts", "", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	writable, shown, devices, err := m.collect(s)
	if err != nil {
		return err
	}
	temp := m.copyTemp(s)
	s.readOnly("/", nil, unix.AT_RECURSIVE)
	var inner []string // closed directories in those that are replaced
	for _, dir := range m.Closed {
		if slices.ContainsFunc(m.Replaced, func(top string) bool { return workspace.WithinOS(dir, top) }) {
			inner = append(inner, dir)
		} else {
			s.empty(dir)
		}
	}
	for _, dir := range m.Replaced {
		if slices.ContainsFunc(m.Closed, func(top string) bool { return workspace.WithinOS(dir, top) }) {
			s.makeDirectory(dir)
		}
		if temp != nil && dir == m.Replaced[0] {
			s.moveMount(temp, dir)
		} else if err := replace(s, dir, m.Size); err != nil {
			return err
		}
	}
	for _, dir := range inner {
		m.makeWay(s, dir)
		s.makeDirectory(dir)
		s.empty(dir)
	}
	makeDevices(s, devices)
	again := append(shown, writable...)
	slices.SortStableFunc(again, func(a, b detached) int { return strings.Compare(a.path, b.path) }) // what is above others first
	for _, t := range again {
		m.attach(s, t)
	}
	for _, l := range m.Links {
		m.makeWay(s, l.Path)
		s.call("symlink", l.Path, unix.SYS_SYMLINKAT, s.text(l.Target), atCWD, s.text(l.Path)).ignore(ifExists, 0)
	}
	for _, dir := range m.Closed {
		s.readOnly(dir, nil, 0) // not recursive: what is attached below stays as it is
	}
	m.protect(s)
	if err := hide(s, m.Hidden); err != nil {
		return err
	}
	// Read-only, because root in the sandbox owns what is below /proc/sys.
	s.mount("proc on", "proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "")
	return nil
}

// collect copies the mounts that will be attached again, before everything is made
// read-only.
func (m *mounts) collect(s *script) (writable, shown, devices []detached, err error) {
	for i := range m.Layers { // first, as writable directories may lie in them
		writable = append(writable, detached{path: m.Layers[i].path(), fd: m.Layers[i].write(s)})
	}
	for _, path := range m.Writable {
		t := detached{path: path}
		if m.Preview != nil && m.Preview.Lower == path {
			t.fd = m.Preview.write(s)
		} else if t, err = copyTree(s, path); err != nil {
			return nil, nil, nil, err
		}
		writable = append(writable, t)
	}
	again := func(path string, flags uintptr, to *[]detached) error {
		t, err := copyTree(s, path)
		if errors.Is(err, unix.ENOENT) {
			return nil
		}
		if err != nil {
			return err
		}
		s.readOnly(path, t.fd, flags)
		*to = append(*to, t)
		return nil
	}
	for _, path := range m.Shown {
		if err := again(path, unix.AT_RECURSIVE, &shown); err != nil {
			return nil, nil, nil, err
		}
	}
	for _, name := range [...]string{"null", "zero", "full", "random", "urandom", "tty"} {
		// A read-only device can still be written to. Only its mode, which is the
		// host's, cannot be changed.
		if err := again("/dev/"+name, 0, &devices); err != nil {
			return nil, nil, nil, err
		}
	}
	return writable, shown, devices, nil
}

// copyTree copies the mounts at a path.
func copyTree(s *script, path string) (detached, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return detached{}, fmt.Errorf("%s: %w", path, err)
	}
	_, fd := s.openTree(path)
	return detached{path, fd, st.Mode&unix.S_IFMT != unix.S_IFDIR}, nil
}

// empty covers a directory with an empty one of little room.
func (s *script) empty(dir string) {
	s.mount("tmpfs on", "tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=1m")
}

// attach attaches mounts at their path, which it creates if it lies below a directory
// that was replaced.
func (m *mounts) attach(s *script, t detached) {
	switch made := m.makeWay(s, t.path); {
	case made && t.file:
		s.makeFile(t.path, 0o666)
	case made:
		s.makeDirectory(t.path)
	}
	s.moveMount(t.fd, t.path)
}

// makeWay creates the directories that lead to a path from one that was replaced, and
// reports whether there is one.
func (m *mounts) makeWay(s *script, path string) (made bool) {
	for _, top := range slices.Concat(m.Replaced, m.Closed, []string{"/dev/shm"}) {
		if !workspace.WithinOS(path, top) || top == path {
			continue
		}
		made = true
		for i, c := range path {
			if c == '/' && i > len(top) {
				s.makeDirectory(path[:i])
			}
		}
	}
	return made
}

func (s *script) makeDirectory(path string) {
	s.call("mkdir", path, unix.SYS_MKDIRAT, atCWD, s.text(path), 0o755).ignore(ifExists, 0)
}

func (s *script) makeFile(path string, mode uintptr) {
	s.call("mknod", path, unix.SYS_MKNODAT, atCWD, s.text(path), unix.S_IFREG|mode, 0).ignore(ifExists, 0)
}

// replace covers a directory with an empty one that holds size bytes. A directory that does not exist needs
// none. What cannot be covered is an error, as it would stay open to the host.
func replace(s *script, dir string, size uint64) error {
	var st unix.Stat_t
	err := unix.Lstat(dir, &st)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err == nil && st.Mode&unix.S_IFMT != unix.S_IFDIR {
		err = unix.ENOTDIR
	}
	if err != nil {
		return fmt.Errorf("replacing %s: %w", dir, err)
	}
	s.mount("tmpfs on", "tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, fmt.Sprintf("mode=1777,size=%d,nr_inodes=200k", size))
	return nil
}

// makeDevices replaces /dev by a directory without disks, consoles and the like.
func makeDevices(s *script, devices []detached) {
	s.mount("tmpfs on", "tmpfs", "/dev", "tmpfs", unix.MS_NOSUID, "mode=755,size=64k")
	for _, d := range devices {
		s.makeFile(d.path, 0o666)
		s.moveMount(d.fd, d.path)
	}
	for _, l := range [...][2]string{
		{"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"}, {"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"},
	} {
		s.call("symlink", "/dev/"+l[1], unix.SYS_SYMLINKAT, s.text(l[0]), atCWD, s.text("/dev/"+l[1]))
	}
	s.makeDirectory("/dev/pts")
	s.makeDirectory("/dev/shm")
	s.mount("tmpfs on", "tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=1g")
	s.mount("devpts on", "devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
	s.readOnly("/dev", nil, 0) // not recursive: the mounts below stay writable
}

// protect makes mount points of directories, because a mount point cannot be renamed,
// and read-only mounts of protected paths. What has gone meanwhile needs neither.
func (m *mounts) protect(s *script) {
	for _, path := range m.Pinned {
		t, fd := s.openTree(path)
		t.ignore(ifMissing, 1)
		s.moveMount(fd, path)
	}
	for _, path := range m.Protected {
		t, fd := s.openTree(path)
		t.ignore(ifMissing, 2)
		s.readOnly(path, fd, unix.AT_RECURSIVE)
		s.moveMount(fd, path)
	}
}

// hide covers what must not be read: directories with an empty directory, files with
// an empty file, which nobody may open, and the settings of builds with settings that
// say nothing; see [known.Blank].
func hide(s *script, paths []string) error {
	const nothing = "/dev/shm/.hidden"
	var made []string
	scratch := pointer(s, new(unix.Stat_t))
	// What does not exist in the sandbox, or cannot be reached there, needs no cover.
	look := func(path string, skip int) {
		s.call("hiding", path, unix.SYS_NEWFSTATAT, atCWD, s.text(path), scratch, unix.AT_SYMLINK_NOFOLLOW).ignore(ifMissing|ifUnreachable, skip)
	}
	for _, path := range paths {
		var st unix.Stat_t
		err := unix.Lstat(path, &st)
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES) {
			continue
		}
		if err != nil {
			return fmt.Errorf("hiding %s: %w", path, err)
		}
		switch st.Mode & unix.S_IFMT {
		case unix.S_IFLNK: // its target is hidden by its own path
		case unix.S_IFDIR:
			look(path, 1)
			s.mount("hiding", "tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "mode=0,size=4k,nr_inodes=2")
		default:
			cover := nothing
			text, readable := known.BlankText(path)
			if readable {
				cover = fmt.Sprintf("/dev/shm/.blank%x", text)
			}
			if !slices.Contains(made, cover) {
				s.makeFile(cover, 0)
				if readable {
					s.fill(cover, text)
				}
				made = append(made, cover)
			}
			look(path, 3)
			_, fd := s.openTree(cover)
			s.readOnly(path, fd, 0)
			s.moveMount(fd, path)
		}
	}
	for _, cover := range made {
		s.call("hiding", cover, unix.SYS_UNLINKAT, atCWD, s.text(cover), 0)
	}
	return nil
}

// fill adds the steps that give a new file a text and let everybody read it.
func (s *script) fill(path, text string) {
	fd := new(int32)
	s.call("open", path, unix.SYS_OPENAT, atCWD, s.text(path), unix.O_WRONLY|unix.O_CLOEXEC, 0).into = fd
	s.call("write", path, unix.SYS_WRITE, 0, s.text(text), uintptr(len(text))).on(fd)
	s.call("fchmod", path, unix.SYS_FCHMOD, 0, 0o444).on(fd)
	s.call("close", path, unix.SYS_CLOSE).on(fd)
}

// pins returns, for the protected paths below the writable directories, the marked
// directories above them, which must not be renamed, and those of the paths that
// exist. Where another directory above is renamed, what takes its place is found
// afterwards.
func pins(p sandbox.Profile) (pinned, protected []string) {
	for _, path := range p.Protected {
		if !p.Inside(path) || movable(p, path) {
			continue
		}
		for _, dir := range marked(p, path) {
			if !slices.Contains(pinned, dir) && isRealDirectory(dir) {
				pinned = append(pinned, dir)
			}
		}
		if isReal(path) {
			protected = append(protected, path)
		}
	}
	// Parents first: a mount covers the mounts below it that were there before.
	slices.Sort(pinned)
	slices.Sort(protected)
	return pinned, slices.Compact(protected)
}

// isReal reports whether a path exists and leads through no symbolic link.
func isReal(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && real == path
}

func isRealDirectory(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir() && isReal(path)
}
