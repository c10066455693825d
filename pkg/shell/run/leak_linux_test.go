package run

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// trace lists what a call could leave behind on the machine.
type trace struct {
	Children, Files int
	Mounts          string
	Threads         bool
}

func traces(t *testing.T) trace {
	t.Helper()
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var tr trace
	foreign := regexp.MustCompile(`/Test\w*\d+/\d{3}(/|$)`) // where tests of other packages mount, at the same time
	for line := range strings.Lines(read("/proc/self/mountinfo")) {
		if at := strings.Fields(line)[4]; strings.Contains(at, "/"+t.Name()) || !foreign.MatchString(at) {
			tr.Mounts += line
		}
	}
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	tr.Files = len(fds)
	processes, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range processes {
		if stat, err := os.ReadFile("/proc/" + p.Name() + "/stat"); err == nil {
			_, rest, _ := strings.Cut(string(stat), ") ")
			if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
				tr.Children++
			}
		}
	}
	return tr
}

// TestLeavesNothing makes many short calls. HELVE_TEST_CALLS sets how many.
func TestLeavesNothing(t *testing.T) {
	calls := 100
	if n, err := strconv.Atoi(os.Getenv("HELVE_TEST_CALLS")); err == nil {
		calls = n
	}
	dir := realDir(t)
	all := sandboxes(t, dir)
	warm := shell(t, dir, "true")
	must(t, warm)
	before := traces(t)
	for i := range calls {
		for kind, sb := range all {
			c := shell(t, dir, "(setsid sleep 60 > /dev/null 2>&1 &) ; echo "+strconv.Itoa(i))
			c.Sandbox = sb
			if r := must(t, c); r.Output.Text != strconv.Itoa(i)+"\n" {
				t.Fatalf("%s: %+v", kind, r)
			}
		}
	}
	if d := cmp.Diff(before, traces(t)); d != "" {
		t.Error(d)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

// TestLimits reads the limits of a command, and lets one start too many processes.
func TestLimits(t *testing.T) {
	var own unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &own); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprint(2<<30, " ", min(4096, own.Max), "\n")
	dir := realDir(t)
	for kind, sb := range sandboxes(t, dir) {
		// Outside of namespaces the limits are set once the shell runs.
		c := shell(t, dir, `until [ "$(ulimit -f)" != unlimited ]; do :; done; awk '/^Max file size/ {f = $5} /^Max open files/ {print f, $5}' /proc/self/limits`)
		c.Sandbox = sb
		if r := must(t, c); r.Output.Text != want {
			t.Errorf("%s: %q, want %q", kind, r.Output.Text, want)
		}
	}
	for children, ended := range map[int]Reason{400: NoReason, 600: TooMany} {
		// They are all there when they are counted, which is once a second.
		c := shell(t, dir, fmt.Sprintf("i=0; while [ $i -lt %d ]; do sleep 60 & i=$((i+1)); done; exec sleep 2.5", children))
		if r := must(t, c); r.Ended != ended {
			t.Errorf("%d children: ended by %q", children, r.Ended)
		}
	}
}

func TestPipeSize(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	widen(w)
	if size, err := unix.FcntlInt(w.Fd(), unix.F_GETPIPE_SZ, 0); err != nil || size != 1<<20 {
		t.Errorf("%d %v", size, err)
	}
}
