package approval

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// A standing approval holds for its call, under any policy and for any time, until it
// is revoked.
func TestStanding(t *testing.T) {
	s, clock := fresh(t)
	if a, err := s.Stands("cron:a", call()); a != nil || err != nil {
		t.Fatalf("nobody decided: %v, %v", a, err)
	}
	if err := s.Stand(t.Context(), "cron:a", call(), "REQUEST", "ann"); err != nil {
		t.Fatal(err)
	}
	if a, err := s.Stands("cron:b", call()); a != nil || err != nil {
		t.Errorf("another owner: %v, %v", a, err)
	}
	clock.forward(10_000 * time.Hour)
	for _, c := range []struct {
		what   string
		holds  bool
		change func(*Call)
	}{
		{"the same", true, func(*Call) {}},
		{"another spelling", true, func(c *Call) { c.Args = []byte(`{"content":"be kind","path":"SOUL.md"}`) }},
		{"another policy", true, func(c *Call) { c.Binding.Policy = "p2" }},
		{"another session", true, func(c *Call) { c.Session = "other" }},
		{"another tool", false, func(c *Call) { c.Tool = "edit" }},
		{"other arguments", false, func(c *Call) { c.Args = []byte(`{"path":"SOUL.md"}`) }},
		{"another directory", false, func(c *Call) { c.Binding.DirID = "1:3" }},
		{"another program", false, func(c *Call) { c.Binding.Program = "x" }},
		{"another file", false, func(c *Call) { c.Binding.Targets[1].SHA = "bb" }},
	} {
		now := call()
		c.change(&now)
		a, err := s.Stands("cron:a", now)
		if c.holds && (err != nil || a == nil || a.Request != "REQUEST" || a.By != "ann") || !c.holds && !fault.Is(err, fault.ApprovalStale) {
			t.Errorf("%s: %+v, %v", c.what, a, err)
		}
	}
	for range 2 {
		if err := s.Revoke("cron:a"); err != nil {
			t.Fatal(err)
		}
	}
	if a, err := s.Stands("cron:a", call()); a != nil || err != nil {
		t.Errorf("revoked: %v, %v", a, err)
	}
}

// What was written without the key counts nothing, nor does the file of another owner.
func TestStandingIsSealed(t *testing.T) {
	s, _ := fresh(t)
	if err := s.Stand(t.Context(), "cron:a", call(), "R", "ann"); err != nil {
		t.Fatal(err)
	}
	base, err := s.dir.Path()
	if err != nil {
		t.Fatal(err)
	}
	file := func(owner string) string { return filepath.Join(base, filepath.FromSlash(standingFile(owner))) }
	sealed, err := os.ReadFile(file("cron:a"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"copied": sealed,
		"forged": []byte(`{"request":{"for":"cron:b","digest":"` + "00" + `"},"mac":"00"}`),
		"empty":  nil,
	} {
		if err := os.WriteFile(file("cron:b"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if a, err := s.Stands("cron:b", call()); a != nil || err != nil {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, keyFile), make([]byte, 32), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, err := s.Stands("cron:a", call()); a != nil || err != nil {
		t.Errorf("another key: %v, %v", a, err)
	}
}
