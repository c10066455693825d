package job

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
)

// The test binary is also the supervisor.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == Argument {
		os.Exit(Supervise(os.Stdin, os.Stdout, nil, nil))
	}
	os.Exit(m.Run())
}

// world is a store, and starts jobs in every kind of sandbox that this machine has.
type world struct {
	store *Store
	root  string
	exe   string
	kinds []sandbox.Kind
	can   sandbox.Support
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no sh")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, err := state.Open(t.TempDir(), root, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{store: NewStore(dir), root: root, exe: exe, can: native.Probe(sandbox.Cache{}), kinds: []sandbox.Kind{sandbox.None}}
	if w.can.LandlockABI > 0 && w.can.Seccomp {
		w.kinds = append(w.kinds, sandbox.Landlock)
	}
	if w.can.Namespaces {
		w.kinds = append(w.kinds, sandbox.Namespaces)
	}
	return w
}

func (w *world) start(t *testing.T, kind sandbox.Kind, line string) *Record {
	t.Helper()
	r, err := w.try(t, kind, line)
	if err != nil {
		t.Fatalf("%s: %s: %v", kind, line, err)
	}
	t.Cleanup(func() {
		if _, err := w.store.Stop(context.Background(), r.ID); err != nil && !fault.Is(err, fault.IOError) { // most have ended, and one is damaged
			t.Error(err)
		}
	})
	return r
}

func (w *world) try(t *testing.T, kind sandbox.Kind, line string) (*Record, error) {
	return w.store.Start(t.Context(), w.exe, Spec{
		Record: Record{Command: line, Cwd: "."}, Argv: []string{"sh", "-c", line}, Dir: w.root, Env: []string{"PATH=" + os.Getenv("PATH")}, Root: w.root,
		Profile: sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: w.root}, Support: w.can, Kind: kind,
	})
}

