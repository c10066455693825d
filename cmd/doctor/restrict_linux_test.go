package doctor_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// restrict is a program that takes something away from its process and executes another
// program: restrict WHAT PROGRAM ARGS…
func restrict() {
	runtime.LockOSThread() // the filter belongs to the thread
	what, program, args := os.Args[1], os.Args[2], os.Args[2:]
	var err error
	switch dir, readOnly := strings.CutPrefix(what, "read-only="); {
	case readOnly:
		err = errors.Join(
			unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""), unix.Mount(dir, dir, "", unix.MS_BIND, ""),
			unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""))
	case what == "setting": // it counts for the user namespaces below this one alone
		err = os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0)
	case what == "filter":
		err = withoutNamespaces()
	}
	if err == nil {
		err = syscall.Exec(program, args, os.Environ())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// withoutNamespaces puts the thread under a filter that refuses user namespaces, as those of
// containers do.
func withoutNamespaces() error {
	const number, flags = 0, 16 // offsets in struct seccomp_data
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	answer := func(with uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: with}
	}
	same := func(as uint32, then, otherwise uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: as, Jt: then, Jf: otherwise}
	}
	filter := []unix.SockFilter{
		load(number),
		same(unix.SYS_UNSHARE, 5, 0),
		same(unix.SYS_CLONE3, 5, 0),
		same(unix.SYS_CLONE, 0, 2),
		load(flags),
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: unix.CLONE_NEWUSER, Jt: 1, Jf: 0},
		answer(unix.SECCOMP_RET_ALLOW),
		answer(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)),
		answer(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)), // then callers use clone
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}

// scene is a home, a workspace and programs of a user's own.
type scene struct {
	dir      string
	home     string
	work     string
	ordinary bool // a user who is not root
}

const nobody = 65534

// asUsers runs a test as whoever runs the tests and, if that is root, as an ordinary user
// too.
func asUsers(t *testing.T, test func(*testing.T, *scene)) {
	t.Run("self", func(t *testing.T) { test(t, newScene(t, false)) })
	if os.Geteuid() == 0 {
		t.Run("ordinary", func(t *testing.T) { test(t, newScene(t, true)) })
	}
}

func newScene(t *testing.T, ordinary bool) *scene {
	t.Helper()
	// The directories of a test are closed to other users.
	dir, err := os.MkdirTemp(filepath.Dir(os.TempDir()), "helve-scene-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &scene{dir: dir, home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work"), ordinary: ordinary || os.Geteuid() != 0}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, one := range []string{s.home, s.work, filepath.Join(dir, "tmp")} {
		if err := os.Mkdir(one, 0o700); err != nil {
			t.Fatal(err)
		}
		if ordinary {
			if err := os.Chown(one, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	helve, err := cmdtest.Program()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{"helve": helve, "restrict": self} {
		if os.Link(from, filepath.Join(dir, name)) == nil {
			continue
		}
		data, err := os.ReadFile(from) // on another file system
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// helve returns a command as the user of the scene types it, restricted; what is "" for no
// restriction.
func (s *scene) helve(what string, args ...string) *exec.Cmd {
	argv := append([]string{filepath.Join(s.dir, "helve")}, args...)
	if what != "" {
		argv = append([]string{filepath.Join(s.dir, "restrict"), what}, argv...)
	}
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir = s.work
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "TMPDIR=" + filepath.Join(s.dir, "tmp")}
	c.SysProcAttr = &syscall.SysProcAttr{}
	if os.Geteuid() == 0 && s.ordinary {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return c
}

// inNamespaces starts a command in a user namespace of its own, where it is root.
func inNamespaces(c *exec.Cmd, others uintptr) {
	c.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | others
	c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
	c.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
}
