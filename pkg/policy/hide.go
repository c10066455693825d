package policy

import (
	"github.com/helve-dev/helve/pkg/schema"
)

// Hides returns a function that reports whether the named tools may not simply read
// a path: a rule denies it or asks about it, or a switch is off. Tools that walk
// through trees skip such paths. It is nil if no rule is about such a path, and safe
// for concurrent use.
func (p *Policy) Hides(in Project, tools ...string) func(name string) bool {
	var hiding []*rule
	for i := range p.rules {
		if r := &p.rules[i]; r.hides() && r.about(tools) && r.holds(in, Deny) {
			hiding = append(hiding, r)
		}
	}
	if len(hiding) == 0 {
		return nil
	}
	return func(name string) bool {
		at := namesOf(name)
		for _, r := range hiding {
			if r.glob.matchFolded(at, false) {
				return true
			}
		}
		return false
	}
}

// hides reports whether a rule can keep a path from being read.
func (r *rule) hides() bool {
	switch {
	case r.Rule.Path == "", r.Rule.Risk != "" && r.Rule.Risk != Read, r.Rule.Network != nil && *r.Rule.Network:
		return false
	case r.off:
		return true
	}
	return r.Rule.verdict(schema.ReadPath).Stricter(Allow)
}

// about reports whether a rule is about one of the tools.
func (r *rule) about(tools []string) bool {
	for _, t := range tools {
		if t != "" && r.matchTool(t) {
			return true
		}
	}
	return false
}