func (w *world) ended(t *testing.T, id string) *Record {
	t.Helper()
	r, err := w.store.Wait(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (w *world) output(t *testing.T, id string, since, most int64) Output {
	t.Helper()
	o, err := w.store.Read(id, since, most)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// printed waits until a job has printed something.
func (w *world) printed(t *testing.T, id, text string) {
	t.Helper()
	for {
		if strings.Contains(string(w.output(t, id, 0, 1<<20).Data), text) {
			return
		}
		if t.Context().Err() != nil {
			t.Fatal("the test ended first")
		}
		runtime.Gosched()
	}
}

func TestJob(t *testing.T) {
	w := newWorld(t)
	for _, kind := range w.kinds {
		r := w.start(t, kind, "echo a; echo b >&2; exit 3")
		if r.State != Running || !isID(r.ID) {
			t.Errorf("%s: %+v", kind, r)
		}
		if r = w.ended(t, r.ID); r.State != Ended || r.ExitCode != 3 || r.Bytes != 4 || r.EndedAt.IsZero() {
			t.Errorf("%s: %+v", kind, r)
		}
		if d := cmp.Diff(Output{Data: []byte("a\nb\n"), Next: 4, Total: 4}, w.output(t, r.ID, 0, 100)); d != "" {
			t.Errorf("%s: %s", kind, d)
		}
		if d := cmp.Diff(Output{Data: []byte("b\n"), Since: 2, Next: 4, Total: 4}, w.output(t, r.ID, -2, 100)); d != "" {
			t.Errorf("%s: %s", kind, d)
		}
		if r, err := w.try(t, kind, "true"); err != nil {
			t.Errorf("%s: %v", kind, err)
		} else {
			w.ended(t, r.ID) // its files are the test's
		}
	}
	if _, err := w.store.Start(t.Context(), w.exe, Spec{
		Argv: []string{"no-such-program"}, Dir: w.root, Root: w.root, Kind: sandbox.None,
		Profile: sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.Full, Workspace: w.root},
	}); !fault.Is(err, fault.NotFound) {
		t.Errorf("a program that is not there: %v", err)
	}
	for _, id := range []string{"", "x", "../../etc/passwd", strings.Repeat("0", 26)} {
		if _, err := w.store.Get(id); !fault.Is(err, fault.NotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestStop(t *testing.T) {
	w := newWorld(t)
	for _, kind := range w.kinds {
		r := w.start(t, kind, "trap 'echo bye; exit 0' TERM; echo ready; sleep 77.5 & wait")
		w.printed(t, r.ID, "ready")
		r, err := w.store.Stop(t.Context(), r.ID)
		if err != nil || r.State != Stopped || alive(t, "sleep 77.5") {
			t.Errorf("%s: %+v %v", kind, r, err)
		}
		if o := w.output(t, r.ID, 0, 100); string(o.Data) != "ready\nbye\n" {
			t.Errorf("%s: %q", kind, o.Data)
		}
		if again, err := w.store.Stop(t.Context(), r.ID); err != nil || again.State != Stopped {
			t.Errorf("%s: a second time: %+v %v", kind, again, err)
		}
	}
}

// alive reports whether a process with this command line runs.
func alive(t *testing.T, line string) bool {
	t.Helper()
	out, err := exec.Command("pgrep", "-xf", line).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skip("no pgrep")
	}
	return len(out) > 0
}

// TestAnotherProcess gives the number of a supervisor to another process, which must
// not be taken for the supervisor and not be ended.
func TestAnotherProcess(t *testing.T) {
	w := newWorld(t)
	other := exec.Command("sleep", "99.5")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = other.Process.Kill()
		_ = other.Wait() // it was killed
	}()
	r := w.start(t, sandbox.None, "echo done")
	w.ended(t, r.ID)
	gone, err := w.store.dir.Lock(t.Context(), lockOf(r.ID)) // the supervisor holds it a little longer
	if err == nil {
		err = gone()
	}
	if err != nil {
		t.Fatal(err)
	}
	r.State, r.Supervisor = Running, process.Of(other.Process.Pid)
	if err := w.store.write(r); err != nil {
		t.Fatal(err)
	}
	if got, err := w.store.Stop(t.Context(), r.ID); err != nil || got.State != Lost {
		t.Errorf("%+v %v", got, err)
	}
	if !alive(t, "sleep 99.5") {
		t.Error("another process was ended")
	}
}

func TestSegments(t *testing.T) {
	w := newWorld(t)
	const segmentSize = 8 << 20 // of which 8 are kept
	const total = (8 + 2) * segmentSize
	dir := w.store.dir
	id := strings.Repeat("a", 26)
	rec := recorder{dir: dir, id: id}
	line := []byte(strings.Repeat("0123456789abcde\n", 1<<12)) // a power of two
	for rec.all < total+int64(len(line)) {
		rec.write(line)
	}
	rec.write([]byte("世")) // its first byte alone ends a part below
	if err := rec.close(); err != nil {
		t.Fatal(err)
	}
	all, err := w.store.segments(id)
	if err != nil || len(all) != 8 {
		t.Fatalf("%v %v", all, err)
	}
	o := w.output(t, id, 0, 32)
	if o.Since != all[0]*segmentSize || string(o.Data) != string(line[:32]) || o.Next != o.Since+32 || o.Total != rec.all {
		t.Errorf("%d %q %d %d", o.Since, o.Data, o.Next, o.Total)
	}
	// Over the seam of two files.
	at := (all[0]+1)*segmentSize - 16
	if o := w.output(t, id, at, 32); string(o.Data) != string(line[:32]) || o.Next != at+32 {
		t.Errorf("%q %d", o.Data, o.Next)
	}
	if o := w.output(t, id, rec.all-4, 2); string(o.Data) != "\n" || o.Next != rec.all-3 {
		t.Errorf("%q %d of %d", o.Data, o.Next, rec.all)
	}
	if o := w.output(t, id, rec.all+5, 10); len(o.Data) > 0 || o.Next != rec.all {
		t.Errorf("%+v", o)
	}
}

func TestLimits(t *testing.T) {
	w := newWorld(t)
	now := w.store.dir.Now()
	for i := range 105 {
		id := strings.ToLower(state.NewID(now))
		r := Record{ID: id, State: Ended, EndedAt: now.Add(-time.Duration(100-i) * time.Second)}
		switch i {
		case 100:
			r.EndedAt = now.Add(-25 * time.Hour)
		case 101:
			r.EndedAt = now.Add(-23 * time.Hour)
		}
		if err := w.store.write(&r); err != nil {
			t.Fatal(err)
		}
	}
	r := w.start(t, sandbox.None, "true "+strings.Repeat("x", 600))
	if want := "true " + strings.Repeat("x", 495) + "…"; r.Command != want {
		t.Errorf("the command is %q", r.Command)
	}
	w.ended(t, r.ID)
	all, err := w.store.List()
	// The last 100 that ended, the one of 25 hours ago among them, and the new one.
	if err != nil || len(all) != 100 || all[len(all)-1].ID != r.ID {
		t.Errorf("%d jobs, %v", len(all), err)
	}
	for _, one := range all {
		if one.EndedAt.Before(now.Add(-24*time.Hour)) && one.ID != r.ID {
			t.Errorf("%+v is still there", one)
		}
	}
	if !slices.ContainsFunc(all, func(one Record) bool { return one.EndedAt.Equal(now.Add(-23 * time.Hour)) }) {
		t.Error("the one of 23 hours ago is gone")
	}
	// 32 may run: the supervisor of these is this process, which holds the locks.
	occupy := func() {
		t.Helper()
		id := strings.ToLower(state.NewID(now))
		if err := w.store.write(&Record{ID: id, State: Running, Supervisor: process.This()}); err != nil {
			t.Fatal(err)
		}
		unlock, err := w.store.dir.Lock(t.Context(), lockOf(id))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := unlock(); err != nil {
				t.Error(err)
			}
		})
	}
	for range 31 {
		occupy()
	}
	if r, err := w.try(t, sandbox.None, "true"); err != nil {
		t.Errorf("the last one: %v", err)
	} else {
		w.ended(t, r.ID)
	}
	occupy()
	if _, err := w.try(t, sandbox.None, "true"); !fault.Is(err, fault.RateLimited) {
		t.Errorf("one too many: %v", err)
	}
}

// TestDamagedRecord is a record that another program wrote over.
func TestDamagedRecord(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, sandbox.None, "true")
	w.ended(t, r.ID)
	for _, text := range []string{"", "{", `{"id":"x"}`} {
		if err := w.store.dir.WriteFile(fileOf(r.ID), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := w.store.Get(r.ID); !fault.Is(err, fault.IOError) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if all, err := w.store.List(); err != nil || len(all) != 0 {
		t.Errorf("%+v %v", all, err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.store.dir.WriteFile(fileOf(r.ID), text); err != nil {
		t.Fatal(err)
	}
	if got, err := w.store.Get(r.ID); err != nil || got.State != Lost {
		t.Errorf("a record that says it runs: %+v %v", got, err)
	}
}
