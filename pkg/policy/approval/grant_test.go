package approval

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// A grant holds for the same call of its session, and for nothing else.
func TestGranted(t *testing.T) {
	s, clock := fresh(t)
	granted := func(what string, want bool, change func(*Call)) {
		t.Helper()
		c := call()
		if change != nil {
			change(&c)
		}
		if g, err := s.Granted(c); err != nil || (g != nil) != want {
			t.Errorf("%s: %+v, %v", what, g, err)
		}
	}
	granted("nobody decided", false, nil)
	r := ask(t, s)
	if _, err := s.ApproveSession(t.Context(), r.ID, "me"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ApproveSession(t.Context(), r.ID, "me"); !fault.Is(err, fault.ApprovalInvalid) {
		t.Errorf("a second time: %v", err)
	}
	granted("the same", true, nil)
	granted("in another spelling", true, func(c *Call) { c.Args = []byte(`{"content":"be kind","path":"SOUL.md"}`) })
	granted("another session", false, func(c *Call) { c.Session = "other" })
	granted("other arguments", false, func(c *Call) { c.Args = []byte(`{"content":"be","path":"SOUL.md"}`) })
	granted("another tool", false, func(c *Call) { c.Tool = "edit" })
	granted("another policy", false, func(c *Call) { c.Binding.Policy = "p2" })
	granted("another directory", false, func(c *Call) { c.Binding.DirID = "1:3" })
	granted("another program", false, func(c *Call) { c.Binding.Program = "x" })
	granted("another file", false, func(c *Call) { c.Binding.Targets[1].SHA = "bb" })
	clock.forward(grantLifetime - time.Second)
	granted("at the end of its time", true, nil)
	clock.forward(time.Second)
	granted("after it", false, nil)

	// What expired is removed by the next one.
	next, err := s.New(t.Context(), Call{Tool: "x", Args: []byte(`{}`), Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ApproveSession(t.Context(), next.ID, "me"); err != nil {
		t.Fatal(err)
	}
	names, err := s.dir.List(grantDir)
	if err != nil || len(names) != 1 {
		t.Error(names, err)
	}
	// A file that nobody sealed counts nothing.
	base, err := s.dir.Path()
	if err != nil {
		t.Fatal(err)
	}
	forged := grantFile("s", r.Digest)
	text := `{"request":{"request":"X","session":"s","digest":"` + r.Digest + `","expires":"2099-01-01T00:00:00Z"},"mac":"00"}`
	if err := os.WriteFile(filepath.Join(base, filepath.FromSlash(forged)), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	granted("forged", false, nil)
}

// TestSweepGrants removes every grant that expired and none that holds.
func TestSweepGrants(t *testing.T) {
	s, clock := fresh(t)
	grant := func(tool string) Call {
		t.Helper()
		c := Call{Tool: tool, Args: []byte(`{}`), Session: "s"}
		r, err := s.New(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.ApproveSession(t.Context(), r.ID, "me"); err != nil {
			t.Fatal(err)
		}
		return c
	}
	grant("a")
	grant("b")
	clock.forward(grantLifetime / 2)
	held := grant("c")
	clock.forward(grantLifetime / 2)
	grant("d")
	if g, err := s.Granted(held); err != nil || g == nil {
		t.Errorf("a grant that holds: %v, %v", g, err)
	}
	if names, err := s.dir.List(grantDir); err != nil || len(names) != 2 {
		t.Error(names, err)
	}
}

func FuzzOpenGrant(f *testing.F) {
	now := time.Unix(1_000_000_000, 0)
	key := make([]byte, 32)
	good, err := seal(Grant{Session: "s", Digest: "d", Expires: now.Add(time.Hour)}, key)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if g := openGrant(data, key, now); g != nil && !now.Before(g.Expires) {
			t.Errorf("%+v", g)
		}
	})
}
