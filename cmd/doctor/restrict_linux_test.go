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
	case what == "container":
		err = contain(true)
	case what == "old container":
		err = contain(false)
	}
	if err == nil {
		err = syscall.Exec(program, args, os.Environ())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
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
