package job

import (
	"bytes"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestHeld: a command that becomes a job as it runs has all of its output, ends when
// somebody stops it, and keeps what it came to.
func TestHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.store.Hold()
	h.Write([]byte("before\n"))
	stopped := make(chan struct{})
	r, err := h.Become(t.Context(), Record{Command: "x"}, func() { close(stopped) })
	if err != nil || r.State != Running || r.Bytes != 7 {
		t.Fatalf("%+v, %v", r, err)
	}
	h.Write([]byte("after\n"))
	if now, err := w.store.Get(r.ID); err != nil || now.State != Running || now.Bytes != 13 {
		t.Errorf("%+v, %v", now, err)
	}
	ended := make(chan struct{}) // the job has ended before, and its lock is free only then
	go func() {
		defer close(ended)
		<-stopped
		h.Write([]byte("end\n"))
		if err := h.End(func(r *Record) { r.State, r.ExitCode = Stopped, -1 }); err != nil {
			t.Error(err)
		}
	}()
	now, err := w.store.Stop(t.Context(), r.ID)
	if err != nil || now.State != Stopped || now.Bytes != 17 {
		t.Errorf("%+v, %v", now, err)
	}
	if o, err := w.store.Read(r.ID, 0, 100); err != nil || string(o.Data) != "before\nafter\nend\n" {
		t.Errorf("%q, %v", o.Data, err)
	}
	<-ended
}

// TestHeldEnds: of a command that ends before it becomes a job nothing is left, however
// much it printed.
func TestHeldEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.store.Hold()
	h.Write(bytes.Repeat([]byte("x"), 3*heldBytes))
	if names, err := w.store.dir.List(jobsDir); err != nil || len(names) == 0 {
		t.Errorf("all of it is in memory: %v", err)
	}
	if err := h.End(func(*Record) { t.Error("it is no job") }); err != nil {
		t.Error(err)
	}
	if names, err := w.store.dir.List(jobsDir); err != nil || len(names) > 0 {
		t.Errorf("%s, %v", strings.Join(names, " "), err)
	}
	if _, err := h.Become(t.Context(), Record{}, nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("it became a job after its end: %v", err)
	}
}

// TestHeldLost: a job is lost when the process that holds it has died.
func TestHeldLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.store.Hold()
	r, err := h.Become(t.Context(), Record{Command: "x"}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	close(h.ended) // as the kernel ends it
	if err := h.unlock(); err != nil {
		t.Fatal(err)
	}
	if now, err := w.store.Get(r.ID); err != nil || now.State != Lost {
		t.Errorf("%+v, %v", now, err)
	}
}
