//go:build linux

package linux

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// evil is in every file that must not come into being under a name that others obey.
const evil = "[core]\n\tfsmonitor = evil\n"

// plant is one way to have such a file made, in an empty directory. It returns the error of
// the call that should make it.
type plant struct {
	name string
	do   func() error
}

func put(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// fill writes to a descriptor.
func fill(fd int, err error) error {
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte(evil))
	return err
}

// rawOpen makes a call of the kernel that opens a file, as no library does it, and fills the
// file.
func rawOpen(number uintptr, args ...uintptr) error {
	args = append(args, 0, 0, 0, 0)
	fd, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], 0, 0)
	if errno != 0 {
		return errno
	}
	return fill(int(fd), nil)
}

func first(steps ...error) error {
	for _, err := range steps {
		if err != nil {
			return err
		}
	}
	return nil
}

// repository makes one of git's directories.
func repository(dir string) error {
	return first(os.MkdirAll(dir+"/objects", 0o755), os.MkdirAll(dir+"/refs", 0o755), os.MkdirAll(dir+"/hooks", 0o755), put(dir+"/HEAD", "ref: refs/heads/x\n"))
}

func plants() []plant {
	const flags = unix.O_CREAT | unix.O_WRONLY
	open := func(name string, flags int) error { return fill(unix.Open(name, flags, 0o644)) }
	ways := []plant{
		{"open", func() error { return open(".envrc", flags) }},
		{"open exclusively", func() error { return open(".envrc", flags|unix.O_EXCL) }},
		{"open for reading and writing", func() error { return open(".envrc", unix.O_CREAT|unix.O_RDWR) }},
		{"create for reading", func() error { return open(".envrc", unix.O_CREAT) }},
		{"by the absolute path", func() error {
			dir, err := os.Getwd()
			return first(err, open(dir+"/.envrc", flags))
		}},
		{"in another spelling", func() error {
			return first(open(".EnvRC", flags), open(".envrc.", flags), open("./d/../.envrc", flags))
		}},
		{"below a directory", func() error { return first(os.MkdirAll("d/e", 0o755), open("d/e/.envrc", flags)) }},
		{"by a descriptor of the directory", func() error {
			dir, err := unix.Open(".", unix.O_PATH, 0)
			return first(err, fill(unix.Openat(dir, ".envrc", flags, 0o644)))
		}},
		{"through /proc/self/cwd", func() error { return open("/proc/self/cwd/.envrc", flags) }},
		{"through a thread's directory", func() error { return open(fmt.Sprintf("/proc/self/task/%d/cwd/.envrc", unix.Gettid()), flags) }},
		{"through /proc/self/fd", func() error {
			dir, err := unix.Open(".", unix.O_PATH, 0)
			return first(err, open(fmt.Sprintf("/proc/self/fd/%d/.envrc", dir), flags))
		}},
		{"through a linked directory", func() error { return first(os.Mkdir("d", 0o755), os.Symlink("d", "l"), open("l/.envrc", flags)) }},
		{"through a link that leads nowhere", func() error { return first(os.Symlink(".envrc", "l"), open("l", flags)) }},
		{"through two of them", func() error {
			return first(os.Symlink("m", "l"), os.Symlink("../"+base()+"/.envrc", "m"), open("l", flags))
		}},
		{"openat2", func() error {
			how := unix.OpenHow{Flags: flags, Mode: 0o644}
			return fill(unix.Openat2(unix.AT_FDCWD, ".envrc", &how))
		}},
		{"rename", func() error { return first(put("x", evil), os.Rename("x", ".envrc")) }},
		{"renameat2", func() error {
			return first(put("x", evil), unix.Renameat2(unix.AT_FDCWD, "x", unix.AT_FDCWD, ".envrc", unix.RENAME_NOREPLACE))
		}},
		{"exchange", func() error {
			return first(put("x", evil), put("d/y", ""), os.Mkdir(".vscode", 0o755), unix.Renameat2(unix.AT_FDCWD, "d", unix.AT_FDCWD, ".vscode", unix.RENAME_EXCHANGE))
		}},
		{"a hard link", func() error { return first(put("x", evil), os.Link("x", ".envrc")) }},
		{"a file without a name", func() error {
			fd, err := unix.Open(".", unix.O_TMPFILE|unix.O_RDWR, 0o644)
			if err != nil {
				return err
			}
			_, err = unix.Write(fd, []byte(evil))
			return first(err, unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, ".envrc", unix.AT_SYMLINK_FOLLOW))
		}},
		{"a symbolic link", func() error { return first(put("x", evil), os.Symlink("x", ".envrc")) }},
		{"mknod", func() error { return first(unix.Mknod(".envrc", unix.S_IFREG|0o644, 0), open(".envrc", unix.O_WRONLY)) }},
		{"a directory", func() error { return first(os.Mkdir(".vscode", 0o755), put(".vscode/tasks.json", evil)) }},
		{"a directory inside", func() error { return put(".vscode/a/b/tasks.json", evil) }},
		{"from inside a directory", func() error {
			return first(os.Mkdir(".vscode", 0o755), os.Chdir(".vscode"), open("tasks.json", flags), os.Chdir(".."))
		}},
		{"a directory renamed into place", func() error { return first(put("x/tasks.json", evil), os.Rename("x", ".vscode")) }},
		{"an empty one, filled through its descriptor", func() error {
			err := os.Mkdir("x", 0o755)
			dir, err2 := unix.Open("x", unix.O_PATH, 0)
			return first(err, err2, os.Rename("x", ".vscode"), fill(unix.Openat(dir, "tasks.json", flags, 0o644)))
		}},
		{"a directory above renamed", func() error { return first(put("x/workflows/ci.yml", evil), os.Rename("x", ".github")) }},
		{"a directory of dependencies renamed", func() error {
			return first(put("node_modules/x/.vscode/tasks.json", evil), os.Rename("node_modules/x", "x"))
		}},
		{"a temporary file renamed into place", func() error { return first(put(".vscode/x", evil), os.Rename(".vscode/x", ".vscode/tasks.json")) }},
		{"a directory that settings name", func() error { return first(put("x/hooks/post-checkout", evil), os.Rename("x", "../to")) }},
		{"a directory in one that settings name", func() error {
			return first(os.MkdirAll("../to/hooks", 0o755), put("../to/hooks/post-checkout", evil))
		}},
		{"a hook", func() error { return first(repository("n/.git"), put("n/.git/hooks/post-checkout", evil)) }},
		{"a hook renamed", func() error {
			return first(repository("n/.git"), put("x", evil), os.Rename("x", "n/.git/hooks/pre-push"))
		}},
		{"a sample renamed", func() error {
			return first(repository("n/.git"), put("n/.git/hooks/x.sample", evil), os.Rename("n/.git/hooks/x.sample", "n/.git/hooks/pre-push"))
		}},
		{"hooks renamed", func() error {
			return first(repository("n/.git"), os.Remove("n/.git/hooks"), put("h/pre-push", evil), os.Rename("h", "n/.git/hooks"))
		}},
		{"hooks linked", func() error {
			return first(repository("n/.git"), os.Remove("n/.git/hooks"), put("h/pre-push", evil), os.Symlink("../../h", "n/.git/hooks"))
		}},
		{"hooks of a bare repository", func() error { return first(put("b/hooks/pre-push", evil), repository("b")) }},
		{"settings", func() error { return first(repository("n/.git"), put("n/.git/config", evil)) }},
		{"settings as git writes them", func() error {
			return first(repository("n/.git"), put("n/.git/config.lock", evil), os.Rename("n/.git/config.lock", "n/.git/config"))
		}},
		{"settings through a descriptor from before", func() error {
			err := repository("n/.git")
			f, err2 := os.Create("n/.git/config.lock")
			if err = first(err, err2, os.Rename("n/.git/config.lock", "n/.git/config")); err != nil {
				return err
			}
			_, err = f.WriteString(evil)
			return first(err, put("x", ""), f.Sync())
		}},
		{"settings through memory", func() error {
			err := repository("n/.git")
			f, err2 := os.OpenFile("n/.git/config.lock", os.O_CREATE|os.O_RDWR, 0o644)
			if err = first(err, err2, f.Truncate(int64(len(evil)))); err != nil {
				return err
			}
			memory, err := unix.Mmap(int(f.Fd()), 0, len(evil), unix.PROT_WRITE, unix.MAP_SHARED)
			if err = first(err, f.Close(), os.Rename("n/.git/config.lock", "n/.git/config"), put("x", "")); err != nil {
				return err
			}
			copy(memory, evil)
			return unix.Munmap(memory)
		}},
		{"settings of a repository that a link leads to", func() error {
			err := repository("n/.git")
			f, err2 := os.Create("n/.git/config.lock")
			if err = first(err, err2, os.Rename("n/.git/config.lock", "n/.git/config"), os.Rename("n", "m"), os.Symlink("..", "n")); err != nil {
				return err
			}
			aside, err := filepath.Glob("m/.git/config.refused-*")
			if err != nil || len(aside) != 1 {
				return fmt.Errorf("%q %w", aside, err)
			}
			return first(put("n/.git/"+filepath.Base(aside[0]), "[core]\n\tbare = false\n"), f.Close(), put("x", ""))
		}},
		{"settings through another name", func() error {
			return first(repository("n/.git"), put("c", ""), os.Link("c", "n/.git/config"), put("x", ""), put("c", evil))
		}},
		{"settings through a later name", func() error {
			err := first(repository("n/.git"), put("n/.git/config.lock", "[core]\n\tbare = false\n"), os.Rename("n/.git/config.lock", "n/.git/config"))
			return first(err, os.Link("n/.git/config", "c"), put("c", evil))
		}},
		{"settings in place", func() error {
			err := first(repository("n/.git"), put("n/.git/config.lock", "[core]\n\tbare = false\n"), os.Rename("n/.git/config.lock", "n/.git/config"))
			return first(err, open("n/.git/config", unix.O_WRONLY))
		}},
		{"settings through a descriptor for reading", func() error {
			err := first(repository("n/.git"), put("n/.git/config.lock", "[core]\n\tbare = false\n"), os.Rename("n/.git/config.lock", "n/.git/config"))
			fd, err2 := unix.Open("n/.git/config", unix.O_RDONLY, 0)
			return first(err, err2, open(fmt.Sprintf("/proc/self/fd/%d", fd), unix.O_WRONLY))
		}},
		{"settings before the repository", func() error { return first(put("b/config", evil), repository("b")) }},
		{"settings open before the repository", func() error {
			err := os.Mkdir("b", 0o755)
			f, err2 := os.Create("b/config")
			if err = first(err, err2, repository("b")); err != nil {
				return err
			}
			_, err = f.WriteString(evil)
			return err
		}},
		{"a directory renamed to .git", func() error { return first(put("g/config", evil), repository("g"), os.Rename("g", ".git")) }},
		{"a directory with settings renamed to .git", func() error { return first(put("g/config", evil), os.Rename("g", ".git"), repository(".git")) }},
		{"objects renamed into place", func() error {
			return first(put("b/config", evil), put("b/HEAD", "ref: refs/heads/x\n"), os.Mkdir("b/refs", 0o755), os.Mkdir("o", 0o755), os.Rename("o", "b/objects"))
		}},
		{"objects linked", func() error {
			return first(put("b/config", evil), put("b/HEAD", "ref: refs/heads/x\n"), os.Mkdir("b/refs", 0o755), os.Mkdir("o", 0o755), os.Symlink("../o", "b/objects"))
		}},
		{"a common directory", func() error {
			return first(put("c/config", evil), os.Mkdir("c/refs", 0o755), os.Mkdir("c/objects", 0o755), put("e/HEAD", "ref: refs/heads/x\n"), put("e/commondir", "../c\n"))
		}},
		{"two threads that swap the name", func() error {
			return swapping("README", func(path *byte) error {
				return rawOpen(unix.SYS_OPENAT, atCWD, uintptr(unsafe.Pointer(path)), flags, 0o644)
			})
		}},
		{"two threads that swap the new name", func() error {
			return swapping("README", func(path *byte) error {
				if err := put("x", evil); err != nil {
					return err
				}
				from := []byte("x\x00")
				return rawNone(unix.SYS_RENAMEAT2, atCWD, uintptr(unsafe.Pointer(&from[0])), atCWD, uintptr(unsafe.Pointer(path)))
			})
		}},
		{"two threads that swap the name of a link", func() error {
			return swapping("README", func(path *byte) error {
				from := []byte("x\x00")
				_, _ = put("x", evil), unix.Unlink("README")
				return rawNone(unix.SYS_LINKAT, atCWD, uintptr(unsafe.Pointer(&from[0])), atCWD, uintptr(unsafe.Pointer(path)))
			})
		}},
		{"two threads that swap the directory", func() error {
			if err := first(os.Mkdir("d", 0o755), os.Mkdir(".vscode", 0o755)); err != nil {
				return err
			}
			var stop atomic.Bool
			defer stop.Store(true)
			go func() {
				for !stop.Load() {
					_ = unix.Renameat2(unix.AT_FDCWD, "d", unix.AT_FDCWD, "e", 0)
					_ = unix.Renameat2(unix.AT_FDCWD, "e", unix.AT_FDCWD, "d", 0)
					_ = unix.Renameat2(unix.AT_FDCWD, "d", unix.AT_FDCWD, ".vscode", unix.RENAME_EXCHANGE)
					_ = unix.Renameat2(unix.AT_FDCWD, "d", unix.AT_FDCWD, ".vscode", 0)
				}
			}()
			for range 300 {
				_ = open("d/tasks.json", flags) // d may have another name
			}
			return nil
		}},
	}
	if runtime.GOARCH == "amd64" {
		name := []byte(".envrc\x00")
		at := uintptr(unsafe.Pointer(&name[0]))
		ways = append(ways, plant{"the old calls", func() error {
			return first(rawOpen(2, at, flags, 0o644), rawOpen(85, at, 0o644), put("x", evil), put("y", evil), rawNone(82, text("x"), at), rawNone(86, text("y"), at))
		}})
	}
	return ways
}

