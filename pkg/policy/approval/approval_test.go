package approval

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func fresh(t testing.TB) (*Store, *clock) {
	t.Helper()
	c := &clock{now: time.Unix(1_000_000_000, 0)}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d, err := state.Open(filepath.Join(base, "state"), t.TempDir(), state.Options{Now: c.Now, LockWait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return NewStore(d), c
}

func call() Call {
	return Call{
		Tool: "write", Args: json.RawMessage(`{ "path":"SOUL.md", "content":"be kind" }`), Risk: "write", Session: "s",
		Binding: Binding{Dir: "/w", DirID: "1:2", Policy: "p1", Targets: []Target{{"b", ""}, {"SOUL.md", "aa"}}},
		Reasons: []Words{{"it is who you are", "这是你"}}, Preview: "-be\n+be kind\n",
	}
}

func ask(t *testing.T, s *Store) *Request {
	t.Helper()
	r, err := s.New(t.Context(), call())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func wantCode(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("%v, want %s", err, code)
	}
}

func TestLife(t *testing.T) {
	s, _ := fresh(t)
	r := ask(t, s)
	if got, err := s.Get(strings.ToLower(r.ID)); err != nil || cmp.Diff(r, got) != "" {
		t.Errorf("%v %s", err, cmp.Diff(r, got))
	}
	if again := ask(t, s); again.ID != r.ID {
		t.Error("the same call waits twice")
	}
	_, err := s.Redeem(t.Context(), r.ID, call())
	wantCode(t, err, fault.ApprovalRequired)
	if _, err := s.Approve(t.Context(), r.ID, "ann"); err != nil {
		t.Fatal(err)
	}
	_, err = s.Approve(t.Context(), r.ID, "bob")
	wantCode(t, err, fault.ApprovalInvalid)
	same := call()
	same.Args = json.RawMessage(`{"content":"be\u0020kind","path":"SOUL.md"}`) // another spelling
	same.Binding.Targets = []Target{{"SOUL.md", "aa"}, {"b", ""}}
	used, err := s.Redeem(t.Context(), r.ID, same)
	if err != nil || used.State != Used || used.DecidedBy != "ann" || string(used.Args) != `{"content":"be kind","path":"SOUL.md"}` {
		t.Errorf("%+v, %v", used, err)
	}
	_, err = s.Redeem(t.Context(), r.ID, same)
	wantCode(t, err, fault.ApprovalInvalid)
	_, err = s.Deny(t.Context(), r.ID, "ann", "too late")
	wantCode(t, err, fault.ApprovalInvalid)
	if next := ask(t, s); next.ID == r.ID {
		t.Error("a used request was given again")
	}
	for _, id := range []string{"", "x", "../../etc/passwd", strings.Repeat("A", 26), strings.Repeat("a", 300)} {
		_, err = s.Redeem(t.Context(), id, call())
		wantCode(t, err, fault.ApprovalInvalid)
	}
}

func TestDenial(t *testing.T) {
	s, _ := fresh(t)
	r := ask(t, s)
	if _, err := s.Deny(t.Context(), r.ID, "ann", "Leave my <soul> alone!"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Redeem(t.Context(), r.ID, call())
	wantCode(t, err, fault.Rejected)
	for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
		if m := fault.As(err).Message.In(lang); !strings.Contains(m, "Leave my <soul> alone!") {
			t.Error(m)
		}
	}
	_, err = s.Approve(t.Context(), r.ID, "ann")
	wantCode(t, err, fault.ApprovalInvalid)
}

// A decision in the last moment counts; without one nobody can decide any more.
func TestLapse(t *testing.T) {
	decisions := map[State]func(s *Store, id string) (*Request, error){
		Expired:  func(s *Store, id string) (*Request, error) { return s.Get(id) },
		Approved: func(s *Store, id string) (*Request, error) { return s.Approve(t.Context(), id, "ann") },
		Denied:   func(s *Store, id string) (*Request, error) { return s.Deny(t.Context(), id, "ann", "no") },
		Used: func(s *Store, id string) (*Request, error) {
			if _, err := s.Approve(t.Context(), id, "ann"); err != nil {
				return nil, err
			}
			return s.Redeem(t.Context(), id, call())
		},
	}
	for want, decide := range decisions {
		s, _ := fresh(t)
		r := ask(t, s)
		if _, err := decide(s, r.ID); err != nil {
			t.Fatal(err)
		}
		lapsed, err := s.Lapse(t.Context(), r.ID)
		if err != nil || lapsed.State != want {
			t.Errorf("%+v, %v, want %s", lapsed, err, want)
		}
		if kept, err := s.Get(r.ID); err != nil || kept.State != want {
			t.Errorf("%+v, %v, want %s", kept, err, want)
		}
		if want == Expired {
			_, err := s.Approve(t.Context(), r.ID, "ann")
			wantCode(t, err, fault.ApprovalInvalid)
		}
	}
}

func TestDrift(t *testing.T) {
	s, _ := fresh(t)
	for _, c := range []struct {
		change func(*Call)
		want   []drift
	}{
		{func(c *Call) { c.Tool = "edit" }, []drift{{What: "tool"}}},
		{func(c *Call) { c.Args = json.RawMessage(`{"path":"SOUL.md","content":"be mean"}`) }, []drift{{What: "args"}}},
		{func(c *Call) { c.Args = json.RawMessage(`{`) }, []drift{{What: "args"}}},
		{func(c *Call) { c.Binding.Dir = "/x" }, []drift{{What: "dir"}}},
		{func(c *Call) { c.Binding.DirID = "1:3" }, []drift{{What: "dir"}}},
		{func(c *Call) { c.Binding.Policy = "p2" }, []drift{{What: "policy"}}},
		{func(c *Call) { c.Binding.Program = "/bin/rm" }, []drift{{What: "program"}}},
		{func(c *Call) { c.Binding.Targets = []Target{{"SOUL.md", "bb"}, {"b", ""}} }, []drift{{"target", "SOUL.md"}}},
		{func(c *Call) { c.Binding.Targets = []Target{{"SOUL.md", "aa"}, {"b", "cc"}, {"c", ""}} }, []drift{{"target", "b"}, {"target", "c"}}},
		{func(c *Call) { c.Binding.Targets = nil }, []drift{{"target", "SOUL.md"}, {"target", "b"}}},
	} {
		r := ask(t, s)
		if r.State == Pending {
			if _, err := s.Approve(t.Context(), r.ID, "ann"); err != nil {
				t.Fatal(err)
			}
		}
		now := call()
		c.change(&now)
		if d := cmp.Diff(c.want, r.drifted(now)); d != "" {
			t.Error(d)
		}
		_, err := s.Redeem(t.Context(), r.ID, now)
		wantCode(t, err, fault.ApprovalStale)
		another := c.want[0].What == "tool" || c.want[0].What == "args" || now.Binding.Dir != r.Binding.Dir
		_, err = s.Redeem(t.Context(), r.ID, call())
		if another && err != nil {
			t.Errorf("%v: another call spent the decision: %v", c.want, err)
		}
		if !another {
			wantCode(t, err, fault.ApprovalStale) // although everything is again as it was
			if got, err := s.Get(r.ID); err != nil || got.State != Expired || cmp.Diff(c.want, got.Drifted) != "" {
				t.Errorf("%+v, %v", got, err)
			}
			_, err = s.Approve(t.Context(), r.ID, "ann")
			wantCode(t, err, fault.ApprovalStale)
		}
	}
}

// TestWithdraw asks anew about a call whose request was withdrawn, decided or not,
// and leaves one alone that is used.
func TestWithdraw(t *testing.T) {
	s, _ := fresh(t)
	waiting := ask(t, s)
	for _, approve := range []bool{false, true} {
		if approve {
			if _, err := s.Approve(t.Context(), waiting.ID, "ann"); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Withdraw(t.Context(), waiting.ID); err != nil {
			t.Fatal(err)
		}
		_, err := s.Redeem(t.Context(), waiting.ID, call())
		wantCode(t, err, fault.ApprovalInvalid)
		again := ask(t, s)
		if again.ID == waiting.ID || again.State != Pending {
			t.Errorf("%+v", again)
		}
		waiting = again
	}
	if _, err := s.Approve(t.Context(), waiting.ID, "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redeem(t.Context(), waiting.ID, call()); err != nil {
		t.Fatal(err)
	}
	if err := s.Withdraw(t.Context(), waiting.ID); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Get(waiting.ID); err != nil || r.State != Used {
		t.Errorf("%+v %v", r, err)
	}
}

func TestExpiry(t *testing.T) {
	s, c := fresh(t)
	waiting, approved := ask(t, s), call()
	approved.Session = "other"
	second, err := s.New(t.Context(), approved)
	if err != nil || second.ID == waiting.ID {
		t.Fatal(err)
	}
	if _, err := s.Approve(t.Context(), second.ID, "ann"); err != nil {
		t.Fatal(err)
	}
	c.forward(10*time.Minute - 1)
	if r, err := s.Get(waiting.ID); err != nil || r.State != Pending {
		t.Errorf("%+v, %v", r, err)
	}
	c.forward(1)
	_, err = s.Approve(t.Context(), waiting.ID, "ann")
	wantCode(t, err, fault.ApprovalInvalid)
	_, err = s.Redeem(t.Context(), second.ID, approved)
	wantCode(t, err, fault.ApprovalInvalid)
	all, err := s.List()
	if err != nil || len(all) != 2 || all[0].State != Expired || all[1].State != Expired {
		t.Errorf("%+v, %v", all, err)
	}
	c.forward(24 * time.Hour)
	if all, err = s.List(); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	third := ask(t, s)
	if all, err = s.List(); err != nil || len(all) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.Withdraw(t.Context(), third.ID); err != nil {
		t.Fatal(err)
	}
	c.forward(24*time.Hour + 1)
	last := ask(t, s)
	if all, err = s.List(); err != nil || len(all) != 1 || all[0].ID != last.ID {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestTooMany(t *testing.T) {
	s, c := fresh(t)
	for i := range 100 {
		one := call()
		one.Args = json.RawMessage(`{"n":` + string(rune('0'+i%10)) + `,"m":` + string(rune('0'+i/10%10)) + `,"l":` + string(rune('0'+i/100)) + `}`)
		if _, err := s.New(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.New(t.Context(), call())
	wantCode(t, err, fault.RateLimited)
	c.forward(10 * time.Minute)
	ask(t, s)
}

func TestTooLarge(t *testing.T) {
	s, _ := fresh(t)
	large := call()
	large.Preview = strings.Repeat("+", 8<<20-2<<10)
	if _, err := s.New(t.Context(), large); err != nil {
		t.Error(err)
	}
	large.Preview, large.Session = strings.Repeat("+", 8<<20), "other"
	_, err := s.New(t.Context(), large)
	wantCode(t, err, fault.TooLarge)
}

func TestWaitAndWatch(t *testing.T) {
	s, _ := fresh(t)
	r := ask(t, s)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		go func() {
			time.Sleep(10 * time.Second) //nolint:forbidigo // of the bubble's clock
			if _, err := s.Deny(ctx, r.ID, "ann", "no"); err != nil {
				t.Error(err)
			}
		}()
		var states []State
		for r, err := range s.Watch(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, r.State)
			if r.State != Pending {
				break
			}
		}
		if d := cmp.Diff([]State{Pending, Denied}, states); d != "" {
			t.Error(d)
		}
		if got, err := s.Wait(ctx, r.ID); err != nil || got.Reason != "no" {
			t.Errorf("%+v, %v", got, err)
		}
		second := ask(t, s)
		if _, err := s.Wait(ctx, second.ID); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

func TestRequired(t *testing.T) {
	c := call()
	c.Preview = "+a\x1b[2Jb\u202e\n"
	c.Reasons = append(c.Reasons, Words{"p\u0430th\u200bx is written", "p\u0430th\u200bx"})
	r := &Request{ID: "X", Call: c}
	e := r.Required(fault.Chinese)
	text, err := json.Marshal(e.Details)
	if err != nil || e.Code != fault.ApprovalRequired || !strings.Contains(string(text), `"reasons":["这是你",`) || !strings.Contains(string(text), `+a\\u{1b}[2Jb\\u{202e}\n`) ||
		strings.ContainsAny(e.Error()+string(text), "\u0430\u200b") || !strings.Contains(e.Error(), `p\u{430}th\u{200b}x`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestNoStateNoApproval(t *testing.T) {
	s, _ := fresh(t)
	if all, err := s.List(); err != nil || len(all) != 0 {
		t.Error(all, err)
	}
	if _, err := s.Get(strings.Repeat("A", 26)); !fault.Is(err, fault.ApprovalInvalid) || errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}
