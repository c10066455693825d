package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// inKinds runs a test in every sandbox that there is, and without one.
func inKinds(t *testing.T, test func(t *testing.T, run func(b Budget, script string) *Result)) {
	support := native.Probe(sandbox.Cache{})
	for _, kind := range []sandbox.Kind{sandbox.None, sandbox.Landlock, sandbox.Namespaces} {
		t.Run(string(kind), func(t *testing.T) {
			if !support.Has(kind) {
				t.Skipf("no sandbox %s here", kind)
			}
			test(t, func(b Budget, script string) *Result {
				t.Helper()
				dir, p := t.TempDir(), sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Temp: b.Temp}
				if len(b.Disks) > 0 {
					dir = b.Disks[0]
				}
				p.Workspace = dir
				sb, err := native.New(p, support, kind)
				if err != nil {
					t.Fatal(err)
				}
				temp := b.Temp
				if kind == sandbox.Namespaces {
					temp = "/tmp"
				}
				r, err := Run(t.Context(), Command{Argv: []string{"bash", "-c", script}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin", "T=" + temp}, Budget: b, Timeout: time.Minute, Sandbox: sb})
				if err != nil {
					t.Fatal(err)
				}
				return r
			})
		})
	}
}

// wantExcess checks that a command was ended, with words that name the setting, and that
// what it had printed is there.
func wantExcess(t *testing.T, r *Result, why Reason, setting string) {
	t.Helper()
	if r.Ended != why || r.Excess == nil || !strings.Contains(r.Excess.In(fault.English), setting) || !strings.HasPrefix(r.Output.Text, "begun\n") {
		t.Errorf("ended by %q, excess %v: %+v", r.Ended, r.Excess, r)
	}
}

// A command whose processes hold more memory together than it may is ended, however they
// hold it.
func TestMemory(t *testing.T) {
	inKinds(t, func(t *testing.T, run func(b Budget, script string) *Result) {
		// A shell becomes its last command, and then holds nothing.
		const hold = `x=$(head -c 40000000 /dev/zero | tr '\0' x); echo held; sleep 120; :`
		for name, script := range map[string]string{
			"two that hold less":       "echo begun; (" + hold + ") & " + hold,
			"many, and each adds some": `echo begun; for i in {1..12}; do (x=$(head -c 9000000 /dev/zero | tr '\0' x); sleep 120; :) & done; wait`,
			"step by step":             `echo begun; for i in {1..200}; do x=$x$(head -c 1000000 /dev/zero | tr '\0' x); done; sleep 120; :`,
			"files without a disk":     `echo begun; trap 'rm -f /dev/shm/helve-test-$$' EXIT; head -c 90000000 /dev/zero > /dev/shm/helve-test-$$; sleep 120 & wait`,
		} {
			t.Run(name, func(t *testing.T) {
				t.Cleanup(func() { removeShared(t) })
				wantExcess(t, run(Budget{Memory: 64 << 20}, script), TooLarge, "exec.memory")
			})
		}
		r := run(Budget{Memory: 64 << 20}, "sleep 0.5; echo done")
		if r.Ended != NoReason || r.Excess != nil || r.Output.Text != "done\n" {
			t.Errorf("%+v", r)
		}
		// Addresses are free.
		if r := run(Budget{Memory: 64 << 20}, "exec 2>&1; ulimit -v"); r.Output.Text != "unlimited\n" {
			t.Errorf("%+v", r)
		}
	})
}

// removeShared removes what a killed command left in /dev/shm.
func removeShared(t *testing.T) {
	left, err := filepath.Glob("/dev/shm/helve-test-*")
	if err != nil {
		t.Error(err)
	}
	for _, name := range left {
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
}

// TestMachineExhausted has the machine give what it had left to a command and others.
func TestMachineExhausted(t *testing.T) {
	now, ok := native.MemoryLeft()
	if !ok {
		t.Fatal("the memory of this machine is not known")
	}
	for _, c := range []struct {
		name           string
		left, held, by int64 // by is the growth of shared memory
		want           bool
	}{
		{"enough is left", now.Left, 1 << 30, 0, false},
		{"it has a part", now.Left * 40, 1 << 30, 0, true},
		{"it has none", now.Left * 40, 1 << 20, 0, false},
		{"shared memory is nobody's", now.Left * 40, 1 << 20, 1 << 30, true},
	} {
		m := meter{Budget: Budget{Machine: sandbox.Memory{Left: c.left, Shared: now.Shared - c.by}}}
		if got := m.exhausted(c.held); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// small returns a disk of 40 MB.
func small(t *testing.T) string {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=40m,mode=777"); err != nil {
		t.Skip("cannot mount: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A command that fills a disk, or writes more than it may, is ended, and no other is blamed.
func TestDisks(t *testing.T) {
	inKinds(t, func(t *testing.T, run func(b Budget, script string) *Result) {
		dir := small(t)
		disk := func(written int64) Budget { return Budget{Disks: []string{dir, "/nowhere"}, Written: written << 20} }
		if r := run(disk(0), "head -c 10000000 /dev/zero > half; sleep 1.5"); r.Ended != NoReason {
			t.Errorf("a quarter of it: %+v", r)
		}
		wantExcess(t, run(disk(8), "echo begun; for i in {1..20}; do head -c 1000000 /dev/zero > part$i; done; sleep 100"), TooMuchWritten, "exec.disk")
		if r := run(disk(8), "rm -f part*; for i in {1..6}; do head -c 1000000 /dev/zero > part$i; done; sleep 1.5"); r.Ended != NoReason {
			t.Errorf("less than it may write: %+v", r)
		}
		wantExcess(t, run(disk(0), "echo begun; cat /dev/zero > all; sleep 100"), DiskFull, dir)
		if r := run(disk(0), "sleep 1.5; echo done"); r.Ended != NoReason || r.Output.Text != "done\n" {
			t.Errorf("another command was blamed: %+v", r)
		}
		// A single file is the kernel's to limit.
		r := run(disk(5), "rm -f part* all half; exec cat /dev/zero > all")
		if r.Excess == nil || !strings.Contains(r.Excess.In(fault.English), "exec.disk") {
			t.Errorf("%+v", r)
		}
	})
}

// What others write to the disk meanwhile is not the command's.
func TestDiskOfOthers(t *testing.T) {
	inKinds(t, func(t *testing.T, run func(b Budget, script string) *Result) {
		dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
		done := make(chan error, 1)
		go func() { done <- os.WriteFile(other, make([]byte, 40<<20), 0o600) }()
		b := Budget{Disks: []string{dir}, Written: 8 << 20}
		if r := run(b, "head -c 1000000 /dev/zero > part; sleep 1; echo done"); r.Ended != NoReason || r.Output.Text != "done\n" {
			t.Errorf("%+v", r)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		wantExcess(t, run(b, "echo begun; for i in {1..40}; do head -c 1000000 /dev/zero > part$i; done; sleep 100"), TooMuchWritten, "exec.disk")
	})
}

// What commands leave to others in their temporary directory is limited together; the one
// that adds to it is ended.
func TestTemp(t *testing.T) {
	inKinds(t, func(t *testing.T, run func(b Budget, script string) *Result) {
		temp := t.TempDir()
		if err := os.Chmod(temp, 0o777); err != nil {
			t.Fatal(err)
		}
		b := Budget{Temp: temp, Kept: 16 << 20, Disks: []string{t.TempDir()}}
		if r := run(b, "mkdir $T/a && head -c 12000000 /dev/urandom > $T/a/first; sleep 0.3; echo done"); r.Ended != NoReason || r.Output.Text != "done\n" {
			t.Errorf("%+v", r)
		}
		wantExcess(t, run(b, "echo begun; head -c 8000000 /dev/urandom > $T/second; sleep 100"), TooMuchKept, "exec.temp")
		if r := run(b, "head -c 20000000 /dev/urandom > here; sleep 0.5; echo done"); r.Ended != NoReason || r.Output.Text != "done\n" {
			t.Errorf("one that writes elsewhere was blamed: %+v", r)
		}
		if r := run(b, "rm -r $T/a; head -c 1000000 /dev/urandom > $T/third; sleep 0.5; echo done"); r.Ended != NoReason || r.Output.Text != "done\n" {
			t.Errorf("one that makes room was blamed: %+v", r)
		}
	})
}

func TestMemoryBudget(t *testing.T) {
	if got := MemoryBudget(0); got.Memory < leastMemory || got.Machine.Left < got.Memory {
		t.Errorf("%+v", got)
	}
	if got := MemoryBudget(5); got.Memory != 5 || got.Machine.Left == 0 {
		t.Errorf("%+v", got)
	}
}
