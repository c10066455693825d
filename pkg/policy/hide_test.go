package policy

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/helve-dev/helve/pkg/schema"
)

// TestHides checks on random rules that what is hidden from a tool is what a
// call of it would not be allowed to read.
func TestHides(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	verdict := func() Verdict { return Verdict(pick("", "", "allow", "ask", "deny")) }
	hidden, seen, none := 0, 0, 0
	for range 400 {
		var rules []Rule
		for range 1 + r.IntN(3) {
			rule := Rule{
				Path: pick("secret/**", "*.key", "**/*.key", "A/b", "{a,c}/*", "SOUL.md", "a/**/x"),
				Tool: pick("", "", "grep", "gr*", "edit", "read"), Read: verdict(), Write: verdict(), Edit: verdict(), Decision: verdict(),
			}
			if r.IntN(4) == 0 {
				rule.Risk = Risk(pick("read", "write"))
			}
			if r.IntN(4) == 0 {
				rule.Requires = []string{"memory"}
			}
			if rule.Read+rule.Write+rule.Edit+rule.Decision == "" {
				rule.Read = Deny
			}
			rules = append(rules, rule)
		}
		opt := Options{Switches: []string{"memory"}}
		if r.IntN(2) == 0 {
			opt.On = opt.Switches
		}
		p := build(t, opt, rules...)
		hides := p.Hides(Project{}, "grep")
		if hides == nil {
			none++
			hides = func(string) bool { return false }
		}
		for _, name := range []string{"secret", "secret/x/y", "k.key", "d/K.KEY", "a/b", "a", "c/z", "soul.md", "d/SOUL.md", "a/q/r/x", "x"} {
			want := p.Decide(touch("grep", Read, Path{Path: name, Use: schema.ReadPath})).Verdict != Allow
			if got := hides(name); got != want {
				t.Fatalf("%+v, switches %v: %s hidden %v, refused %v", rules, opt.On, name, got, want)
			}
			if want {
				hidden++
			} else {
				seen++
			}
		}
	}
	if hidden < 100 || seen < 100 || none < 10 {
		t.Error(fmt.Sprint(hidden, " hidden, ", seen, " seen, ", none, " without any"))
	}
	p := build(t, Options{}, Rule{Tool: "read", Path: "x", Read: Deny})
	if p.Hides(Project{}, "grep", "") != nil || p.Hides(Project{}, "grep", "read") == nil {
		t.Error("a rule about another tool")
	}
}
