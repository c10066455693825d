package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A process is killed on entry to every system call that touches the disk, as
// strace counts them, so also in between the steps that the journal names.
func TestKilledAtEverySystemCall(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a process for every system call")
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace")
	}
	const calls = "openat,write,pwrite64,fsync,renameat,renameat2,unlinkat,mkdirat,fchmod,fchmodat,ftruncate,flock,symlinkat"
	for _, name := range []string{"three files", "five in place", "undo"} {
		t.Run(name, func(t *testing.T) {
			c := cases[name]
			whole := populate(t, c.prepare)
			before := whole.snapshot()
			check(t, c.run(whole.Journal))
			after := whole.snapshot()
			killed := 0
			for n := 1; ; n += killEvery {
				b := populate(t, c.prepare)
				cmd := child(t, b.dir, "crash", "0", name)
				cmd.Args = append([]string{strace, "-f", "-qq", "-o", os.DevNull, "-e", "trace=" + calls,
					"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", calls, n), cmd.Path}, cmd.Args[1:]...)
				cmd.Path = strace
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != -1) {
					t.Skipf("cannot trace: %v: %s", err, out)
				}
				_, recovering := b.Recover(context.Background())
				check(t, recovering)
				if got := b.snapshot(); !cmp.Equal(got, before) && !cmp.Equal(got, after) {
					t.Fatalf("killed at call %d, it is neither old nor new\nfrom old: %s\nfrom new: %s",
						n, cmp.Diff(before, got), cmp.Diff(after, got))
				} else if err == nil && !cmp.Equal(got, after) {
					t.Fatalf("ended well, but %s", cmp.Diff(after, got))
				}
				if err == nil {
					break
				}
				killed++
			}
			if killed*killEvery < 20 {
				t.Errorf("killed %d times", killed)
			}
		})
	}
}
