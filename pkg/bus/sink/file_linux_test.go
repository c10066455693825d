package sink_test

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/bus/sink"
)

const fullDisk = "HELVE_TEST_FULL_DISK"

// TestFileFull has a file that cannot become larger than 300 bytes: a line that does
// not fit is not there at all, and the message can be delivered again. The limit holds
// for a process, so the test runs itself.
func TestFileFull(t *testing.T) {
	path := os.Getenv(fullDisk)
	if path == "" {
		path = filepath.Join(t.TempDir(), "out")
		c := exec.Command(os.Args[0], "-test.run=^TestFileFull$")
		c.Env = append(os.Environ(), fullDisk+"="+path)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got, want := read(t, path), line(id1, "one")+line(id2, "2"); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = uint64(len(line(id1, "one")) + len(line(id2, "2")))
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	s := &sink.File{Path: path}
	if err := s.Deliver(t.Context(), message(id1, "one")); err != nil {
		t.Fatal(err)
	}
	if err := s.Deliver(t.Context(), message(id2, strings.Repeat("2", 50))); err == nil {
		t.Fatal("a line that does not fit was delivered")
	}
	if err := s.Deliver(t.Context(), message(id2, "2")); err != nil {
		t.Fatal(err)
	}
}
