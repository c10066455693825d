//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// targetOf opens what a call would change.
func targetOf(t *testing.T, name string) *target {
	t.Helper()
	fd, err := unix.Open(name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	f := &target{fd: fd, name: fmt.Sprintf("/proc/self/fd/%d", fd)}
	if err := unix.Fstat(fd, &f.st); err != nil {
		t.Fatal(err)
	}
	return f
}

// self is this process as a caller, which owns its files, and another is one that does
// not.
func self() (own, another *caller) {
	own = &caller{pid: uint32(os.Getpid()), uid: os.Geteuid(), groups: []int{os.Getegid()}}
	other := *own
	other.uid++
	return own, &other
}

// TestOwners has what only the owner of a file may change, and what of that a command
// may not change even of its own files.
func TestOwners(t *testing.T) {
	own, another := self()
	dir := t.TempDir()
	lay(t, dir, "f=x", "666:shared=x", "l->f", "d/")
	const same = uint64(^uint32(0))
	uid, gid := uint64(os.Geteuid()), uint64(os.Getegid())
	times, now := [2]unix.Timespec{{Sec: 1}, {Sec: 2}}, [2]unix.Timespec{{Nsec: 1<<30 - 1}, {Nsec: 1<<30 - 1}}
	half := [2]unix.Timespec{{Nsec: 1<<30 - 1}, {Sec: 2}}
	touch := func(at *[2]unix.Timespec) func(*caller, *target) error {
		return func(c *caller, f *target) error { return c.touch(f, at) }
	}
	for _, c := range []struct {
		what   string
		name   string
		change func(*caller, *target) error
		own    error // for the owner
		other  error // for another
	}{
		{"a mode", "f", chmod(0o640), nil, unix.EPERM},
		{"the mode of a link", "l", chmod(0o640), unix.EOPNOTSUPP, unix.EPERM},
		{"setuid", "f", chmod(0o4755), unix.EPERM, unix.EPERM},
		{"setgid", "f", chmod(0o2755), unix.EPERM, unix.EPERM},
		{"setgid of a directory", "d", chmod(0o2755), nil, unix.EPERM},
		{"sticky", "f", chmod(0o1755), nil, unix.EPERM},
		{"no owner and no group", "f", chown(same, same), nil, nil},
		{"the owner it has", "f", chown(uid, same), nil, unix.EPERM},
		{"the group it has", "f", chown(same, gid), nil, unix.EPERM},
		{"both", "f", chown(uid, gid), nil, unix.EPERM},
		{"another owner", "f", chown(uid+1, same), unix.EPERM, unix.EPERM},
		{"another owner and the group", "f", chown(uid+1, gid), unix.EPERM, unix.EPERM},
		{"a group of others", "f", chown(same, gid+1), unix.EPERM, unix.EPERM},
		{"now", "f", touch(nil), nil, unix.EPERM},
		{"now, twice", "f", touch(&now), nil, unix.EPERM},
		{"times", "f", touch(&times), nil, unix.EPERM},
		{"now, of what all may write", "shared", touch(nil), nil, nil},
		{"times of what all may write", "shared", touch(&times), nil, unix.EPERM},
		{"one time of what all may write", "shared", touch(&half), nil, unix.EPERM},
		{"times of a link", "l", touch(&times), nil, unix.EPERM},
	} {
		for who, want := range map[*caller]error{own: c.own, another: c.other} {
			if err := c.change(who, targetOf(t, filepath.Join(dir, c.name))); !errors.Is(err, want) {
				t.Errorf("%s (owner: %t): %v, want %v", c.what, who == own, err, want)
			}
		}
	}
	// Times of a link are the link's.
	var file, link unix.Stat_t
	if err := errors.Join(unix.Lstat(filepath.Join(dir, "f"), &file), unix.Lstat(filepath.Join(dir, "l"), &link)); err != nil {
		t.Fatal(err)
	}
	if link.Mtim.Sec != 2 || file.Mtim.Sec != 2 || link.Atim.Sec != 1 {
		t.Errorf("the times are %+v and %+v", file.Mtim, link.Mtim)
	}
}

// TestCallerMemory reads what a call points to, up to the end of what is mapped.
func TestCallerMemory(t *testing.T) {
	own, _ := self()
	page := os.Getpagesize()
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(int64(2 * page)); err != nil {
		t.Fatal(err)
	}
	memory, err := unix.Mmap(int(f.Fd()), 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE) // of the third page, there is nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(memory) }) // the process ends soon
	at := uint64(uintptr(unsafe.Pointer(&memory[0])))
	put := func(offset int, text string) uint64 {
		clear(memory[:2*page])
		copy(memory[offset:], text)
		return at + uint64(offset)
	}
	for _, c := range []struct {
		offset int
		text   string
		most   int
		err    error
	}{
		{0, "", 10, nil},
		{0, "/a/b\x00rest", 10, nil},
		{page - 3, "/a/b/c\x00", 10, nil}, // on two pages
		{2*page - 5, "/a/b\x00", 10, nil},
		{0, "0123456789\x00", 10, nil},
		{0, "0123456789a\x00", 10, unix.ENAMETOOLONG},
		{0, strings.Repeat("x", page) + "\x00", page - 1, unix.ENAMETOOLONG},
		{0, strings.Repeat("x", page) + "\x00", page, nil},
		{2*page - 4, "/a/b", 10, unix.EFAULT}, // it does not end
	} {
		got, err := own.text(put(c.offset, c.text), c.most)
		want, _, _ := strings.Cut(c.text, "\x00")
		if !errors.Is(err, c.err) || err == nil && got != want {
			t.Errorf("%.20q at %d: %.20q, %v", c.text, c.offset, got, err)
		}
	}
	from := put(2*page-4, "abcd")
	if data, err := own.bytes(from, 4); err != nil || string(data) != "abcd" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := own.bytes(from, 5); !errors.Is(err, unix.EFAULT) {
		t.Error(err)
	}
}

// TestAttributeNames has the extended attributes that a command may set.
func TestAttributeNames(t *testing.T) {
	own, another := self()
	dir := t.TempDir()
	lay(t, dir, "f=x", "l->f")
	for name, want := range map[string]error{
		"user.k": nil, "system.posix_acl_access": nil, "security.capability": unix.EPERM, "trusted.x": unix.EPERM, "user" + strings.Repeat("x", 300): unix.ENAMETOOLONG,
	} {
		key := append([]byte(name), 0)
		at := uint64(uintptr(unsafe.Pointer(&key[0])))
		got, err := own.attributeName(targetOf(t, filepath.Join(dir, "f")), at)
		if !errors.Is(err, want) || err == nil && got != name {
			t.Errorf("%.30s: %q, %v", name, got, err)
		}
		if _, err := another.attributeName(targetOf(t, filepath.Join(dir, "f")), at); err == nil {
			t.Errorf("%.30s of a file of another", name)
		}
		if _, err := own.attributeName(targetOf(t, filepath.Join(dir, "l")), at); err == nil {
			t.Errorf("%.30s of a link", name)
		}
		runtime.KeepAlive(key)
	}
}

// TestOwnDescriptors rewrites paths to the caller's descriptors, and no other.
func TestOwnDescriptors(t *testing.T) {
	c := &caller{pid: 7}
	for path, want := range map[string]string{
		"/dev/fd/3": "/proc/7/fd/3", "/dev//fd/./3": "/proc/7/fd/3", "/proc/self/fd/3/x": "/proc/7/fd/3/x", "/proc/thread-self/fd/3": "/proc/7/fd/3",
		"/proc/self/fd": "/proc/self/fd", "/proc/self/mem": "/proc/self/mem", "/proc/selfish/fd/3": "/proc/selfish/fd/3", "a//b": "a//b", "/dev/fdx/3": "/dev/fdx/3",
	} {
		if got := c.own(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestBrokerPlaces has where metadata may be changed for a profile.
func TestBrokerPlaces(t *testing.T) {
	for _, c := range []struct {
		profile sandbox.Profile
		paths   map[string]bool
	}{
		{sandbox.Profile{Filesystem: sandbox.Workspace, Workspace: "/ws", Writable: []string{"/more"}, Temp: "/temp", Protected: []string{"/ws/.git/config"}}, map[string]bool{
			"/ws": true, "/ws/a": true, "/more/a": true, "/temp/a": true, "/dev/shm/a": true, "/dev/pts/0": true,
			"/ws/.git/config": false, "/ws/.git/HEAD": true, "/wsx": false, "/etc/passwd": false, "/dev/null": false, "/": false,
		}},
		{sandbox.Profile{Filesystem: sandbox.ReadOnly, Workspace: "/ws", Temp: "/temp"}, map[string]bool{"/ws/a": false, "/temp/a": true, "/dev/shm/a": false, "/dev/pts/0": true}},
		{sandbox.Profile{Filesystem: sandbox.ReadOnly, Workspace: "/ws"}, map[string]bool{"/ws/a": false, "/temp/a": false, "/": false, "a": false}},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
		fd, err := unix.FcntlInt(r.Fd(), unix.F_DUPFD_CLOEXEC, 0) // the broker closes it
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		b, err := newBroker(fd, c.profile)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range c.paths {
			if b.allows(path) != want {
				t.Errorf("%s %+v: %t", path, c.profile, !want)
			}
		}
		close(b.done)
		b.close()
	}
}

// TestMetadataCalls reads the arguments of system calls.
func TestMetadataCalls(t *testing.T) {
	const dir, path, noFollow, empty = 5, 1000, unix.AT_SYMLINK_NOFOLLOW, unix.AT_EMPTY_PATH
	cwd := int32(unix.AT_FDCWD)
	for _, c := range []struct {
		number uintptr
		args   [6]uint64
		want   metadata
	}{
		{unix.SYS_FCHMOD, [6]uint64{dir, 0o600}, metadata{dir: dir, byFD: true}},
		{unix.SYS_FCHMODAT, [6]uint64{dir, path, 0o600, noFollow}, metadata{dir: dir, path: path}}, // it has no flags
		{unix.SYS_FCHMODAT2, [6]uint64{dir, path, 0o600, noFollow}, metadata{dir: dir, path: path, noFollow: true}},
		{unix.SYS_FCHMODAT2, [6]uint64{dir, path, 0o600, empty}, metadata{dir: dir, path: path, empty: true}},
		{unix.SYS_FCHMODAT2, [6]uint64{dir, path, 0o600, 0}, metadata{dir: dir, path: path}},
		{unix.SYS_FCHOWN, [6]uint64{dir}, metadata{dir: dir, byFD: true}},
		{unix.SYS_FCHOWNAT, [6]uint64{dir, path, 0, 0, noFollow | empty}, metadata{dir: dir, path: path, noFollow: true, empty: true}},
		{unix.SYS_UTIMENSAT, [6]uint64{dir, path, 0, noFollow}, metadata{dir: dir, path: path, noFollow: true}},
		{unix.SYS_UTIMENSAT, [6]uint64{dir, 0, 0, 0}, metadata{dir: dir, byFD: true}},
		{unix.SYS_SETXATTR, [6]uint64{path}, metadata{dir: cwd, path: path}},
		{unix.SYS_LSETXATTR, [6]uint64{path}, metadata{dir: cwd, path: path, noFollow: true}},
		{unix.SYS_FSETXATTR, [6]uint64{dir}, metadata{dir: dir, byFD: true}},
		{unix.SYS_REMOVEXATTR, [6]uint64{path}, metadata{dir: cwd, path: path}},
		{unix.SYS_LREMOVEXATTR, [6]uint64{path}, metadata{dir: cwd, path: path, noFollow: true}},
		{unix.SYS_FREMOVEXATTR, [6]uint64{dir}, metadata{dir: dir, byFD: true}},
	} {
		got, ok := metadataCall(&notification{number: int32(c.number), args: c.args})
		if !ok || got.change == nil {
			t.Errorf("%d is not a call that the broker makes", c.number)
		}
		got.change = nil
		if got.dir != c.want.dir || got.path != c.want.path || got.byFD != c.want.byFD || got.noFollow != c.want.noFollow || got.empty != c.want.empty {
			t.Errorf("%d with %v: %+v, want %+v", c.number, c.args, got, c.want)
		}
	}
	if _, ok := metadataCall(&notification{number: unix.SYS_READ}); ok {
		t.Error("the broker reads")
	}
}
