package policy

import (
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestCommands(t *testing.T) {
	p := build(t, Options{},
		Rule{Argv: [][]string{{"git"}, {"fetch", "pull"}}, Decision: Allow, Match: [][]string{{"git", "pull", "-q"}}, NotMatch: [][]string{{"git", "push"}, {"./git", "pull"}}},
		Rule{Argv: [][]string{{"npm"}}, Decision: Deny})
	network := func(argv ...string) Request {
		return Request{Tool: "exec", Risk: Write, Commands: []Command{{Argv: argv, Risk: Write, Network: true}}}
	}
	both := network("git", "pull")
	both.Commands = append(both.Commands, Command{Argv: []string{"ssh", "x"}, Risk: Write, Network: true})
	for _, c := range []struct {
		q    Request
		want Verdict
	}{
		{network("git", "fetch"), Allow}, {network("git", "pull", "x"), Allow}, {network("git", "push"), Ask}, {network("git"), Ask},
		{network("/tmp/git", "pull"), Ask}, {network("GIT", "pull"), Ask}, // not what was allowed
		{both, Ask}, // every command counts
		{network("npm"), Deny}, {network("/usr/bin/npm", "i"), Deny}, {network("NPM.exe"), Deny}, {network("npmx"), Ask},
	} {
		if d := p.Decide(c.q); d.Verdict != c.want {
			t.Errorf("%v: %+v", c.q.Commands, d)
		}
	}
}

// A redirection is not covered by a rule about the command it belongs to, and
// the network is a matter of its own.
func TestCommandParts(t *testing.T) {
	yes := true
	policy := func(rules ...Rule) *Policy {
		t.Helper()
		given := make([]Given, len(rules))
		for i, r := range rules {
			given[i] = Given{Rule: r, From: "test"}
		}
		p, err := New(given, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	push := Command{Argv: []string{"git", "push"}, Risk: Destructive, Network: true}
	allowed := Rule{Argv: [][]string{{"git"}, {"push"}}, Decision: Allow}
	for _, c := range []struct {
		name string
		rule []Rule
		q    Request
		want Verdict
	}{
		{"nothing said", nil, Request{Risk: Destructive, Network: true, Commands: []Command{push}}, Ask},
		{"the command allowed", []Rule{allowed}, Request{Risk: Destructive, Network: true, Commands: []Command{push}}, Allow},
		{"its redirection not", []Rule{allowed}, Request{Risk: Destructive, Network: true, Commands: []Command{push}, Rest: Command{Risk: Destructive}}, Ask},
		{"a harmless one is", []Rule{allowed}, Request{Risk: Destructive, Network: true, Commands: []Command{push}, Rest: Command{Risk: Write}}, Allow},
		{"a socket not", []Rule{allowed}, Request{Risk: Destructive, Network: true, Commands: []Command{push}, Rest: Command{Risk: Write, Network: true}}, Ask},
		{"the network granted", nil, Request{Risk: Write, Network: true, Granted: true, Commands: []Command{{Argv: []string{"curl"}, Risk: Write, Network: true}}}, Allow},
		{"and not what destroys", nil, Request{Risk: Destructive, Network: true, Granted: true, Commands: []Command{push}}, Ask},
		{"the network allowed", []Rule{{Network: &yes, Decision: Allow}}, Request{Risk: Write, Network: true, Commands: []Command{{Argv: []string{"curl"}, Risk: Write, Network: true}}}, Allow},
		{"and not what destroys by it", []Rule{{Network: &yes, Decision: Allow}}, Request{Risk: Destructive, Network: true, Commands: []Command{push}}, Ask},
		{"forbidden whatever allows", []Rule{allowed}, Request{Risk: Destructive, Network: true, Commands: []Command{push}, Forbidden: fault.T("no")}, Deny},
	} {
		c.q.Tool = "exec"
		if d := policy(c.rule...).Decide(c.q); d.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.name, d.Verdict, c.want)
		}
	}
}
