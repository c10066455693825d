//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// refusing names the variable that tells a test process what the kernel refuses it.
const refusing = "HELVE_TEST_REFUSING"

// refuse puts this process under a filter, as an emulator or an outer sandbox would
// do, and executes the tests again.
func refuse(args []string) int {
	runtime.LockOSThread()
	var f filter
	for name := range strings.SplitSeq(args[0], ",") {
		switch name {
		case "close_range":
			f.call(unix.SYS_CLOSE_RANGE, deny)
		case "prctl":
			f.values(unix.SYS_PRCTL, dataArg0, []uint32{unix.PR_SET_CHILD_SUBREAPER, unix.PR_SET_PDEATHSIG, unix.PR_SET_SECUREBITS, unix.PR_CAP_AMBIENT}, false)
		case "containers": // as Docker's own filter does
			f.call(unix.SYS_UNSHARE, deny)
			f.call(unix.SYS_PROCESS_VM_READV, deny)
		case "leases": // as many file systems do
			f.values(unix.SYS_FCNTL, dataArg1, []uint32{unix.F_SETLEASE}, false)
		case "subreaper":
			f.values(unix.SYS_PRCTL, dataArg0, []uint32{unix.PR_SET_CHILD_SUBREAPER}, false)
		}
	}
	err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	if err == nil {
		_, err = install(append([]unix.SockFilter{load(dataNumber)}, f.instructions()...), false)
	}
	if err == nil {
		err = syscall.Exec("/proc/self/exe", args[1:], append(os.Environ(), refusing+"="+args[0]))
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// TestRefusedWishes runs commands where the kernel refuses what only ends processes
// more surely. They run, and the report says what is missing.
func TestRefusedWishes(t *testing.T) {
	what := os.Getenv(refusing)
	if what == "" {
		for _, what := range []string{"subreaper", "prctl", "close_range", "prctl,close_range"} {
			out, err := exec.Command("/proc/self/exe", "__refuse", what, "sandbox.test", "-test.run=^TestRefusedWishes$", "-test.v").CombinedOutput()
			if err != nil || !strings.Contains(string(out), "--- PASS: TestRefusedWishes") {
				t.Errorf("%s: %v\n%s", what, err, out)
			}
		}
		return
	}
	// No other process that tests this has the same.
	child, orphan := fmt.Sprintf("sleep 300.%d75", os.Getpid()), fmt.Sprintf("sleep 300.%d625", os.Getpid())
	for _, kind := range append(kinds(t), sandbox.None) {
		o := run(t, kind, newProfile(t), "sh", "-c", child+" & (setsid sh -c '"+orphan+"; true' &) ; sleep 0.3; echo done")
		if o.out != "done\n" {
			t.Errorf("%s: %q", kind, o.out)
		}
		for _, want := range []string{child, orphan} {
			// The shell that is about to start it has it in its command line as well.
			if !slices.ContainsFunc(o.left, func(line string) bool { return strings.Contains(line, want) }) {
				t.Errorf("%s: %q is not among %q", kind, want, o.left)
			}
		}
		for _, s := range processes() {
			if strings.Contains(commandLine(s.pid), child) || strings.Contains(commandLine(s.pid), orphan) {
				t.Errorf("%s: %s still runs", kind, commandLine(s.pid))
			}
		}
		said := o.sb.Report().Degraded
		if lost := strings.HasPrefix(what, "close") || kind == sandbox.Namespaces; slices.Contains(said, "no_subreaper") == lost {
			t.Errorf("%s without %s: %q", kind, what, said)
		}
		if lost := strings.HasPrefix(what, "prctl") && kind != sandbox.Namespaces; slices.Contains(said, "no_parent_death_signal") != lost {
			t.Errorf("%s without %s: %q", kind, what, said)
		}
	}
}