func text(s string) uintptr { return uintptr(unsafe.Pointer(&append([]byte(s), 0)[0])) }

func rawNone(number uintptr, args ...uintptr) error {
	args = append(args, 0, 0, 0, 0)
	if _, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], 0, 0); errno != 0 {
		return errno
	}
	return nil
}

func base() string {
	dir, _ := os.Getwd()
	return filepath.Base(dir)
}

// swapping makes a call many times with a name that another thread swaps all the time.
func swapping(harmless string, call func(*byte) error) error {
	names := [2]uint64{binary.NativeEndian.Uint64([]byte((harmless + "\x00\x00\x00")[:8])), binary.NativeEndian.Uint64([]byte(".envrc\x00\x00"))}
	path := new(uint64)
	*path = names[0]
	var stop atomic.Bool
	defer stop.Store(true)
	go func() {
		for i := 0; !stop.Load(); i++ {
			atomic.StoreUint64(path, names[i%2])
		}
	}()
	for range 300 {
		_ = call((*byte)(unsafe.Pointer(path))) // whatever it hits
	}
	return nil
}

// plantAll goes all ways, each in a directory of its own.
func plantAll() int {
	for i, w := range plants() {
		dir := fmt.Sprintf("w%d", i)
		if err := first(os.Mkdir(dir, 0o755), os.Chdir(dir)); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Printf("%d %s: %v\n", i, w.name, w.do())
		if err := os.Chdir(".."); err != nil {
			return 1
		}
	}
	return 0
}

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

