package policy

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/schema"
)

// FuzzDecide adds a rule that narrows, of whatever spelling, to a policy: no
// request may be decided more leniently than before, nor anything panic.
func FuzzDecide(f *testing.F) {
	f.Add("SOUL.md", "soul.md", "rm", "-rf /")
	f.Add("{a,b}/**/[x-z]*", "a/q/y", "helve", "approve x")
	f.Add("**/", "a\u0308/..", "", "")
	f.Fuzz(func(t *testing.T, pattern, name, program, words string) {
		allow := Rule{Path: "**", Decision: Allow}
		narrow := Rule{Path: pattern, Write: Deny, Read: Ask}
		argv := append([]string{program}, strings.Fields(words)...)
		command := Rule{Argv: [][]string{{program}}, Decision: Deny}
		before, err := New(given(allow), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var rules []Given
		for _, g := range given(allow, narrow, command) {
			if len(g.Rule.Check(nil)) == 0 {
				rules = append(rules, g)
			}
		}
		after, err := New(rules, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []Request{
			touch("read", Read, Path{Path: name, Use: schema.ReadPath}), touch("write", Write, Path{Path: name, Use: schema.WritePath}),
			touch("delete", Destructive, Path{Path: name, Use: schema.RemovePath, Tree: true}), run(Write, argv...),
		} {
			if before.Decide(q).Verdict.Stricter(after.Decide(q).Verdict) {
				t.Errorf("%+v: %+v, then %+v", q, before.Decide(q), after.Decide(q))
			}
		}
		if name == pattern && len(rules) > 1 && rules[1].Rule.Path == pattern && !strings.ContainsAny(pattern, `*?[]{}\`) {
			if v := after.Path(Project{}, name, schema.WritePath); v != Deny {
				t.Errorf("%q does not match itself: %s", name, v)
			}
		}
	})
}
