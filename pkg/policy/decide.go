package policy

import (
	"cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Source is the source of a decision.
type Source string

// The sources of a decision.
const (
	ByRule     Source = "rule"
	ByDefault  Source = "default"
	ByBuiltIn  Source = "built-in" // cannot be configured
	ByReadOnly Source = "readonly"
	ByHook     Source = "hook"
	BySwitch   Source = "switch" // a switch that the path needs is off
)

// Decision is the verdict on a request.
type Decision struct {
	Verdict Verdict
	By      Source
	Rule    *Given       // the rule that decided; nil unless By is ByRule or BySwitch
	Reasons []fault.Text // why it is not Allow, the decisive one first
	// Implied are reasons that the judgement of a call, or a reason about another part of it,
	// gives more exactly.
	Implied []fault.Text

	matched []Match
}

// Decide returns the strictest of the verdicts on the parts of a request. See the
// package comment for how a part is decided.
func (p *Policy) Decide(q Request) Decision {
	d := Decision{Verdict: Allow, By: ByDefault}
	for _, part := range p.parts(&q) {
		d.join(p.part(&q, part))
	}
	return d
}

// join adds the decision about one more part.
func (d *Decision) join(other Decision) {
	d.matched = append(d.matched, other.matched...)
	d.Implied = append(d.Implied, other.Implied...)
	switch {
	case other.Verdict.Stricter(d.Verdict):
		d.Verdict, d.By, d.Rule = other.Verdict, other.By, other.Rule
		d.Reasons = append(other.Reasons, d.Reasons...)
	case other.Verdict == d.Verdict && d.By == ByDefault && other.By != ByDefault:
		d.By, d.Rule = other.By, other.Rule
		d.Reasons = append(other.Reasons, d.Reasons...)
	default:
		d.Reasons = append(d.Reasons, other.Reasons...)
	}
}

// Why returns the reasons, where no judgement gives any.
func (d Decision) Why() []fault.Text {
	if len(d.Reasons) == 0 {
		return d.Implied
	}
	return d.Reasons
}

// Err returns nil for what is allowed, and otherwise the error of the call: denied,
// not_registered, or approval_required, still without the details of a stored
// request.
func (d Decision) Err() error {
	why := fault.Join(d.Why(), "; ")
	switch {
	case d.Verdict == Allow:
		return nil
	case d.Verdict == Ask:
		return fault.New(fault.ApprovalRequired, fault.T("a person must decide: %s", why))
	case d.By == BySwitch:
		return fault.New(fault.NotRegistered, why).
			WithHint(fault.T("do not use it: only a person can turn the switch on"))
	}
	return fault.New(fault.Denied, fault.T("denied: %s", why)).
		WithHint(fault.T("find another way, or ask the person to change the policy"))
}

// part is one thing that a rule can be about: a path, a command, a host, or, if
// none of them is set, the call as a whole.
type part struct {
	path    *Path
	command *Command
	host    string
	risk    Risk
	network bool
}

// parts takes a request apart.
func (p *Policy) parts(q *Request) []part {
	var parts []part
	most := -1
	for i := range q.Commands {
		c := &q.Commands[i]
		most = max(most, c.Risk.level())
		parts = append(parts, part{command: c, risk: c.Risk, network: c.Network})
	}
	if q.Rest.Risk != "" && (q.Rest.Risk.level() > 0 || q.Rest.Network) {
		most = max(most, q.Rest.Risk.level())
		parts = append(parts, part{risk: q.Rest.Risk, network: q.Rest.Network})
	}
	for i := range q.Paths {
		risk := q.Risk
		if len(q.Commands) > 0 || q.Rest.Risk != "" { // the commands have their own risk
			if risk = Write; q.Paths[i].Use == schema.ReadPath {
				risk = Read
			}
		}
		if loss := q.Paths[i].Loss; loss != nil {
			risk = Worst(risk, p.RiskOfLoss(*loss))
		}
		parts = append(parts, part{path: &q.Paths[i], risk: risk, network: q.Network && len(q.Commands) == 0})
	}
	for _, host := range q.Hosts {
		risk := q.Risk
		if len(q.Commands) > 0 { // which have their own
			risk = Read
		}
		parts = append(parts, part{host: host, risk: risk})
	}
	// A call may be riskier as a whole than any of its parts.
	if len(parts) == 0 || len(q.Commands) > 0 && q.Risk.level() > most {
		parts = append(parts, part{risk: q.Risk, network: q.Network})
	}
	return parts
}

// about names the part in messages.
func (t part) about() string {
	switch {
	case t.path != nil:
		return t.path.Path
	case t.command != nil:
		return line(t.command.Argv)
	}
	return t.host
}

// part decides about one part.
func (p *Policy) part(q *Request, t part) Decision {
	if why := p.forbidden(q, t); !why.IsZero() {
		return Decision{Verdict: Deny, By: ByBuiltIn, Reasons: []fault.Text{why}}
	}
	changes := q.Risk.level() > 0 || t.risk.level() > 0 || t.path != nil && t.path.Use != schema.ReadPath
	if p.opt.ReadOnly && changes {
		return Decision{Verdict: Deny, By: ByReadOnly, Reasons: []fault.Text{
			fault.T("%s changes something, and only reading is allowed", q.Tool)}}
	}
	var d Decision
	for i := range p.rules {
		r := &p.rules[i]
		v := r.verdict(q, t)
		if v == "" || !r.holds(q.Project, v) {
			continue
		}
		by, given := ByRule, r.Given
		if r.off {
			if t.path == nil || r.Rule.Path == "" {
				continue
			}
			by, v = BySwitch, Deny
		}
		d.matched = append(d.matched, Match{given, v, t.about()})
		if v.Stricter(d.Verdict) {
			d.Verdict, d.By, d.Rule = v, by, &given
		}
	}
	if d.Verdict == "" {
		d.By = ByDefault
		var why fault.Text
		implied := t.path == nil && (t.risk.level() == 2 || t.command != nil && t.command.Shared)
		switch d.Verdict, why = p.fallback(q, t); {
		case why.IsZero():
		case implied:
			d.Implied = []fault.Text{why}
		default:
			d.Reasons = []fault.Text{why}
		}
		return d
	}
	if d.Verdict != Allow {
		d.Reasons = []fault.Text{d.reason(t)}
	}
	return d
}

// verdict returns a rule's verdict on a part; "" where the rule does not match.
func (r *rule) verdict(q *Request, t part) Verdict {
	switch {
	case !r.matchTool(q.Tool),
		r.Rule.Risk != "" && r.Rule.Risk.level() != t.risk.level(),
		r.Rule.Network != nil && *r.Rule.Network != (t.network || q.Web):
		return ""
	case r.Rule.Host != "" && (t.host == "" || !onHost(r.Rule.Host, t.host)):
		return ""
	case r.Rule.Path != "":
		return r.onPath(t)
	case r.Rule.Decision == Allow && r.Rule.Network != nil && *r.Rule.Network && r.Rule.Risk == "" && len(r.Rule.Argv) == 0 && t.risk.level() == 2:
		return "" // allowing the network does not allow destructive commands that use it
	case len(r.Rule.Argv) > 0:
		if t.command == nil || r.Rule.Cwd != "" && r.Rule.Cwd != q.Cwd || !r.Rule.matchArgv(t.command.Argv, r.Rule.Decision != Allow) {
			return ""
		}
	}
	return r.Rule.Decision
}

// onPath returns the verdict of a rule about paths on a part. A rule that is off
// denies its paths, whatever is done to them.
func (r *rule) onPath(t part) Verdict {
	if t.path == nil {
		return ""
	}
	at := namesOf(t.path.Path)
	// What changes a directory changes the files in it.
	below := t.path.Tree && t.path.Use != schema.ReadPath
	v := r.Rule.verdict(t.path.Use)
	if r.off {
		v = Deny
	}
	if v == Allow && r.glob.match(at) || v != Allow && r.glob.matchFolded(at, below) {
		return v
	}
	return ""
}

// fallback is the verdict where no rule matches.
func (p *Policy) fallback(q *Request, t part) (Verdict, fault.Text) {
	network := t.path == nil && t.network && !q.Granted
	var why fault.Text
	switch {
	case t.path != nil && t.path.Obeyed:
		why = fault.T("other programs run or obey %s", t.path.Path)
	case t.risk.level() == 2 && t.path != nil && t.path.Loss != nil:
		why = t.path.Loss.why(q.Tool, t.path.Path)
	case t.risk.level() == 2 && t.path != nil:
		why = fault.T("%s of %s may destroy or leak something", q.Tool, t.path.Path)
	case t.risk.level() == 2 && t.command != nil:
		why = fault.T("%s may destroy or leak something", t.about())
	case t.risk.level() == 2:
		why = fault.T("%s may destroy or leak something", q.Tool)
	case network && t.command != nil && t.command.Shared:
		why = fault.T("%s gets the network, too", t.about())
	case network && t.command != nil:
		why = fault.T("%s reaches the network", t.about())
	case network:
		why = fault.T("%s reaches the network", q.Tool)
	case q.Unconfined && t.risk.level() > 0 && t.path == nil:
		why = fault.T("%s may change files, and there is no sandbox to hold it to the workspace", cmp.Or(t.about(), q.Tool))
	case q.Standing:
		why = fault.T("%s leaves a command that runs while nobody is asked", q.Tool)
	default:
		return Allow, fault.Text{}
	}
	return Ask, why
}

// reason returns the reason why a rule does not allow a part.
func (d *Decision) reason(t part) fault.Text {
	about := cmp.Or(t.about(), d.Rule.Rule.Tool, "*")
	var text fault.Text
	switch {
	case d.By == BySwitch:
		return fault.T("%s is not available: a switch that it needs is off", about)
	case d.Verdict == Ask && t.path != nil:
		text = fault.T("rule %s asks before %s of %s", d.Rule.From, operation(t.path.Use), about)
	case d.Verdict == Ask:
		text = fault.T("rule %s asks before %s", d.Rule.From, about)
	case t.path != nil:
		text = fault.T("rule %s denies %s of %s", d.Rule.From, operation(t.path.Use), about)
	default:
		text = fault.T("rule %s denies %s", d.Rule.From, about)
	}
	if d.Rule.Rule.Why != "" {
		text = fault.T("%s (%s)", text, d.Rule.Rule.Why)
	}
	return text
}
