package run

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// trace is what a call might leave behind on the machine.
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
	tr.Mounts = read("/proc/self/mountinfo")
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
	dir := place(t)
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
