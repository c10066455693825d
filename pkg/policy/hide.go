package policy

import (
	"github.com/helve-dev/helve/pkg/schema"
)

// Hides gives what tells the paths that none of the named tools may read, so
// that tools which go through trees pass them over: those that a rule denies or
// asks about, and those of a switch that is off. It is nil where the rules speak
// of no such path, and may be called by several goroutines at once.
func (p *Policy) Hides(in Place, tools ...string) func(name string) bool {
	var speaking []*rule
	for i := range p.rules {
		if r := &p.rules[i]; r.hides() && r.about(tools) && r.holds(in, Deny) {
			speaking = append(speaking, r)
		}
	}
	if len(speaking) == 0 {
		return nil
	}
	return func(name string) bool {
		at := placeOf(name)
		for _, r := range speaking {
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

func (r *rule) about(tools []string) bool {
	for _, t := range tools {
		if t != "" && r.matchTool(t) {
			return true
		}
	}
	return false
}
