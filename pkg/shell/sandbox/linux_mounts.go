//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/workspace"
)

// mounts is the file system of a sandbox: the host's, read-only, with some
// directories replaced, some given back, and some taken away.
type mounts struct {
	Writable  []string // given as they are
	Shown     []string // given read-only, also where a directory above is replaced
	Replaced  []string // given as empty directories of the sandbox's own
	Pinned    []string // made mount points, so that they cannot be renamed
	Protected []string // below the writable ones, given read-only
	Hidden    []string // taken away
	Preview   *layers
}

// layers is an overlay in the place of a writable directory.
type layers struct{ Lower, Upper, Work string }

// tree is a copy of mounts that is not attached yet.
type tree struct {
	path string
	fd   *int32
	file bool
}

// write adds the steps that make a new mount namespace what it is to be.
func (m *mounts) write(s *script) error {
	s.mount("private mounts", "", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	writable, shown, devices, err := m.collect(s)
	if err != nil {
		return err
	}
	s.readOnly("/", nil, unix.AT_RECURSIVE)
	for _, dir := range m.Replaced {
		if err := replace(s, dir); err != nil {
			return err
		}
	}
	makeDevices(s, devices)
	for _, t := range append(shown, writable...) {
		m.attach(s, t)
	}
	m.protect(s)
	if err := hide(s, m.Hidden); err != nil {
		return err
	}
	// Read-only, as root in here owns what is below /proc/sys.
	s.mount("proc on", "proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "")
	return nil
}

// collect copies the mounts that will be given back before they are made
// read-only.
func (m *mounts) collect(s *script) (writable, shown, devices []tree, err error) {
	for _, path := range m.Writable {
		t := tree{path: path}
		if m.Preview != nil && m.Preview.Lower == path {
			t.fd = m.Preview.write(s)
		} else if t, err = copyTree(s, path); err != nil {
			return nil, nil, nil, err
		}
		writable = append(writable, t)
	}
	again := func(path string, flags uintptr, to *[]tree) error {
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
		// A device is written to all the same; its mode, on the host, is not.
		if err := again("/dev/"+name, 0, &devices); err != nil {
			return nil, nil, nil, err
		}
	}
	return writable, shown, devices, nil
}

func copyTree(s *script, path string) (tree, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return tree{}, fmt.Errorf("%s: %w", path, err)
	}
	_, fd := s.openTree(path)
	return tree{path, fd, st.Mode&unix.S_IFMT != unix.S_IFDIR}, nil
}

// attach puts a tree where it was, or where it would be in a directory that was
// replaced by an empty one.
func (m *mounts) attach(s *script, t tree) {
	for _, top := range append(slices.Clip(m.Replaced), "/dev/shm") {
		if !workspace.WithinOS(t.path, top) || top == t.path {
			continue
		}
		for i, c := range t.path {
			if c == '/' && i > len(top) {
				s.makeDirectory(t.path[:i])
			}
		}
		if t.file {
			s.makeFile(t.path, 0o666)
		} else {
			s.makeDirectory(t.path)
		}
	}
	s.moveMount(t.fd, t.path)
}

func (s *script) makeDirectory(path string) {
	s.call("mkdir", path, unix.SYS_MKDIRAT, here, s.text(path), 0o755).forgive(ifThere, 0)
}

func (s *script) makeFile(path string, mode uintptr) {
	s.call("mknod", path, unix.SYS_MKNODAT, here, s.text(path), unix.S_IFREG|mode, 0).forgive(ifThere, 0)
}

// replace covers a directory with an empty one. One that is not there needs
// none; anything else that cannot be covered would stay open to the host.
func replace(s *script, dir string) error {
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
	s.mount("tmpfs on", "tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=1g,nr_inodes=200k")
	return nil
}

// makeDevices replaces /dev by one without disks, consoles and the like.
func makeDevices(s *script, devices []tree) {
	s.mount("tmpfs on", "tmpfs", "/dev", "tmpfs", unix.MS_NOSUID, "mode=755,size=64k")
	for _, d := range devices {
		s.makeFile(d.path, 0o666)
		s.moveMount(d.fd, d.path)
	}
	for _, l := range [...][2]string{
		{"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"}, {"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"},
	} {
		s.call("symlink", "/dev/"+l[1], unix.SYS_SYMLINKAT, s.text(l[0]), here, s.text("/dev/"+l[1]))
	}
	s.makeDirectory("/dev/pts")
	s.makeDirectory("/dev/shm")
	s.mount("tmpfs on", "tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=1g")
	s.mount("devpts on", "devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
	s.readOnly("/dev", nil, 0) // its own mount only: the ones below stay writable
}

// protect makes mount points: a directory that is one cannot be renamed, and
// one of its own can be read-only. What went away meanwhile needs neither.
func (m *mounts) protect(s *script) {
	for _, path := range m.Pinned {
		t, fd := s.openTree(path)
		t.forgive(ifMissing, 1)
		s.moveMount(fd, path)
	}
	for _, path := range m.Protected {
		t, fd := s.openTree(path)
		t.forgive(ifMissing, 2)
		s.readOnly(path, fd, unix.AT_RECURSIVE)
		s.moveMount(fd, path)
	}
}

// hide covers what must not be read: directories with empty ones, files with a
// file, none of which may be opened.
func hide(s *script, paths []string) error {
	const blank = "/dev/shm/.hidden"
	made := false
	scratch := pointer(s, new(unix.Stat_t))
	// What is not there in the sandbox needs no hiding, nor does what it has no way to.
	look := func(path string, skip int) {
		s.call("hiding", path, unix.SYS_NEWFSTATAT, here, s.text(path), scratch, unix.AT_SYMLINK_NOFOLLOW).forgive(ifMissing|ifClosed, skip)
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
		case unix.S_IFLNK: // what it leads to is hidden by its own path
		case unix.S_IFDIR:
			look(path, 1)
			s.mount("hiding", "tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "mode=0,size=4k,nr_inodes=2")
		default:
			if !made {
				s.makeFile(blank, 0)
				made = true
			}
			look(path, 2)
			_, fd := s.openTree(blank)
			s.moveMount(fd, path)
		}
	}
	if made {
		s.call("hiding", blank, unix.SYS_UNLINKAT, here, s.text(blank), 0)
	}
	return nil
}

// write adds the steps that make the overlay, attached nowhere. Its options go by
// fsconfig(2), so that a comma in a path is no separator.
func (l *layers) write(s *script) (fd *int32) {
	fs, fd := new(int32), new(int32)
	s.call("overlay", "", unix.SYS_FSOPEN, s.text("overlay"), unix.FSOPEN_CLOEXEC).into = fs
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`)
	for _, o := range [...][2]string{{"lowerdir", l.Lower}, {"upperdir", l.Upper}, {"workdir", l.Work}} {
		s.call("overlay", o[1], unix.SYS_FSCONFIG, 0, unix.FSCONFIG_SET_STRING, s.text(o[0]), s.text(escape.Replace(o[1]))).given(fs)
	}
	s.call("overlay userxattr", "", unix.SYS_FSCONFIG, 0, unix.FSCONFIG_SET_FLAG, s.text("userxattr")).given(fs)
	s.call("overlay", l.Lower, unix.SYS_FSCONFIG, 0, unix.FSCONFIG_CMD_CREATE).given(fs)
	s.call("overlay", l.Lower, unix.SYS_FSMOUNT, 0, unix.FSMOUNT_CLOEXEC).given(fs).into = fd
	return fd
}
