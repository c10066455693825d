package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// mounts is the file system of a sandbox: the host's, read-only, with some
// directories replaced, some given back, and some taken away.
type mounts struct {
	Writable  []string `json:"writable"`  // given as they are
	Shown     []string `json:"shown"`     // given read-only, also where a directory above is replaced
	Replaced  []string `json:"replaced"`  // given as empty directories of the sandbox's own
	Pinned    []string `json:"pinned"`    // made mount points, so that they cannot be renamed
	Protected []string `json:"protected"` // below the writable ones, given read-only
	Hidden    []string `json:"hidden"`    // taken away
	Preview   *layers  `json:"preview"`
}

// layers is an overlay in the place of a writable directory.
type layers struct{ Lower, Upper, Work string }

// tree is a copy of mounts that is not attached yet.
type tree struct {
	path string
	fd   int
	file bool
}

func (m *mounts) apply() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	writable, shown, devices, err := m.collect()
	if err != nil {
		return err
	}
	readonly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &readonly); err != nil {
		return fmt.Errorf("read-only mounts: %w", err)
	}
	for _, dir := range m.Replaced {
		if err := replace(dir, "mode=1777,size=1g,nr_inodes=200k"); err != nil {
			return err
		}
	}
	if err := makeDevices(devices); err != nil {
		return err
	}
	for _, t := range append(shown, writable...) {
		if err := t.attach(); err != nil {
			return err
		}
	}
	if err := m.protect(); err != nil {
		return err
	}
	if err := hide(m.Hidden); err != nil {
		return err
	}
	// Read-only, as root in here owns what is below /proc/sys.
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("/proc: %w", err)
	}
	return nil
}

// collect copies the mounts that will be given back before they are made
// read-only.
func (m *mounts) collect() (writable, shown, devices []tree, err error) {
	for _, path := range m.Writable {
		var t tree
		if m.Preview != nil && m.Preview.Lower == path {
			t, err = m.Preview.mount()
		} else {
			t, err = copyTree(path)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		writable = append(writable, t)
	}
	readonly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	for _, path := range m.Shown {
		t, err := copyTree(path)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return nil, nil, nil, err
		}
		if err := unix.MountSetattr(t.fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &readonly); err != nil {
			return nil, nil, nil, fmt.Errorf("read-only %s: %w", path, err)
		}
		shown = append(shown, t)
	}
	for _, name := range [...]string{"null", "zero", "full", "random", "urandom", "tty"} {
		t, err := copyTree("/dev/" + name)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return nil, nil, nil, err
		}
		// A device is written to all the same; its mode, on the host, is not.
		if err := unix.MountSetattr(t.fd, "", unix.AT_EMPTY_PATH, &readonly); err != nil {
			return nil, nil, nil, fmt.Errorf("read-only %s: %w", t.path, err)
		}
		devices = append(devices, t)
	}
	return writable, shown, devices, nil
}

func copyTree(path string) (tree, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return tree{}, fmt.Errorf("%s: %w", path, err)
	}
	fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW)
	if err != nil {
		return tree{}, fmt.Errorf("open_tree %s: %w", path, err)
	}
	return tree{path, fd, st.Mode&unix.S_IFMT != unix.S_IFDIR}, nil
}

// attach puts a tree where it was, which may have been replaced by an empty
// directory meanwhile.
func (t tree) attach() error {
	defer unix.Close(t.fd)
	if err := os.MkdirAll(filepath.Dir(t.path), 0o755); err != nil {
		return err
	}
	if err := t.target(); err != nil {
		return err
	}
	if err := unix.MoveMount(t.fd, "", unix.AT_FDCWD, t.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("move_mount %s: %w", t.path, err)
	}
	return nil
}

// target makes what a mount needs to stand on, if it is not there.
func (t tree) target() error {
	var st unix.Stat_t
	if err := unix.Lstat(t.path, &st); err == nil {
		return nil
	}
	if !t.file {
		return os.Mkdir(t.path, 0o755)
	}
	fd, err := unix.Open(t.path, unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC|unix.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return unix.Close(fd)
}

// replace covers a directory with an empty one. One that is not there needs
// none; anything else that cannot be covered would stay open to the host.
func replace(dir, options string) error {
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
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("tmpfs on %s: %w", dir, err)
	}
	return nil
}

