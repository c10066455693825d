package policy

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/schema"
)

// TestBy checks which rule a decision names when several parts have the same verdict.
func TestBy(t *testing.T) {
	two := Request{Tool: "exec", Risk: Write, Commands: []Command{{Argv: []string{"plain"}, Risk: Write}, {Argv: []string{"named"}, Risk: Write}, {Argv: []string{"other"}, Risk: Write}}}
	p := build(t, Options{}, Rule{Argv: [][]string{{"named"}}, Decision: Allow}, Rule{Argv: [][]string{{"other"}}, Decision: Allow})
	if d := p.Decide(two); d.Verdict != Allow || d.By != ByRule || d.Rule == nil || d.Rule.From != "#1" {
		t.Errorf("%+v", d)
	}
	p = build(t, Options{}, Rule{Argv: [][]string{{"named"}}, Decision: Allow}, Rule{Argv: [][]string{{"other"}}, Decision: Deny})
	if d := p.Decide(two); d.Verdict != Deny || d.Rule == nil || d.Rule.From != "#2" {
		t.Errorf("%+v", d)
	}
	if d := build(t, Options{}).Decide(two); d.By != ByDefault || d.Rule != nil {
		t.Errorf("%+v", d)
	}
}

// TestPartsOfCommands has paths that a command line names: their risk is what is done
// to them, whatever the commands do besides.
func TestPartsOfCommands(t *testing.T) {
	p := build(t, Options{}, Rule{Risk: Write, Decision: Deny})
	q := run(Read, "cat")
	for use, want := range map[schema.PathUse]Verdict{schema.ReadPath: Allow, schema.WritePath: Deny, schema.CreatePath: Deny} {
		q.Paths = []Path{{Path: "a", Use: use}}
		if d := p.Decide(q); d.Verdict != want {
			t.Errorf("%s: %s", use, d.Verdict)
		}
	}
	// Only reading is allowed, and a redirection writes.
	redirected := run(Read, "cat")
	redirected.Rest = Command{Risk: Write}
	if d := build(t, Options{ReadOnly: true}).Decide(redirected); d.Verdict != Deny {
		t.Errorf("a redirection is %s", d.Verdict)
	}
	if d := build(t, Options{ReadOnly: true}).Decide(run(Read, "cat")); d.Verdict != Allow {
		t.Errorf("reading is %s", d.Verdict)
	}
}

func TestReasonNamesPart(t *testing.T) {
	p := build(t, Options{})
	network := run(Write, "curl", "x")
	network.Commands[0].Network = true
	for want, q := range map[string]Request{
		"rm x may destroy":        run(Destructive, "rm", "x"),
		"spawn may destroy":       {Tool: "spawn", Risk: Destructive},
		"curl x reaches the net":  network,
		"message reaches the net": {Tool: "message", Risk: Write, Network: true},
		"delete of a may destroy": touch("delete", Destructive, Path{Path: "a", Use: schema.RemovePath}),
	} {
		d := p.Decide(q)
		if d.Verdict != Ask || len(d.Why()) == 0 || !strings.Contains(d.Why()[0].String(), want) {
			t.Errorf("%s: %s %s", want, d.Verdict, d.Why())
		}
	}
}

func TestPermits(t *testing.T) {
	on := true
	for _, c := range []struct {
		rules []Rule
		want  bool
	}{
		{nil, false},
		{[]Rule{{Path: "x", Write: Allow}}, true},
		{[]Rule{{Path: "X", Write: Allow}}, false},
		{[]Rule{{Path: "y", Write: Allow}}, false},
		{[]Rule{{Path: "x", Read: Allow}}, false},
		{[]Rule{{Path: "x", Write: Allow}, {Path: "X", Write: Ask}}, false},
		{[]Rule{{Path: "x", Write: Allow}, {Path: "x", Write: Deny}}, false},
		{[]Rule{{Path: "x", Write: Allow}, {Path: "y", Write: Deny}}, true},
		{[]Rule{{Path: "x", Tool: "write", Write: Allow}}, false},
		{[]Rule{{Path: "x", Risk: Write, Write: Allow}}, false},
		{[]Rule{{Path: "x", Network: &on, Write: Allow}}, false},
		{[]Rule{{Path: "x", Write: Allow, Requires: []string{"memory"}}}, false}, // which is off
	} {
		if got := build(t, Options{}, c.rules...).Permits(Project{}, "x"); got != c.want {
			t.Errorf("%+v: %t", c.rules, got)
		}
	}
	foreign := Project{ID: "other", Foreign: true}
	if build(t, Options{}, Rule{Path: "x", Write: Allow}).Permits(foreign, "x") {
		t.Error("a rule without a project permits in another one")
	}
}

func TestNarrowsPaths(t *testing.T) {
	if build(t, Options{}, Rule{Tool: "read", Decision: Deny}).NarrowsPaths() || !build(t, Options{}, Rule{Tool: "read", Decision: Deny}, Rule{Path: "x", Read: Deny}).NarrowsPaths() {
		t.Error("wrong")
	}
}

// TestReachIgnores has rules that are about no host.
func TestReachIgnores(t *testing.T) {
	p := build(t, Options{}, Rule{Tool: "fetch", Decision: Deny}, Rule{Tool: "*", Decision: Ask})
	for _, host := range []string{"example.org", "example.", ""} {
		if err := p.Reach(host, false); err != nil {
			t.Errorf("%q: %v", host, err)
		}
	}
}

// TestCwdNeedsArgv has rules about a directory: they are about commands that run there.
func TestCwdNeedsArgv(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		good bool
	}{
		{Rule{Argv: [][]string{{"make"}}, Cwd: "/src", Decision: Allow}, true},
		{Rule{Argv: [][]string{{"make"}}, Cwd: "src", Decision: Allow}, false},
		{Rule{Argv: [][]string{{"make"}}, Cwd: "/src/", Decision: Allow}, false},
		{Rule{Tool: "exec", Cwd: "/src", Decision: Allow}, false},
		{Rule{Argv: [][]string{{"make"}}, Decision: Allow}, true},
	} {
		if _, err := New(given(c.rule), Options{}); (err == nil) != c.good {
			t.Errorf("%+v: %v", c.rule, err)
		}
	}
}
