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

// maxRules is how many rules hold at once.
const maxRules = 2000

// Given is a rule with the words for where it comes from, such as a file and a
// line.
type Given struct {
	Rule Rule
	From string
}

// Options are what holds beside the rules.
type Options struct {
	ReadOnly bool     // everything but reading is denied
	Switches []string // the names of all switches
	On       []string // those that are on
	Home     string   // the person's home directory, absolute; "" if unknown
}

// Policy is a set of rules that were checked. It does not change.
type Policy struct {
	rules    []rule
	opt      Options
	revision func() (string, error)
}

// rule is a rule ready to be matched.
type rule struct {
	Given
	glob glob
	off  bool // a switch that it requires is off
}

// New checks the rules and makes them a policy. The error is not_configured and
// lists every problem of every rule; there is no policy of the rules that are
// left, since one that is dropped may be one that denies.
func New(rules []Given, opt Options) (*Policy, error) {
	p := &Policy{opt: opt}
	var problems []fault.Text
	if len(rules) > maxRules {
		problems = append(problems, fault.T("there are %d rules; at most %d are taken", "规则共 %d 条，最多 %d 条", len(rules), maxRules))
		rules = nil
	}
	for _, given := range rules {
		for _, problem := range given.Rule.Check(opt.Switches) {
			problems = append(problems, fault.T("rule %s%s: %s", "规则 %s%s：%s", given.From, problem.Pointer, problem.Message))
		}
		r := rule{Given: given}
		if given.Rule.Path != "" {
			r.glob, _ = parseGlob(given.Rule.Path) // a bad one was told above
		}
		r.off = slices.ContainsFunc(given.Rule.Requires, func(name string) bool { return !slices.Contains(opt.On, name) })
		p.rules = append(p.rules, r)
	}
	if len(problems) > 0 {
		return nil, fault.New(fault.NotConfigured, fault.T("the rules cannot be used: %s", "规则无法使用：%s", fault.Join(problems, "; ", "；"))).
			WithHint(fault.T("mend the configuration; helve config validate explains it", "请修正配置；helve config validate 会说明原因"))
	}
	p.revision = sync.OnceValues(func() (string, error) { return p.digest(rules) })
	return p, nil
}

// generation changes whenever the built-in decisions do, so that an approval
// given under others is stale.
const generation = 1

func (p *Policy) digest(rules []Given) (string, error) {
	bare := make([]Rule, len(rules))
	for i, given := range rules {
		bare[i] = given.Rule
	}
	text, err := schema.Marshal(struct {
		Generation int
		ReadOnly   bool
		On         []string
		Rules      []Rule
	}{generation, p.opt.ReadOnly, slices.Sorted(slices.Values(p.opt.On)), bare})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Revision is the SHA-256, 64 hex digits, of all that the policy decides by. Only
// a call that a person is asked about needs it.
func (p *Policy) Revision() (string, error) { return p.revision() }

// Rules lists the rules that exist: those whose switches are on, in their order.
func (p *Policy) Rules() []Given {
	var active []Given
	for _, r := range p.rules {
		if !r.off {
			active = append(active, r.Given)
		}
	}
	return active
}

// Path is the verdict of the rules about a use of a path, as far as it
// depends on the path alone; a walk through a tree asks it about every file. It
// is Allow where no rule speaks.
func (p *Policy) Path(in Place, name string, use schema.PathUse) Verdict {
	if p.opt.ReadOnly && use != schema.ReadPath {
		return Deny
	}
	verdict := Allow
	at := placeOf(name)
	for i := range p.rules {
		r := &p.rules[i]
		if r.Rule.Path == "" || r.Rule.Tool != "" || r.Rule.Risk != "" || r.Rule.Network != nil || r.Rule.Host != "" {
			continue
		}
		switch {
		case !r.glob.matchFolded(at, false), r.Rule.Project != "" && r.Rule.Project != in.Project:
		case r.off:
			return Deny
		default:
			verdict = strictest(verdict, r.Rule.verdict(use))
		}
	}
	return verdict
}

// NarrowsPaths reports whether [Policy.Path] may give anything but Allow where
// the policy is not read-only.
func (p *Policy) NarrowsPaths() bool {
	return slices.ContainsFunc(p.rules, func(r rule) bool { return r.Rule.Path != "" })
}

// holds reports whether a rule's verdict holds in a place. What is allowed is
// allowed in the caller's own project unless the rule names another.
func (r *rule) holds(in Place, v Verdict) bool {
	if r.Rule.Project == "" {
		return v != Allow || r.off || !in.Foreign
	}
	return r.Rule.Project == in.Project
}

// matchTool reports whether a rule is about a tool.
func (r *rule) matchTool(tool string) bool {
	if r.Rule.Tool == "" {
		return true
	}
	ok, err := path.Match(r.Rule.Tool, tool)
	return ok && err == nil
}
