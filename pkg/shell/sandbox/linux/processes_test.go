//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestDescendants finds what processes started, in any order of a table, without what
// has ended.
func TestDescendants(t *testing.T) {
	table := []procStatus{
		{pid: 5, parent: 4}, {pid: 2, parent: 1}, {pid: 4, parent: 2}, {pid: 3, parent: 1, state: 'Z'}, {pid: 6, parent: 3}, {pid: 7, parent: 9}, {pid: 4, parent: 2}, {pid: 1, parent: 5},
	}
	for _, c := range []struct{ tree, want []int }{
		{[]int{2}, []int{2, 4, 5, 1}}, {[]int{5}, []int{5, 1, 2, 4}}, {[]int{9}, []int{9, 7}}, {[]int{8}, []int{8}}, {nil, nil}, {[]int{6, 9}, []int{6, 9, 7}},
	} {
		if got := withDescendants(slices.Clone(c.tree), table); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.tree, got, c.want)
		}
	}
}

// TestOwnStatus reads what the kernel says of this process, and of one that is gone.
func TestOwnStatus(t *testing.T) {
	pid := os.Getpid()
	session, err := unix.Getsid(0)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := status(pid)
	if !ok || s.pid != pid || s.parent != os.Getppid() || s.session != session || s.start == 0 || s.start != startTime(pid) || s.state == 'Z' {
		t.Errorf("%+v, %t", s, ok)
	}
	if _, ok := status(1 << 30); ok || startTime(1<<30) != 0 || commandLine(1<<30) != "" || markOf(1<<30) != "" {
		t.Error("a process that does not exist has a status")
	}
	if !slices.ContainsFunc(processes(), func(s procStatus) bool { return s.pid == pid }) {
		t.Error("this process is not among all")
	}
}

// TestKeep exempts what was started, and nothing else, from being killed.
func TestKeep(t *testing.T) {
	const pid = 1 << 30 // of nobody
	for _, want := range []error{nil, unix.ENOENT} {
		got, err := System{}.Keep(func() (int, error) { return pid, want })
		live.Lock()
		kept := slices.Contains(live.kept, pid)
		live.kept = slices.DeleteFunc(live.kept, func(p int) bool { return p == pid })
		live.Unlock()
		if got != pid || !errors.Is(err, want) || kept != (want == nil) {
			t.Errorf("%d, %v, kept: %t", got, err, kept)
		}
	}
}

// TestNotes has each command line once.
func TestNotes(t *testing.T) {
	p := &process{}
	for _, pid := range []int{os.Getpid(), os.Getpid(), 1 << 30} {
		p.note(pid)
	}
	if len(p.left) != 1 {
		t.Errorf("%q", p.left)
	}
}

// TestStates has how processes end.
func TestStates(t *testing.T) {
	for status, want := range map[uint32]sandbox.State{0: {}, 3 << 8: {ExitCode: 3}, uint32(unix.SIGTERM): {ExitCode: -1, Signal: "SIGTERM"}, uint32(unix.SIGSEGV) | 0x80: {ExitCode: -1, Signal: "SIGSEGV"}} {
		if got := stateOf(unix.WaitStatus(status)); got != want {
			t.Errorf("%#x: %+v", status, got)
		}
	}
}

// TestIDMaps maps ids to themselves as far as this process has them.
func TestIDMaps(t *testing.T) {
	name := filepath.Join(t.TempDir(), "map")
	for text, want := range map[string]string{
		"         0          0 4294967295\n": "0 0 4294967295\n", "0 1000 1\n1 100000 65536\n": "0 0 1\n1 1 65536\n", "": "", "0 0\n": "", "x 0 1\n": "", "0 0 x\n": "", "0 0 1 1\n": "",
	} {
		write(t, name, text)
		if got := parseIDMap(name); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if parseIDMap(name+"x") != "" {
		t.Error("a file that is not there maps something")
	}
	want := "7 7 1\n"
	if got := identityMap(name+"x", 7); got != want {
		t.Errorf("%q", got)
	}
	write(t, name, "0 0 5\n")
	if os.Geteuid() == 0 {
		want = "0 0 5\n"
	}
	if got := identityMap(name, 7); got != want {
		t.Errorf("%q", got)
	}
	if err := mapUsers(1 << 30); err == nil {
		t.Error("the users of nobody were mapped")
	}
}

// TestMessages reads what a child reports, and its end.
func TestMessages(t *testing.T) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fds[0])
	whole := []byte{3, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0}
	if _, err := unix.Write(fds[1], append(slices.Clone(whole), whole[:5]...)); err != nil {
		t.Fatal(err)
	}
	unix.Close(fds[1])
	if n, err := readMessage(fds[0]); err != nil || n.kind == 0 || n.value == 0 || n.more == 0 {
		t.Errorf("%+v, %v", n, err)
	}
	for _, what := range []string{"a part of one", "the end"} {
		if _, err := readMessage(fds[0]); err == nil {
			t.Errorf("%s was read", what)
		}
	}
	if _, err := readMessage(-1); !errors.Is(err, unix.EBADF) {
		t.Error(err)
	}
}

// TestNamedSteps names the step that failed, and no step where none did.
func TestNamedSteps(t *testing.T) {
	var s script
	s.call("first", "", 0)
	s.call("second", "/path", 0)
	for _, c := range []struct {
		failed int
		errno  syscall.Errno
		want   string
	}{
		{0, unix.ENOENT, "first: no such file or directory"}, {1, unix.ENOENT, "second /path: no such file or directory"}, {1, 0, ""}, {2, unix.ENOENT, ""}, {-1, unix.ENOENT, ""},
	} {
		got := ""
		if err := s.err(c.failed, c.errno); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%d: %q, want %q", c.failed, got, c.want)
		}
	}
	for errno, set := range map[syscall.Errno]errnoSet{
		unix.ENOENT: ifMissing, unix.ENOTDIR: ifMissing, unix.EACCES: ifUnreachable, unix.ELOOP: ifUnreachable, unix.EEXIST: ifExists, unix.EPERM: ifUnprivileged, unix.EINVAL: ifUnknown,
	} {
		if !set.has(errno) || (^set).has(errno) {
			t.Errorf("%v", errno)
		}
	}
	if errnoSet(0xff).has(unix.EIO) {
		t.Error("an error that no set names is harmless")
	}
}

// TestNullDevice opens it for reading and writing.
func TestNullDevice(t *testing.T) {
	f, err := sandbox.OpenNull()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := f.WriteString("x"); n != 1 || err != nil {
		t.Error(n, err)
	}
}

// TestWhyNotStarted blames the directory where it is missing, and else the program.
func TestWhyNotStarted(t *testing.T) {
	dir := t.TempDir()
	for in, want := range map[string]string{dir: "/no/program", filepath.Join(dir, "gone"): filepath.Join(dir, "gone")} {
		if err := notStarted(unix.ENOENT, sandbox.Command{Path: "/no/program", Dir: in}); !strings.HasSuffix(err.Error(), " "+want) {
			t.Errorf("%s: %v", in, err)
		}
	}
}
