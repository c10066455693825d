package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// maxRules limits the rules in force.
const maxRules = 2000

// Given is a rule with its source.
type Given struct {
	Rule Rule
	From string // such as a file and a line
}

// Options are the other inputs of a policy besides its rules.
type Options struct {
	ReadOnly bool     // deny everything but reading
	Switches []string // the names of all switches
	On       []string // the switches that are on
	Home     string   // the person's home directory, absolute; "" if unknown
	Undoable bool     // deleting what undo restores is no reason to ask
}

// Policy is a set of checked rules. It does not change.
type Policy struct {
	rules    []rule
	opt      Options
	revision func() (string, error)
}

// rule is a rule that is ready to be matched.
type rule struct {
	Given
	glob glob
	off  bool // a switch that it requires is off
}

// New checks the rules and makes a policy of them. The error is not_configured and
// lists every problem of every rule. With one bad rule there is no policy, since that
// rule may be one that denies.
func New(rules []Given, opt Options) (*Policy, error) {
	p := &Policy{opt: opt}
	var problems []fault.Text
	if len(rules) > maxRules {
		problems = append(problems, fault.T("there are %d rules; the limit is %d", len(rules), maxRules))
		rules = nil
	}
	for _, given := range rules {
		for _, problem := range given.Rule.Check(opt.Switches) {
			problems = append(problems, fault.T("rule %s%s: %s", given.From, problem.Pointer, problem.Message))
		}
		r := rule{Given: given}
		if given.Rule.Path != "" {
			r.glob, _ = parseGlob(given.Rule.Path) // Check lists a bad one
		}
		r.off = slices.ContainsFunc(given.Rule.Requires, func(name string) bool { return !slices.Contains(opt.On, name) })
		p.rules = append(p.rules, r)
	}
	if len(problems) > 0 {
		return nil, fault.New(fault.NotConfigured, fault.T("the rules cannot be used: %s", fault.Join(problems, "; "))).
			WithHint(fault.T("correct the configuration; helve config validate explains it"))
	}
	p.revision = sync.OnceValues(func() (string, error) { return p.digest(rules) })
	return p, nil
}

// With returns the policy with one more rule.
func (p *Policy) With(more Given) (*Policy, error) {
	rules := make([]Given, 0, len(p.rules)+1)
	for _, r := range p.rules {
		rules = append(rules, r.Given)
	}
	return New(append(rules, more), p.opt)
}

// generation changes whenever the built-in decisions do, so that approvals under
// the old ones are stale.
const generation = 2

func (p *Policy) digest(rules []Given) (string, error) {
	plain := make([]Rule, len(rules))
	for i, given := range rules {
		plain[i] = given.Rule
	}
	text, err := schema.Marshal(struct {
		Generation int
		ReadOnly   bool
		Undoable   bool
		On         []string
		Rules      []Rule
	}{generation, p.opt.ReadOnly, p.opt.Undoable, slices.Sorted(slices.Values(p.opt.On)), plain})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Revision returns the SHA-256, in 64 hex digits, of everything that the policy
// decides by. It is computed at the first call.
func (p *Policy) Revision() (string, error) { return p.revision() }

// Rules returns the rules whose switches are on, in their order.
func (p *Policy) Rules() []Given {
	var active []Given
	for _, r := range p.rules {
		if !r.off {
			active = append(active, r.Given)
		}
	}
	return active
}

// Path returns the verdict on a use of a path, by the rules that depend on the path
// alone. It is Allow where no rule matches. It is cheap enough for every file of a
// tree.
func (p *Policy) Path(in Project, name string, use schema.PathUse) Verdict {
	if p.opt.ReadOnly && use != schema.ReadPath {
		return Deny
	}
	verdict := Allow
	at := namesOf(name)
	for i := range p.rules {
		r := &p.rules[i]
		if r.Rule.Path == "" || r.Rule.Tool != "" || r.Rule.Risk != "" || r.Rule.Network != nil || r.Rule.Host != "" {
			continue
		}
		switch {
		case !r.glob.matchFolded(at, false), r.Rule.Project != "" && r.Rule.Project != in.ID:
		case r.off:
			return Deny
		default:
			verdict = strictest(verdict, r.Rule.verdict(use))
		}
	}
	return verdict
}

// Permits reports whether a rule allows changing a path and none asks about that or
// denies it: then the path is not protected for what other programs do with it.
func (p *Policy) Permits(in Project, name string) bool {
	verdict := Verdict("")
	at := namesOf(name)
	for i := range p.rules {
		r := &p.rules[i]
		if r.Rule.Path == "" || r.Rule.Tool != "" || r.Rule.Risk != "" || r.Rule.Network != nil || r.Rule.Host != "" || r.off {
			continue
		}
		v := r.Rule.verdict(schema.WritePath)
		if v != "" && r.holds(in, v) && (v == Allow && r.glob.match(at) || v != Allow && r.glob.matchFolded(at, false)) {
			verdict = strictest(verdict, v)
		}
	}
	return verdict == Allow
}

// NarrowsPaths reports whether any rule is about a path. If not, [Policy.Path] of a
// policy that is not read-only always returns Allow.
func (p *Policy) NarrowsPaths() bool {
	return slices.ContainsFunc(p.rules, func(r rule) bool { return r.Rule.Path != "" })
}

// holds reports whether a verdict of a rule holds in a project. A rule that names no
// project allows in the caller's own alone.
func (r *rule) holds(in Project, v Verdict) bool {
	if r.Rule.Project == "" {
		return v != Allow || r.off || !in.Foreign
	}
	return r.Rule.Project == in.ID
}

// matchTool reports whether a rule is about a tool.
func (r *rule) matchTool(tool string) bool {
	if r.Rule.Tool == "" {
		return true
	}
	ok, err := path.Match(r.Rule.Tool, tool)
	return ok && err == nil
}