// TestGitBirths makes repositories as git does, and by copying them.
func TestGitBirths(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := surveyed(newProfile(t))
			o := runWith(t, kind, p, []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}, "sh", "-ec", `
				git init -q n; git -C n -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; git -C n config user.name me; git -C n config user.name
				git clone -q n m; git -C m remote; git -C n worktree add -q ../w; git -C w status --short; git init -q --bare b; git -C m push -q ../b HEAD; cp -r m c`)
			restored, err1 := o.sb.Restored()
			moved, err2 := o.sb.Planted()
			if o.ExitCode != 0 || o.out != "me\norigin\n" || len(restored)+len(moved) > 0 || err1 != nil || err2 != nil {
				t.Errorf("%+v %s %q %v %v %v", o.State, o.out, restored, moved, err1, err2)
			}
			for _, name := range []string{"n/.git", "m/.git", "c/.git", "b"} {
				if text := read(t, filepath.Join(p.Workspace, name, "config")); !strings.Contains(text, "bare = ") {
					t.Errorf("%s: %q", name, text)
				}
			}
		})
	}
}

// ordinary makes files in many ways, none of which anybody obeys, and shows what came of it.
const ordinary = `
mkdir w; cd w; umask 027; mkdir -p a/b/c; mkdir a; mkdir -m 1777 s; echo x > a/f; umask 002; echo y > a/g; (umask 077; echo z > a/h; mkdir a/i)
echo more >> a/f; : > a/g; cat < a/f; ln a/f a/k; ln -s f a/l; ln -s nowhere a/m; echo through > a/m; cat a/nowhere; ln -s loop loop; echo x > loop
echo x > a; echo x > a/f/x; echo x > none/x; echo x > ./a/../top; mkdir top; mkdir none/x; mkdir a/; mkdir a/n/; mv a/n a/o; mv a/o/ a/p/; mv a/f/ q; mv none x
mv -T a/p a/b; mv -T a/b a/p; ln a/p hard; ln none hard; ln -s a b; echo x > b/viab; rm b; set -C; echo x > top; set +C
echo out > /dev/stdout; echo err > /dev/stderr; echo fd > /dev/fd/1; echo self > /proc/self/fd/1; exec 3> a/three; echo three > /dev/fd/3; echo again >&3; cat a/three; echo null > /dev/null
mkfifo pipe; echo through the pipe > pipe & cat pipe; wait; cat pipe & echo the other way > pipe; wait; echo tty > /dev/tty; mktemp -d tmp.XXXXXX | cut -c1-4
long=$(printf '%0256d' 0); echo x > $long; mkdir $long; truncate -s 5 a/f; truncate -s 5 a/none; truncate -s 5 a; wc -c < a/k; install -m 750 a/f a/inst; install -d -m 2770 a/dir; cp -a a copy; tar cf t.tar a; mkdir ex; tar xf t.tar -C ex
cd a; echo x > ../up; mv ../up .; echo x > /proc/self/cwd/here; cd ..; rm -rf s tmp.*
find . -printf '%p %M %s %n %l
' | grep -v tar | sort
`

