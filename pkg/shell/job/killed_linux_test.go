package job

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

func kill(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Signal(signal)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// parentOf asks ps(1).
func parentOf(t *testing.T, pid int) int {
	t.Helper()
	out, err := exec.Command("ps", "-o", "ppid=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		t.Fatal(err)
	}
	parent, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	return parent
}

// TestKilledSupervisor kills the supervisor of a job, its reaper, and both.
func TestKilledSupervisor(t *testing.T) {
	w := newWorld(t)
	for _, kind := range w.kinds {
		for _, whom := range []string{"supervisor", "its parent", "both"} {
			if whom != "supervisor" && kind == sandbox.Namespaces {
				continue // there is nobody else
			}
			line := "(setsid sleep 88.25 &) ; echo ready; sleep 88.5"
			r := w.start(t, kind, line)
			w.printed(t, r.ID, "ready")
			pid := r.Supervisor.PID
			want := Lost
			if whom != "supervisor" {
				parent := parentOf(t, pid)
				if whom == "both" {
					kill(t, parent, syscall.SIGSTOP) // so that it does nothing any more
					kill(t, pid, syscall.SIGKILL)
					kill(t, parent, syscall.SIGKILL)
				} else {
					pid, want = parent, Stopped
				}
			}
			if whom != "both" {
				kill(t, pid, syscall.SIGKILL)
			}
			if r = w.ended(t, r.ID); r.State != want || r.EndedAt.IsZero() || r.Bytes != 6 {
				t.Errorf("%s, %s: %+v", kind, whom, r)
			}
			deadline := time.Now().Add(10 * time.Second)
			for alive(t, "sleep 88.25") || alive(t, "sleep 88.5") {
				if time.Now().After(deadline) {
					t.Fatalf("%s, %s: processes are left", kind, whom)
				}
			}
			if o := w.output(t, r.ID, 0, 100); string(o.Data) != "ready\n" {
				t.Errorf("%s: what was printed is gone: %q", kind, o.Data)
			}
		}
	}
}
