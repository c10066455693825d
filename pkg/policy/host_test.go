package policy

import (
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

func TestHosts(t *testing.T) {
	on, off := true, false
	rules := func(rules ...Rule) *Policy {
		t.Helper()
		var given []Given
		for _, r := range rules {
			given = append(given, Given{r, "test"})
		}
		p, err := New(given, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	web := func(tool string, hosts ...string) Request {
		return Request{Tool: tool, Risk: Read, Web: true, Hosts: hosts}
	}
	p := rules(
		Rule{Host: "Example.org", Decision: Deny},
		Rule{Host: "*.ask.example", Decision: Ask},
		Rule{Tool: "fetch", Host: "one.example", Decision: Deny},
		Rule{Host: "good.ask.example", Decision: Allow},
	)
	for _, tt := range []struct {
		request Request
		want    Verdict
	}{
		{web("fetch", "example.org"), Deny},
		{web("fetch", "www.example.org"), Deny},
		{web("fetch", "badexample.org"), Allow},
		{web("fetch", "example.org.evil.example"), Allow},
		{web("fetch", "ask.example"), Ask},
		{web("fetch", "good.ask.example"), Ask}, // the strictest counts
		{web("fetch", "fine.example", "example.org"), Deny},
		{web("fetch", "one.example"), Deny},
		{web("other", "one.example"), Allow},
		{web("websearch"), Allow},
		{Request{Tool: "read", Risk: Read, Paths: []Path{{Path: "example.org", Use: schema.ReadPath}}}, Allow},
	} {
		if got := p.Decide(tt.request); got.Verdict != tt.want {
			t.Errorf("%+v: %+v", tt.request, got)
		}
	}
	// A rule about the network is about tools that reach the web, and by default
	// their risk is all there is to them.
	p = rules(Rule{Network: &on, Decision: Deny}, Rule{Network: &off, Decision: Ask})
	for _, tt := range []struct {
		request Request
		want    Verdict
	}{
		{web("websearch"), Deny}, {web("fetch", "example.org"), Deny},
		{Request{Tool: "read", Risk: Read, Paths: []Path{{Path: "a", Use: schema.ReadPath}}}, Ask},
	} {
		if got := p.Decide(tt.request); got.Verdict != tt.want {
			t.Errorf("%+v: %+v", tt.request, got)
		}
	}

	// Redirects are followed where the rules let them.
	p = rules(Rule{Host: "no.example", Decision: Deny}, Rule{Host: "ask.example", Decision: Ask}, Rule{Host: "yes.example", Decision: Allow})
	for _, tt := range []struct {
		host  string
		asked bool
		ok    bool
	}{
		{"no.example", false, false}, {"no.example", true, false}, {"www.no.example", true, false},
		{"ask.example", true, true}, {"ask.example", false, false}, {"yes.example", false, true}, {"other.example", false, true},
	} {
		err := p.Reach(tt.host, tt.asked)
		if (err == nil) != tt.ok || err != nil && !fault.Is(err, fault.Denied) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	if err := rules(Rule{Host: "*", Decision: Deny}).Reach("any.example", true); !fault.Is(err, fault.Denied) {
		t.Error(err)
	}

	for _, bad := range []Rule{
		{Host: "https://example.org", Decision: Deny}, {Host: "example.org/", Decision: Deny}, {Host: "a b", Decision: Deny}, {Host: "*.*", Decision: Deny}, {Host: ".example.org", Decision: Deny},
		{Host: "bücher.example", Decision: Deny}, {Host: "x", Path: "y", Decision: Deny}, {Host: "x", Argv: [][]string{{"y"}}, Decision: Deny}, {Host: "x"},
	} {
		if len(bad.Check(nil)) == 0 {
			t.Errorf("%+v", bad)
		}
	}
}
