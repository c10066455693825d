package task_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/task"
	"github.com/helve-dev/helve/pkg/state"
)

// world is a workspace whose clock stands until a test moves it.
type world struct {
	t          *testing.T
	base, root string
	mu         sync.Mutex
	now        time.Time

	result   string // of the jobs; "" while they are at work
	canceled string // the job
}

// Result is what jobs came to.
func (w *world) Result(context.Context, string) (json.RawMessage, error) {
	if w.result == "" {
		return nil, nil
	}
	return json.RawMessage(w.result), nil
}

// Cancel cancels a job.
func (w *world) Cancel(_ context.Context, job string) error {
	w.canceled = job
	return nil
}

func newWorld(t *testing.T) *world {
	return &world{t: t, base: t.TempDir(), root: t.TempDir(), now: time.Now()}
}

// store returns the tasks as another process has them.
func (w *world) store() *task.Store {
	w.t.Helper()
	dir, err := state.Open(w.base, w.root, state.Options{Now: func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.now
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	return task.New(dir, w, fault.English)
}

func (w *world) wait(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// begin begins a task whose call ends with the context that is returned.
func (w *world) begin(s *task.Store) (*task.Run, context.Context) {
	w.t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	w.t.Cleanup(func() { cancel(nil) })
	r, err := s.Begin("me", cancel)
	if err != nil {
		w.t.Fatal(err)
	}
	return r, ctx
}

func (w *world) get(s *task.Store, id string) task.Task {
	w.t.Helper()
	t, err := s.Get(w.t.Context(), "me", id)
	if err != nil {
		w.t.Fatal(err)
	}
	return t
}

// What a task came to is known to every process, until its time is over, which begins
// with its end.
func TestKept(t *testing.T) {
	w := newWorld(t)
	s, other := w.store(), w.store()
	r, _ := w.begin(s)
	id := r.Task().ID
	if got := w.get(other, id); got.Status != task.Working || got.Result != nil {
		t.Fatalf("%+v", got)
	}
	w.wait(3 * task.Keep) // it takes long
	if got := w.get(other, id); got.Status != task.Working {
		t.Fatalf("%+v", got)
	}
	if err := r.Complete(json.RawMessage(`{"content":[]}`), false); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, one := range []*task.Store{s, other, w.store()} {
		if got := w.get(one, id); got.Status != task.Completed || string(got.Result) != `{"content":[]}` || got.TTL != 4*task.Keep {
			t.Errorf("%+v", got)
		}
	}
	if err := other.Cancel(w.t.Context(), "me", id); err != nil {
		t.Errorf("the cancellation of what has ended: %v", err)
	}
	w.wait(task.Keep + time.Second)
	if _, err := other.Get(w.t.Context(), "me", id); !fault.Is(err, fault.NotFound) {
		t.Errorf("a task whose time is over: %v", err)
	}
}

// Nobody can tell a task of somebody else from one that there never was, and no id leads
// out of the directory.
func TestUnknown(t *testing.T) {
	w := newWorld(t)
	s := w.store()
	r, _ := w.begin(s)
	id := r.Task().ID
	if len(id) != 26 {
		t.Errorf("an id of %d characters", len(id))
	}
	_, none := s.Get(w.t.Context(), "me", strings.Repeat("A", 26))
	for name, err := range map[string]error{
		"get":    func() error { _, err := s.Get(w.t.Context(), "you", id); return err }(),
		"update": s.Update("you", id, nil),
		"cancel": s.Cancel(w.t.Context(), "you", id),
		"none":   none,
	} {
		if !fault.Is(err, fault.NotFound) || err.Error() != none.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bad := range []string{"", ".", "..", "../" + id, id + "/task.json", strings.ToLower(id), id + "\x00", strings.Repeat("../", 9)[:26]} {
		if _, err := s.Get(w.t.Context(), "me", bad); !fault.Is(err, fault.NotFound) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if got := r.Task(); got.Status != task.Working {
		t.Errorf("somebody else changed it: %+v", got)
	}
}

// A request is asked until it is answered, once, under a key that no other one has.
func TestAsked(t *testing.T) {
	w := newWorld(t)
	s, other := w.store(), w.store()
	r, ctx := w.begin(s)
	id := r.Task().ID
	ask := func(names ...string) chan string {
		requests := map[string]json.RawMessage{}
		for _, name := range names {
			requests[name] = json.RawMessage(`{"method":"roots/list"}`)
		}
		got := make(chan string, 1)
		asked := make(chan struct{})
		go func() {
			close(asked)
			answers, err := r.Ask(ctx, requests)
			text, _ := json.Marshal(answers)
			got <- string(text) + errorText(err)
		}()
		<-asked
		for r.Task().Status != task.InputRequired { // it is about to ask
			if len(got) > 0 {
				t.Fatal(<-got)
			}
		}
		return got
	}
	answer := func(name, value string) {
		if err := s.Update("me", id, map[string]json.RawMessage{name: json.RawMessage(value), "other": nil}); err != nil {
			t.Fatal(err)
		}
	}
	first := ask("a", "b")
	answer("a", "1")
	answer("a", "2") // it has been answered
	if got := w.get(other, id); got.Status != task.InputRequired || !slices.Equal(slices.Collect(maps.Keys(got.Requests)), []string{"b"}) {
		t.Fatalf("%+v", got)
	}
	if err := other.Update("me", id, nil); !fault.Is(err, fault.Unsupported) {
		t.Errorf("an answer to another process: %v", err)
	}
	answer("b", "3")
	if got := <-first; got != `{"a":1,"b":3}` {
		t.Error(got)
	}
	if got := w.get(other, id); got.Status != task.Working || len(got.Requests) > 0 {
		t.Errorf("%+v", got)
	}
	second := ask("a")
	answer("a", "4") // that was the first one
	if got := w.get(s, id); got.Requests["a-2"] == nil || len(got.Requests) != 1 {
		t.Fatalf("%+v", got)
	}
	answer("a-2", "5")
	if got := <-second; got != `{"a":5}` {
		t.Error(got)
	}
	third := ask("c")
	if err := s.Cancel(w.t.Context(), "me", id); err != nil {
		t.Fatal(err)
	}
	if got := <-third; got != "null"+task.ErrCanceled.Error() {
		t.Error(got)
	}
}

func errorText(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// A task that is canceled while its call ends is what it came to first; a call that
// failed since then was canceled.
func TestCanceled(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(r *task.Run) error
		want task.Status
	}{
		"failed":   {func(r *task.Run) error { return r.Complete(json.RawMessage(`{}`), true) }, task.Canceled},
		"done":     {func(r *task.Run) error { return r.Complete(json.RawMessage(`{}`), false) }, task.Completed},
		"protocol": {func(r *task.Run) error { return r.Fail(&task.Error{Message: "no"}) }, task.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.store()
			r, ctx := w.begin(s)
			id := r.Task().ID
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if err := s.Cancel(w.t.Context(), "me", id); err != nil {
						t.Error(err)
					}
				})
			}
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), task.ErrCanceled) {
				t.Error(context.Cause(ctx))
			}
			if err := c.end(r); err != nil {
				t.Fatal(err)
			}
			all.Wait()
			if got := w.get(s, id); got.Status != c.want || got.Error != nil || (got.Result != nil) != (c.want == task.Completed) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// At the end of a process its tasks are canceled, but for those of sub-agents.
func TestClosed(t *testing.T) {
	w := newWorld(t)
	s, other := w.store(), w.store()
	r, ctx := w.begin(s)
	job, _ := w.begin(s)
	if err := job.Delegated("01jobjob"); err != nil {
		t.Fatal(err)
	}
	go func() {
		<-ctx.Done()
		if err := r.Complete(nil, true); err != nil {
			t.Error(err)
		}
	}()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := w.get(other, r.Task().ID); got.Status != task.Canceled {
		t.Errorf("%+v", got)
	}
	if got := w.get(other, job.Task().ID); got.Status != task.Working || got.Job != "01jobjob" {
		t.Errorf("%+v", got)
	}
	if err := job.Fail(&task.Error{Message: "late"}); err != nil { // it is not this process's any more
		t.Fatal(err)
	}
	w.result = `{"content":[]}`
	if got := w.get(other, job.Task().ID); got.Status != task.Completed || string(got.Result) != w.result {
		t.Errorf("%+v", got)
	}
	if again, _ := w.begin(s); w.get(other, again.Task().ID).Status != task.Working {
		t.Error("it cannot be used again")
	}
}

// The task of a sub-agent can be canceled when its process has died.
func TestOrphanCanceled(t *testing.T) {
	w := newWorld(t)
	s, other := w.store(), w.store()
	job, _ := w.begin(s)
	if err := job.Delegated("01jobjob"); err != nil {
		t.Fatal(err)
	}
	if err := other.Cancel(t.Context(), "me", job.Task().ID); !fault.Is(err, fault.Unsupported) {
		t.Errorf("the task of a process that lives: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := other.Cancel(t.Context(), "me", job.Task().ID); err != nil || w.canceled != "01jobjob" {
		t.Errorf("%v, %q", err, w.canceled)
	}
	if got := w.get(w.store(), job.Task().ID); got.Status != task.Canceled {
		t.Errorf("%+v", got)
	}
}

// There is an end to how many tasks one process carries out.
func TestLimited(t *testing.T) {
	w := newWorld(t)
	s := w.store()
	var runs []*task.Run
	for range 64 {
		r, _ := w.begin(s)
		runs = append(runs, r)
	}
	if _, err := s.Begin("me", nil); !fault.Is(err, fault.Unavailable) {
		t.Fatalf("%v", err)
	}
	if err := runs[0].Complete(nil, false); err != nil {
		t.Fatal(err)
	}
	w.begin(s)
}

// A damaged record is said to be one, and files are the person's alone.
func TestDamaged(t *testing.T) {
	w := newWorld(t)
	s := w.store()
	r, _ := w.begin(s)
	found, err := filepath.Glob(filepath.Join(w.base, "*", "tasks", r.Task().ID, "task.json"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for _, text := range []string{"", "{", "[]", `{"status":"done"}`, `{"id":"` + r.Task().ID + `","status":"completed"}`} {
		if err := os.WriteFile(found[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := w.store().Get(w.t.Context(), "me", r.Task().ID); err == nil {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
