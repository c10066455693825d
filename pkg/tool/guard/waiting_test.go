package guard_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// With this variable set, the test binary decides about a request instead of testing.
const decideEnv = "GUARD_TEST_DECIDE"

func TestMain(m *testing.M) {
	if what := os.Getenv(decideEnv); what != "" {
		os.Exit(decideElsewhere(what, os.Args[1], os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

func decideElsewhere(what, base, root, id string) int {
	dir, err := state.Open(base, root, state.Options{})
	if err == nil {
		store := approval.NewStore(dir)
		if what == "approve" {
			_, err = store.Approve(context.Background(), id, "ann")
		} else {
			_, err = store.Deny(context.Background(), id, "ann", "not mine")
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// waiter is a world whose calls wait for a person.
type waiter struct {
	t        *testing.T
	env      *tool.Env
	base     string
	approver *guard.Approver
	store    *approval.Store
	ran      atomic.Int64
}

func newWaiter(t *testing.T, long time.Duration) *waiter {
	t.Helper()
	w := &waiter{t: t}
	w.env, w.base = world(t)
	w.approver, w.store = deciding(t, w.env)
	w.approver.Wait = long
	w.env.Decide, w.env.Patience = w.approver.Decide, long
	return w
}

// call makes a call that the policy asks about.
func (w *waiter) call(ctx context.Context, path string) guard.Outcome {
	probe := doing(policy.Destructive, func(context.Context, *tool.Call, args) (map[string]string, error) {
		w.ran.Add(1)
		return map[string]string{"path": path}, nil
	})
	return guard.Run(ctx, w.env, probe, []byte(`{"path":"`+path+`","text":"x"}`))
}

// state returns the state of a request.
func (w *waiter) state(id string) approval.State {
	w.t.Helper()
	r, err := w.store.Get(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return r.State
}

// A call that nobody decides about in time is denied where it is not made again, and
// nobody can allow it later. Else its caller learns how to go on.
func TestUndecided(t *testing.T) {
	for _, told := range []bool{true, false} {
		w := newWaiter(t, 5*time.Minute)
		var begun, ended int
		var took time.Duration
		if told {
			w.approver.Waiting = func(_ context.Context, r *approval.Request) (func() error, error) {
				if begun++; r.Tool != "probe" || r.State != approval.Pending {
					t.Errorf("%+v", r)
				}
				return func() error { ended++; return nil }, nil
			}
		}
		var o guard.Outcome
		var requests []approval.Request
		var err error
		synctest.Test(t, func(t *testing.T) {
			at := time.Now()
			o = w.call(t.Context(), "a.txt")
			took = time.Since(at)
			requests, err = w.store.List() // at this time
		})
		if err != nil || len(requests) != 1 || w.ran.Load() != 0 || took < 5*time.Minute || o.Err == nil {
			t.Fatalf("told %v: %d requests, %v, ran %d times after %v: %v", told, len(requests), err, w.ran.Load(), took, o.Err)
		}
		if !told {
			if o.Err.Code != fault.ApprovalRequired || requests[0].State != approval.Pending {
				t.Errorf("%v, %s", o.Err, requests[0].State)
			}
			continue
		}
		if o.Err.Code != fault.Denied || !strings.Contains(o.Err.Hint.In(fault.English), "go on without it") || requests[0].State != approval.Expired || begun != 1 || ended != 1 {
			t.Errorf("%v, %s, told %d, ended %d", o.Err, requests[0].State, begun, ended)
		}
		if _, err := w.store.Approve(t.Context(), requests[0].ID, "ann"); !fault.Is(err, fault.ApprovalInvalid) {
			t.Errorf("too late: %v", err)
		}
	}
}

// Two calls wait at once, and other processes decide about each: the one runs, and the
// other reads as what the person said.
func TestDecidedElsewhere(t *testing.T) {
	w := newWaiter(t, time.Minute)
	root, err := w.env.Root()
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	both.Add(2)
	var over atomic.Int64
	w.approver.Waiting = func(ctx context.Context, r *approval.Request) (func() error, error) {
		both.Done()
		both.Wait() // neither is decided about before the other waits
		what := "deny"
		if strings.Contains(string(r.Args), "good.txt") {
			what = "approve"
		}
		c := exec.CommandContext(ctx, exe, w.base, root.Dir(), r.ID)
		c.Env, c.Stderr = append(os.Environ(), decideEnv+"="+what), os.Stderr
		if err := c.Start(); err != nil {
			return nil, err
		}
		return func() error {
			if n := w.ran.Load(); what == "approve" && n > 0 {
				t.Errorf("it ran before the end of waiting was told")
			}
			over.Add(1)
			return c.Wait()
		}, nil
	}
	outcomes := map[string]guard.Outcome{}
	var mu sync.Mutex
	var calls sync.WaitGroup
	for _, path := range []string{"good.txt", "bad.txt"} {
		calls.Go(func() {
			o := w.call(t.Context(), path)
			mu.Lock()
			defer mu.Unlock()
			outcomes[path] = o
		})
	}
	calls.Wait()
	if o := outcomes["good.txt"]; o.Err != nil || string(o.JSON) != `{"path":"good.txt"}` {
		t.Errorf("%+v", o)
	}
	if o := outcomes["bad.txt"]; o.Err == nil || o.Err.Code != fault.Rejected || !strings.Contains(o.Err.Message.In(fault.English), "not mine") {
		t.Errorf("%+v", o)
	}
	if w.ran.Load() != 1 || over.Load() != 2 {
		t.Errorf("ran %d times, waiting ended %d times", w.ran.Load(), over.Load())
	}
}

// Whatever ends waiting but a decision leaves nothing that a person could still allow.
func TestWaitingCutShort(t *testing.T) {
	broken := fault.New(fault.Conflict, fault.T("the job is another's"))
	for _, c := range []struct {
		what    string
		waiting func(w *waiter, cancel context.CancelFunc, r *approval.Request) (func() error, error)
		want    fault.Code
	}{
		{"canceled", func(_ *waiter, cancel context.CancelFunc, _ *approval.Request) (func() error, error) {
			cancel()
			return func() error { return nil }, nil
		}, fault.Canceled},
		{"canceled, and approved at the same time", func(w *waiter, cancel context.CancelFunc, r *approval.Request) (func() error, error) {
			_, err := w.store.Approve(context.Background(), r.ID, "ann")
			cancel()
			return func() error { return nil }, err
		}, fault.Canceled},
		{"nobody can be told", func(*waiter, context.CancelFunc, *approval.Request) (func() error, error) {
			return nil, broken
		}, fault.Conflict},
		{"nobody can be told of the end", func(w *waiter, _ context.CancelFunc, r *approval.Request) (func() error, error) {
			_, err := w.store.Approve(context.Background(), r.ID, "ann")
			return func() error { return broken }, err
		}, fault.Conflict},
	} {
		w := newWaiter(t, time.Minute)
		ctx, cancel := context.WithCancel(t.Context())
		var id string
		w.approver.Waiting = func(_ context.Context, r *approval.Request) (func() error, error) {
			id = r.ID
			return c.waiting(w, cancel, r)
		}
		o := w.call(ctx, "a.txt")
		cancel()
		if o.Err == nil || o.Err.Code != c.want || w.ran.Load() != 0 {
			t.Errorf("%s: %v, ran %d times", c.what, o.Err, w.ran.Load())
		}
		if s := w.state(id); s != approval.Expired {
			t.Errorf("%s: the request is %s", c.what, s)
		}
	}
}