// makeDevices replaces /dev by one without disks, consoles and the like.
func makeDevices(devices []tree) error {
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID, "mode=755,size=64k"); err != nil {
		return fmt.Errorf("/dev: %w", err)
	}
	for _, d := range devices {
		if err := d.attach(); err != nil {
			return err
		}
	}
	for _, l := range [...][2]string{
		{"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"}, {"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"},
	} {
		if err := os.Symlink(l[0], "/dev/"+l[1]); err != nil {
			return err
		}
	}
	for _, dir := range [...]string{"/dev/pts", "/dev/shm"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := replace("/dev/shm", "mode=1777,size=1g"); err != nil {
		return err
	}
	if err := unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"); err != nil {
		return fmt.Errorf("/dev/pts: %w", err)
	}
	// Its own mount only: the ones below stay writable.
	readonly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/dev", 0, &readonly); err != nil {
		return fmt.Errorf("/dev: %w", err)
	}
	return nil
}

// protect makes mount points: a directory that is one cannot be renamed, and
// one of its own can be read-only.
func (m *mounts) protect() error {
	readonly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	for i, path := range append(slices.Clip(m.Pinned), m.Protected...) {
		t, err := copyTree(path)
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
			continue
		}
		if err != nil {
			return err
		}
		if i >= len(m.Pinned) {
			if err := unix.MountSetattr(t.fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &readonly); err != nil {
				return fmt.Errorf("read-only %s: %w", path, err)
			}
		}
		if err := t.attach(); err != nil {
			return err
		}
	}
	return nil
}

// hide covers what must not be read: directories with empty ones, files with a
// file, none of which may be opened.
func hide(paths []string) error {
	const blank = "/dev/shm/.hidden"
	made := false
	for _, path := range paths {
		var st unix.Stat_t
		err := unix.Lstat(path, &st)
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES) {
			continue // there is nothing to hide, or no way to it that the command would have
		}
		if err != nil {
			return fmt.Errorf("hiding %s: %w", path, err)
		}
		switch st.Mode & unix.S_IFMT {
		case unix.S_IFLNK:
			continue // what it leads to is hidden by its own path
		case unix.S_IFDIR:
			if err := unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "mode=0,size=4k,nr_inodes=2"); err != nil {
				return fmt.Errorf("hiding %s: %w", path, err)
			}
			continue
		}
		if !made {
			fd, err := unix.Open(blank, unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC|unix.O_WRONLY, 0)
			if err != nil {
				return fmt.Errorf("hiding %s: %w", path, err)
			}
			unix.Close(fd)
			made = true
		}
		t, err := copyTree(blank)
		if err != nil {
			return err
		}
		t.path = path
		if err := t.attach(); err != nil {
			return err
		}
	}
	if made {
		return os.Remove(blank)
	}
	return nil
}

// mount makes the overlay, attached nowhere. Its options go by fsconfig(2), so
// that a comma in a path is no separator.
func (l *layers) mount() (tree, error) {
	fs, err := unix.Fsopen("overlay", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return tree{}, fmt.Errorf("overlay: %w", err)
	}
	defer unix.Close(fs)
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`)
	for _, o := range [...][2]string{
		{"lowerdir", escape.Replace(l.Lower)}, {"upperdir", escape.Replace(l.Upper)}, {"workdir", escape.Replace(l.Work)},
	} {
		if err := unix.FsconfigSetString(fs, o[0], o[1]); err != nil {
			return tree{}, fmt.Errorf("overlay %s: %w", o[0], err)
		}
	}
	if err := unix.FsconfigSetFlag(fs, "userxattr"); err != nil {
		return tree{}, fmt.Errorf("overlay userxattr: %w", err)
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return tree{}, fmt.Errorf("overlay: %w", err)
	}
	fd, err := unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, 0)
	if err != nil {
		return tree{}, fmt.Errorf("overlay: %w", err)
	}
	return tree{path: l.Lower, fd: fd}, nil
}
