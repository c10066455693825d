//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// watchNames watches the names that appear in a tree and directories that appear in it, and
// returns a function that stops and returns them all.
func watchNames(t *testing.T, top string) func() map[string]bool {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "inotify")
	dirs, seen, done := map[int32]string{}, map[string]bool{}, make(chan bool)
	var add func(dir string)
	add = func(dir string) {
		if n, err := unix.InotifyAddWatch(fd, dir, unix.IN_CREATE|unix.IN_MOVED_TO|unix.IN_ONLYDIR|unix.IN_DONT_FOLLOW); err == nil {
			dirs[int32(n)] = dir
		}
		entries, _ := os.ReadDir(dir) // what is gone again has no entries
		for _, e := range entries {
			seen[filepath.Join(dir, e.Name())] = true
			if e.IsDir() {
				add(filepath.Join(dir, e.Name()))
			}
		}
	}
	add(top)
	go func() {
		defer close(done)
		buf := make([]byte, 1<<20)
		for {
			n, err := f.Read(buf)
			if err != nil {
				return
			}
			for rest := buf[:n]; len(rest) >= unix.SizeofInotifyEvent; {
				e := (*unix.InotifyEvent)(unsafe.Pointer(&rest[0]))
				size := unix.SizeofInotifyEvent + int(e.Len)
				name := filepath.Join(dirs[e.Wd], unix.ByteSliceToString(rest[unix.SizeofInotifyEvent:size]))
				seen[name] = true
				if e.Mask&unix.IN_ISDIR != 0 {
					add(name)
				}
				rest = rest[size:]
			}
		}
	}()
	return func() map[string]bool {
		_ = f.Close()
		<-done
		return seen
	}
}

// copySelf copies this program to where a command can execute it.
func copySelf(t testing.TB, dir string) string {
	t.Helper()
	program := filepath.Join(dir, "program")
	if out, err := exec.Command("cp", fmt.Sprintf("/proc/%d/exe", os.Getpid()), program).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	return program
}

// TestBorn has nothing come into being that others obey, at any moment, and the record of
// the call names what lies aside.
func TestBorn(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := newProfile(t)
			write(t, filepath.Join(p.Workspace, ".git/config"), "[core]\n\thooksPath = to/hooks\n")
			p = surveyed(p)
			program := copySelf(t, p.Workspace)
			stop := watchNames(t, p.Workspace)
			o := run(t, kind, p, program, "__plant")
			born := stop()
			if o.ExitCode != 0 {
				t.Fatalf("%+v %s", o.State, o.out)
			}
			for name := range born {
				info, err := os.Lstat(name)
				if class, _ := workspace.Obeyed(strings.TrimPrefix(name, p.Workspace)); class == workspace.Asked && !strings.Contains(name, workspace.RefusedMark) &&
					!(err == nil && info.IsDir()) && !strings.Contains(name, "node_modules") && !slices.Contains([]string{".vscode", ".github"}, filepath.Base(name)) {
					t.Errorf("%s was there for a moment", name)
				}
			}
			left(t, p.Workspace)
			restored, err := o.sb.Restored()
			if err != nil {
				t.Fatal(err)
			}
			moved, err := o.sb.Planted()
			if err != nil {
				t.Fatal(err)
			}
			left(t, p.Workspace)
			t.Logf("%s%d restored, %d moved", o.out, len(restored), len(moved))
			for _, m := range moved {
				if !exists(m.To) {
					t.Errorf("%+v is not there", m)
				}
			}
		})
	}
}

// TestBornInContainers is [TestBorn] where what containers refuse is refused.
func TestBornInContainers(t *testing.T) {
	out, err := exec.Command("/proc/self/exe", "__refuse", "containers", "sandbox.test", "-test.run=^TestBorn$", "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestBorn/landlock") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestBornWithoutLeases is [TestBorn], and ordinary work with git, on a file system that
// knows no leases.
func TestBornWithoutLeases(t *testing.T) {
	out, err := exec.Command("/proc/self/exe", "__refuse", "leases", "sandbox.test", "-test.run=^(TestBorn|TestGitBirths)$", "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestBorn/landlock") || !strings.Contains(string(out), "--- PASS: TestGitBirths") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestRunAtOnce runs programs that have just been made. One that is open for writing
// anywhere, also in this process, cannot be executed.
func TestRunAtOnce(t *testing.T) {
	const script = `for i in {1..200}; do cp "$(type -P true)" program && ./program || exit 1; done`
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			bash, err := exec.LookPath("bash")
			if err != nil {
				t.Skip("no bash")
			}
			if got := run(t, kind, surveyed(newProfile(t)), bash, "-c", script); got.ExitCode != 0 {
				t.Errorf("exit %d\n%s", got.ExitCode, got.out)
			}
		})
	}
}

