package policy

import "reflect"

// Closes reports whether a rule denies a tool whatever it is called with, so that there
// is no use in offering it.
func (p *Policy) Closes(in Project, tool string) bool {
	for i := range p.rules {
		r := &p.rules[i]
		plain := Rule{Tool: r.Rule.Tool, Project: r.Rule.Project, Decision: Deny, Requires: r.Rule.Requires, Why: r.Rule.Why}
		if !r.off && r.matchTool(tool) && r.holds(in, Deny) && reflect.DeepEqual(r.Rule, plain) {
			return true
		}
	}
	return false
}