// TestOrdinaryBirths compares with what happens without any sandbox.
func TestOrdinaryBirths(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			bash, err := exec.LookPath("bash")
			if err != nil {
				t.Skip("no bash")
			}
			plain, confined := newProfile(t), surveyed(newProfile(t))
			want := run(t, sandbox.None, plain, bash, "-c", ordinary)
			got := run(t, kind, confined, bash, "-c", ordinary)
			if diff := cmp.Diff(strings.ReplaceAll(want.out, plain.Workspace, "W"), strings.ReplaceAll(got.out, confined.Workspace, "W")); diff != "" {
				t.Errorf("%s\n%s", diff, got.out)
			}
			restored, err1 := got.sb.Restored()
			moved, err2 := got.sb.Planted()
			if len(restored)+len(moved) > 0 || err1 != nil || err2 != nil {
				t.Errorf("%q %v %v %v", restored, moved, err1, err2)
			}
		})
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

// makeFiles makes as many files as a large build, each as compilers do.
func makeFiles(count int) int {
	for i := range count {
		name := fmt.Sprintf("d%d/f%d.o", i%50, i)
		if i < 50 {
			if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
				return 1
			}
		}
		if err := os.WriteFile(name, []byte(evil), 0o644); err != nil {
			return 1
		}
	}
	return 0
}

// BenchmarkBirths makes 10,000 files with and without a nursery. The times are those of the
// processors, for helve and the command together.
func BenchmarkBirths(b *testing.B) {
	const count = 10_000
	spent := func() (all int64) {
		for _, who := range [...]int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
			var u unix.Rusage
			if err := unix.Getrusage(who, &u); err != nil {
				b.Fatal(err)
			}
			all += u.Utime.Nano() + u.Stime.Nano()
		}
		return all
	}
	for _, kind := range []sandbox.Kind{sandbox.Namespaces, sandbox.Landlock} {
		for _, watched := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/%t", kind, watched), func(b *testing.B) {
				var all int64
				for b.Loop() {
					p := workspaceIn(b, b.TempDir())
					if watched {
						p = surveyed(p)
					}
					program := copySelf(b, p.Workspace)
					before := spent()
					if o := run(b, kind, p, program, "__make", strconv.Itoa(count)); o.ExitCode != 0 {
						b.Fatalf("%+v %s", o.State, o.out)
					}
					all += spent() - before
				}
				b.ReportMetric(float64(all)/float64(b.N)/count, "cpu-ns/file")
			})
		}
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