// left reports what is left of the plants.
func left(t *testing.T, top string) {
	t.Helper()
	if text := read(t, filepath.Join(top, ".git/config")); !strings.Contains(text, "hooksPath") {
		t.Errorf("the settings are %q", text)
	}
	_ = filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type() == fs.ModeSymlink && (name == filepath.Join(top, "to") || workspace.Leads(strings.TrimPrefix(name, top+"/"))) {
			t.Errorf("%s is a link", name)
		}
		if err != nil || e.IsDir() || strings.Contains(name, workspace.RefusedMark) || strings.Contains(name, "node_modules") {
			return nil //nolint:nilerr // what cannot be read obeys nobody
		}
		data, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(data), "evil") || filepath.Base(name) == "program" {
			return nil //nolint:nilerr // nor can this
		}
		rel := strings.TrimPrefix(name, top+"/")
		class, _ := workspace.Standing(rel)
		if class == workspace.Asked || gitRuns(name) != "" || class == workspace.Refused && filepath.Base(name) == "config" || strings.HasPrefix(rel, "to/hooks/") {
			t.Errorf("%s is there", rel)
		}
		return nil
	})
}

// race is one of two commands: one makes a file in a directory again and again, the other
// gives that directory a name by which others obey what is in it.
func race(role string) int {
	const name = "d/tasks.json"
	for range 1500 {
		if role == "make" {
			if fd, err := unix.Open(name, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY, 0o644); err == nil {
				unix.Close(fd)
				_ = unix.Unlink(name) // it may have moved
			}
			continue
		}
		_ = unix.Mkdir("d", 0o755) // it may be there
		if unix.Rename("d", ".vscode") != nil {
			_ = unix.Unlink(name)
			continue
		}
		for range 20 {
			if unix.Access(".vscode/tasks.json", unix.F_OK) == nil {
				return 3
			}
		}
		_ = unix.Rmdir(".vscode")
	}
	return 0
}

// TestBornTogether has two commands at the same time, of which neither alone makes what
// others obey.
func TestBornTogether(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := surveyed(newProfile(t))
			p.Lock = t.TempDir()
			program := copySelf(t, p.Workspace)
			ended := make(chan int)
			for _, role := range []string{"make", "move"} {
				go func() {
					status := -1
					defer func() { ended <- status }()
					status = run(t, kind, p, program, "__race", role).ExitCode
				}()
			}
			if first, second := <-ended, <-ended; first != 0 || second != 0 {
				t.Errorf("%d, %d", first, second)
			}
		})
	}
}

// TestBornMounts tries to move what is mounted in the namespaces of the command, which the
// kernel does not keep in its place for a process outside: hidden files would be read under
// another name, and protected ones be gone.
func TestBornMounts(t *testing.T) {
	if !slices.Contains(kinds(t), sandbox.Namespaces) {
		t.Skip("no namespaces here")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	p := newProfile(t)
	for _, name := range []string{"secret.pem", "deep/secret.pem", "repo/config"} {
		if err := put(filepath.Join(p.Workspace, name), "hidden word"); err != nil {
			t.Fatal(err)
		}
		p.Secrets = append(p.Secrets, filepath.Join(p.Workspace, name))
	}
	for _, name := range []string{".config/helve/config.json", ".vscode/tasks.json"} {
		if err := put(filepath.Join(p.Workspace, name), "{}"); err != nil {
			t.Fatal(err)
		}
	}
	p = surveyed(p)
	p.Protected = append(p.Protected, filepath.Join(p.Workspace, ".config/helve"))
	o := run(t, sandbox.Namespaces, p, python, "-c", `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def swap(a, b): return libc.renameat2(-100, a.encode(), -100, b.encode(), 2)
def attempt(f, *a):
    try: print(f.__name__, a, f(*a))
    except OSError as e: print(f.__name__, a, e.errno)
for name in ["secret.pem", "deep/secret.pem", ".config", ".config/helve", ".vscode", ".vscode/tasks.json"]:
    attempt(os.rename, name, "moved")
    attempt(os.link, name, "linked")
    open("other", "w").close(); attempt(swap, "other", name)
    open("over", "w").close(); attempt(os.rename, "over", name)
    os.makedirs("dir", exist_ok=True); attempt(os.rename, "dir", name)
os.makedirs("repo/objects"); attempt(os.mkdir, "repo/refs")
for at, dirs, files in os.walk("."):
    for f in files:
        if f != "python":
            try: print(os.path.join(at, f), open(os.path.join(at, f)).read())
            except OSError as e: print(os.path.join(at, f), e.errno)
`)
	if o.ExitCode != 0 || strings.Contains(o.out, "hidden word") {
		t.Errorf("%+v %s", o.State, o.out)
	}
	for name, want := range map[string]string{
		"secret.pem": "hidden word", "deep/secret.pem": "hidden word", "repo/config": "hidden word", ".config/helve/config.json": "{}", ".vscode/tasks.json": "{}",
	} {
		if text, err := os.ReadFile(filepath.Join(p.Workspace, name)); err != nil || string(text) != want {
			t.Errorf("%s is %q, %v\n%s", name, text, err, o.out)
		}
	}
}
