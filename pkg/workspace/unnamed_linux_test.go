package workspace

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
)

// TestKilledUnseenByGit kills a writer on entry to each system call that concerns the
// disk. Git sees the old file or the new one, and nothing else, before anybody cleans
// up.
func TestKilledUnseenByGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace")
	}
	if !makesUnnamed(t) {
		t.Skip("files have names from the start here")
	}
	const calls = "openat,write,fsync,renameat,renameat2,linkat,unlinkat,fchmod,fchown,flock"
	for name, want := range map[string][]string{
		"old": {"", " M old\n"},
		"new": {"", "?? new\n"},
	} {
		t.Run(name, func(t *testing.T) {
			ws, _ := workspaceDir(t)
			tree(t, ws, "old = text")
			for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"}} {
				if out, err := exec.Command(git, append([]string{"-C", ws}, args...)...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			seen := map[string]int{}
			// A writer that changed threads has fewer calls on each: only three in a
			// row that nothing killed show that there is no call left.
			for n, whole := 1, 0; whole < 3; n++ {
				tree(t, ws, "old = text")
				if err := os.Remove(filepath.Join(ws, "new")); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
				cmd := role(t, "writer", ws, name)
				cmd.Args = append([]string{strace, "-f", "-qq", "-o", os.DevNull, "-e", "trace=" + calls,
					"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", calls, n), cmd.Path}, cmd.Args[1:]...)
				cmd.Path = strace
				out, err := cmd.CombinedOutput()
				if err != nil && !killed(err) {
					t.Skipf("cannot trace: %v: %s", err, out)
				}
				status, gitErr := exec.Command(git, "-C", ws, "status", "--porcelain").CombinedOutput()
				if gitErr != nil {
					t.Fatalf("%v: %s", gitErr, status)
				}
				if s := string(status); s != want[0] && s != want[1] {
					t.Errorf("killed at call %d, git sees %q", n, s)
				}
				if err == nil {
					whole++
					continue
				}
				whole = 0
				seen[string(status)]++
			}
			if seen[want[0]] < 3 || seen[want[1]] < 1 {
				t.Errorf("git saw %v", seen)
			}
		})
	}
}

// A file that gets its name at the end has what one with a name from the start has.
func TestUnnamedLikeNamed(t *testing.T) {
	if !makesUnnamed(t) {
		t.Skip("files have names from the start here")
	}
	ws, above := workspaceDir(t)
	tree(t, ws, "d/")
	if err := os.Chmod(filepath.Join(ws, "d"), os.ModeSetgid|0o775); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(filepath.Join(ws, "d"), -1, 4321); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(ws, "d"), os.ModeSetgid|0o775); err != nil { // which the other change takes away
			t.Fatal(err)
		}
	}
	r, err := opened(ws, Options{Aside: beside(ws)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 2 { // made, then replaced
		if _, err := r.WriteFile("d/unnamed", []byte("x"), WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(ws, "d/named"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	a, err1 := os.Stat(filepath.Join(ws, "d/unnamed"))
	b, err2 := os.Stat(filepath.Join(ws, "d/named"))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	x, y := a.Sys().(*syscall.Stat_t), b.Sys().(*syscall.Stat_t)
	if x.Mode != y.Mode || x.Uid != y.Uid || x.Gid != y.Gid || x.Nlink != 1 {
		t.Errorf("%v %d:%d (%d links), want %v %d:%d", a.Mode(), x.Uid, x.Gid, x.Nlink, b.Mode(), y.Uid, y.Gid)
	}
	wantNames(t, above, "ws")
	_, err = r.WriteFile("d/unnamed", []byte("y"), WriteOptions{Create: true})
	if err == nil {
		t.Error("it was created over what is there")
	}
	wantText(t, filepath.Join(ws, "d/unnamed"), "x")
}

// Where no private directory is on the file system, the name is beside the old file
// and the next writer removes it.
func TestNoAside(t *testing.T) {
	if !makesUnnamed(t) {
		t.Skip("files have names from the start here")
	}
	for what, aside := range map[string]func() (string, error){
		"none":    nil,
		"missing": func() (string, error) { return "/nowhere", nil },
		"fails":   func() (string, error) { return "", errors.New("no state") },
		"far":     func() (string, error) { return "/proc", nil },
	} {
		t.Run(what, func(t *testing.T) {
			ws, _ := workspaceDir(t)
			tree(t, ws, "f = old")
			r, err := opened(ws, Options{Aside: aside})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var names []string
			probe := func(step string) {
				if step == "rename" {
					entries, err := os.ReadDir(ws)
					if err != nil {
						t.Error(err)
					}
					for _, e := range entries {
						names = append(names, e.Name())
					}
				}
			}
			if _, err := r.WriteFile("f", []byte("new"), WriteOptions{Probe: probe}); err != nil {
				t.Fatal(err)
			}
			if len(names) != 2 || !IsTemporary(names[0]) || !strings.HasPrefix(names[1], "f") {
				t.Errorf("before the rename there were %q", names)
			}
			wantText(t, filepath.Join(ws, "f"), "new")
			wantNames(t, ws, "f")
		})
	}
}

func init() {
	if len(os.Args) > 1 && os.Args[1] == rolePrefix+"writer" {
		runtime.LockOSThread() // strace counts the calls of each thread
	}
	roles["writer"] = func(args []string) error {
		r, err := opened(args[0], Options{Aside: beside(args[0])})
		if err != nil {
			return err
		}
		_, err = r.WriteFile(args[1], []byte("new text"), WriteOptions{})
		return err
	}
}
