package policy_test

import (
	"testing"

	"github.com/helve-dev/helve/pkg/policy"
)

// A rule closes a tool if no argument of a call can make a difference.
func TestCloses(t *testing.T) {
	network := true
	for _, c := range []struct {
		name string
		rule policy.Rule
		want bool
	}{
		{"tool", policy.Rule{Tool: "web*", Decision: policy.Deny, Why: "it is."}, true},
		{"every tool", policy.Rule{Tool: "*", Decision: policy.Deny}, true},
		{"another tool", policy.Rule{Tool: "write", Decision: policy.Deny}, false},
		{"this project", policy.Rule{Tool: "websearch", Project: "app", Decision: policy.Deny}, true},
		{"another project", policy.Rule{Tool: "websearch", Project: "lib", Decision: policy.Deny}, false},
		{"a switch that is on", policy.Rule{Tool: "websearch", Requires: []string{"memory"}, Decision: policy.Deny}, true},
		{"a switch that is off", policy.Rule{Tool: "websearch", Requires: []string{"other"}, Decision: policy.Deny}, false},
		{"asks", policy.Rule{Tool: "websearch", Decision: policy.Ask}, false},
		{"allows", policy.Rule{Tool: "websearch", Decision: policy.Allow}, false},
		{"risk", policy.Rule{Tool: "websearch", Risk: policy.Read, Decision: policy.Deny}, false},
		{"network", policy.Rule{Tool: "websearch", Network: &network, Decision: policy.Deny}, false},
		{"host", policy.Rule{Tool: "websearch", Host: "*", Decision: policy.Deny}, false},
		{"path", policy.Rule{Tool: "websearch", Path: "**", Read: policy.Deny}, false},
		{"command", policy.Rule{Tool: "websearch", Argv: [][]string{{"rm"}}, Decision: policy.Deny}, false},
	} {
		p, err := policy.New([]policy.Given{{Rule: c.rule}}, policy.Options{Switches: []string{"memory", "other"}, On: []string{"memory"}})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := p.Closes(policy.Project{ID: "app"}, "websearch"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
