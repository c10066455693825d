package messages_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// place is a workspace whose state directory cannot be written.
type place struct {
	dir   string
	start func(*exec.Cmd) *exec.Cmd // as the user of the place
	reads bool                      // what is there can be read
}

// Where the state directory cannot be written, nothing that others must find is stored
// anywhere, and no command says that it was.
func TestStoreNeverMoves(t *testing.T) {
	t.Parallel()
	writes := map[string][]string{
		"message":     {"message", "--channel", "c", "--to", "1", "--content", "hello"},
		"recv":        {"messages", "recv", "--consumer", "x"},
		"cron add":    {"cron", "add", "--message", "hello", "--in", "1h"},
		"cron remove": {"cron", "remove", "kept"},
		"cron run":    {"cron", "run"},
		"spawn":       {"spawn", "--task", "hello"},
	}
	reads := map[string][]string{
		"cron list":  {"cron", "list"},
		"tail":       {"messages", "tail"},
		"spawn list": {"spawn", "list"},
		"check":      {"store", "check"},
	}
	for name, make := range map[string]func(*testing.T) place{
		"read-only mount": readOnlyMount, "another user": anotherUser, "a file above": fileAbove, "no home": homeless,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := make(t)
			scratch := t.TempDir()
			open(t, scratch)
			cmdtest.Setenv(p.dir, "TMPDIR="+scratch, "OPENAI_BASE_URL=http://127.0.0.1:9", "OPENAI_MODEL=m", "OPENAI_API_KEY=k")
			call := func(args []string) (cmdtest.Answer, int) {
				c := p.start(cmdtest.Person(t, p.dir, args...))
				var lines strings.Builder // a scheduler says that it begins
				c.Stderr = &lines
				out, _ := c.Output()
				return cmdtest.Read(t, out), c.ProcessState.ExitCode()
			}
			for name, args := range writes {
				if a, exit := call(args); a.OK || exit == 0 || a.Error.Hint == "" || a.Error.Code != "io_error" && a.Error.Code != "permission_denied" {
					t.Errorf("%s: exit %d, %+v", name, exit, a)
				}
			}
			if a, exit := call([]string{"memory", "off"}); a.OK || exit == 0 {
				t.Errorf("memory: %+v", a)
			}
			for name, args := range reads {
				if a, _ := call(args); a.OK != p.reads {
					t.Errorf("%s: %+v", name, a)
				}
			}
			if a, _ := call(reads["cron list"]); p.reads && len(a.Data["jobs"].([]any)) != 1 {
				t.Errorf("the jobs that are there: %+v", a)
			}
			if a, _ := call([]string{"write", "--path", "a.txt", "--content", "hello"}); !a.OK {
				t.Errorf("a file of the workspace: %+v", a)
			}
			if err := filepath.WalkDir(scratch, func(path string, _ fs.DirEntry, err error) error {
				if filepath.Base(path) == "store.bolt" {
					t.Errorf("a store in %s", path)
				}
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
}

// furnished returns a workspace with a job, below directories that others may enter.
func furnished(t *testing.T) (dir, home string) {
	t.Helper()
	dir = cmdtest.Workspace(t)
	open(t, dir)
	home = cmdtest.HomeOf(dir)
	open(t, home)
	return dir, home
}

func addJob(t *testing.T, dir string) {
	t.Helper()
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "cron", "add", "--message", "hello", "--in", "1h", "--name", "kept")); !a.OK {
		t.Fatalf("%+v", a)
	}
}

// open lets all users write to a directory, and enter those above it that the test made.
func open(t *testing.T, dir string) {
	t.Helper()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for up := filepath.Dir(dir); len(up) >= len(os.TempDir()); up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func self(c *exec.Cmd) *exec.Cmd { return c }

func readOnlyMount(t *testing.T) place {
	dir, home := furnished(t)
	if err := unix.Mount("tmpfs", home, "tmpfs", 0, "size=4m,mode=755"); err != nil {
		t.Skipf("no file system to make read-only: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(home, unix.MNT_DETACH) })
	addJob(t, dir)
	if err := unix.Mount("", home, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	return place{dir, self, true}
}

// asStranger runs a command as a user that is nobody's.
func asStranger(t *testing.T) func(*exec.Cmd) *exec.Cmd {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be two users")
	}
	// The binary lies where only root can go; its open file can be run.
	file, err := cmdtest.Program()
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = exe.Close() })
	return func(c *exec.Cmd) *exec.Cmd {
		c.Path, c.ExtraFiles = "/proc/self/fd/3", []*os.File{exe}
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 54321, Gid: 54321}}
		return c
	}
}

func anotherUser(t *testing.T) place {
	dir, home := furnished(t)
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	addJob(t, dir)
	return place{dir, asStranger(t), false}
}

func fileAbove(t *testing.T) place {
	dir, home := furnished(t)
	cmdtest.Put(t, home, "state", "")
	if err := os.Mkdir(filepath.Join(home, "config.json.lock"), 0o700); err != nil { // and no settings
		t.Fatal(err)
	}
	return place{dir, self, false}
}

// homeless is a user of whom the system knows no home.
func homeless(t *testing.T) place {
	dir, _ := furnished(t)
	become := asStranger(t)
	return place{dir, func(c *exec.Cmd) *exec.Cmd {
		kept := []string{}
		for _, variable := range c.Env {
			if name, _, _ := strings.Cut(variable, "="); name != "HOME" && name != "HELVE_HOME" && !strings.HasPrefix(name, "XDG_") {
				kept = append(kept, variable)
			}
		}
		c.Env = kept
		return become(c)
	}, false}
}
