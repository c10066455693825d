package state

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestManyProcessesShareALock(t *testing.T) {
	const processes, times = 100, 5
	d := fresh(t, Options{})
	counter := at(t, d, "counter")
	check(t, os.WriteFile(counter, []byte("0"), 0o600))
	running := make([]*exec.Cmd, processes)
	for i := range running {
		running[i] = child(t, d, "count", counter, strconv.Itoa(times))
		check(t, running[i].Start())
	}
	for _, cmd := range running {
		check(t, cmd.Wait())
	}
	if got := string(must[[]byte](t)(os.ReadFile(counter))); got != strconv.Itoa(processes*times) {
		t.Errorf("counted to %s, want %d", got, processes*times)
	}
}

func TestHolderIsNamed(t *testing.T) {
	d := fresh(t, Options{LockWait: time.Millisecond})
	cmd := child(t, d, "hold", "src/a.go")
	line := start(t, cmd)
	if line != "held" {
		t.Fatal(line)
	}
	began := d.Now()
	d.opt.Now = func() time.Time { return began.Add(time.Hour) }
	_, err := d.Lock(context.Background(), "b", "src/a.go")
	if !fault.Is(err, fault.Locked) {
		t.Fatal(err)
	}
	f := fault.As(err)
	holder, ok := f.Details.(Holder)
	if !ok || holder.Key != "src/a.go" || holder.PID != cmd.Process.Pid || holder.Seconds < 3500 {
		t.Errorf("details %+v, want process %d for an hour", f.Details, cmd.Process.Pid)
	}
	for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
		if m := f.Message.In(lang); !strings.Contains(m, strconv.Itoa(cmd.Process.Pid)) || !strings.Contains(m, "src/a.go") {
			t.Errorf("message %q", m)
		}
	}
	// What was locked on the way to the failure is free again.
	unlock, err := d.Lock(context.Background(), "b")
	check(t, err)
	check(t, unlock())
}

func TestKilledHolderLosesItsLock(t *testing.T) {
	d := fresh(t, Options{LockWait: time.Minute})
	cmd := child(t, d, "hold", "a", "b")
	if line := start(t, cmd); line != "held" {
		t.Fatal(line)
	}
	got := make(chan error)
	go func() { // waits in the kernel when the holder dies
		unlock, err := d.Lock(context.Background(), "b", "a")
		if err == nil {
			err = unlock()
		}
		got <- err
	}()
	check(t, cmd.Process.Kill())
	check(t, <-got)
}

func TestLockHeedsContext(t *testing.T) {
	d := fresh(t, Options{LockWait: time.Minute})
	unlock, err := d.Lock(context.Background(), "a")
	check(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	got := make(chan error)
	go func() {
		_, err := d.Lock(ctx, "a")
		got <- err
	}()
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) || fault.As(err).Code != fault.Canceled {
		t.Errorf("error %v", err)
	}
	check(t, unlock())
	check(t, unlock()) // once more does no harm
	// The wait that was given up does not keep the lock.
	again, err := d.Lock(context.Background(), "a")
	check(t, err)
	check(t, again())
}

func TestLocksAreTakenInOneOrder(t *testing.T) {
	d := fresh(t, Options{LockWait: time.Minute})
	var group sync.WaitGroup
	for _, keys := range [][]string{{"a", "b", "c"}, {"c", "b", "a"}, {"b", "c", "a", "b"}} {
		for range 20 {
			group.Go(func() {
				unlock, err := d.Lock(context.Background(), keys...)
				if err == nil {
					err = unlock()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
}

func TestSharedLock(t *testing.T) {
	d := fresh(t, Options{LockWait: time.Millisecond})
	first, err := d.ShareBlobs(context.Background())
	check(t, err)
	second, err := d.ShareBlobs(context.Background())
	check(t, err)
	if err := d.Sweep(context.Background()); !fault.Is(err, fault.Locked) {
		t.Errorf("sweep beside sharers: %v", err)
	}
	check(t, errors.Join(first(), second()))
	check(t, d.Sweep(context.Background()))
}

func TestClaim(t *testing.T) {
	d := fresh(t, Options{})
	release, ok, err := d.Claim("x")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, err := d.Claim("x"); ok || err != nil {
		t.Fatalf("claimed twice: %v %v", ok, err)
	}
	check(t, release())
	if _, err := os.Lstat(at(t, d, lockName("x"))); !os.IsNotExist(err) {
		t.Errorf("lock file of a claim after its end: %v", err)
	}
	again, ok, err := d.Claim("x")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	check(t, again())
}

func TestIdleLockFilesAreSwept(t *testing.T) {
	d := fresh(t, Options{})
	idle, err := d.Lock(context.Background(), "idle")
	check(t, err)
	check(t, idle())
	held, err := d.Lock(context.Background(), "held")
	check(t, err)
	began := time.Now()
	d.opt.Now = func() time.Time { return began.Add(2 * lockAge) }
	check(t, d.Sweep(context.Background()))
	var left []string
	for _, key := range []string{"idle", "held"} {
		if _, err := os.Lstat(at(t, d, lockName(key))); err == nil {
			left = append(left, key)
		}
	}
	want := []string{"held"}
	if !sweepsLocks {
		want = []string{"idle", "held"}
	}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Error(diff)
	}
	check(t, held())
}

// A waiter that gets a lock file which was swept away meanwhile must not take it
// for the lock.
func TestSweptLockFileIsNoLock(t *testing.T) {
	if !sweepsLocks {
		t.Skip("lock files stay")
	}
	d := fresh(t, Options{LockWait: time.Minute})
	p := must[*opened](t)(d.use())
	old, ok, err := p.try("a", false)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	got := make(chan func() error)
	go func() {
		unlock, err := d.Lock(context.Background(), "a")
		if err != nil {
			t.Error(err)
		}
		got <- unlock
	}()
	check(t, dropLock(old))
	unlock := <-got
	if _, ok, err := p.try("a", false); ok || err != nil {
		t.Errorf("a second holder: %v %v", ok, err)
	}
	check(t, unlock())
}

func FuzzSignature(f *testing.F) {
	f.Add([]byte("123 1700000000000000000\n"))
	f.Add([]byte("-1 5"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if pid, _, ok := parseSignature(line); ok && pid <= 0 {
			t.Errorf("process %d", pid)
		}
	})
}

func TestLockWait(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	d := fresh(t, Options{})
	if got := d.patience(context.Background()); got != 10*time.Second {
		t.Errorf("a lock is waited for %v", got)
	}
	if got := d.patience(ctx); got < 50*time.Minute || got >= time.Hour {
		t.Errorf("a lock is waited for %v of an hour", got)
	}
	if got := fresh(t, Options{LockWait: time.Second}).patience(ctx); got != time.Second {
		t.Errorf("a lock is waited for %v", got)
	}
}
