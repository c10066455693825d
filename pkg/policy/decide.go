package policy

import (
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Request is what is to be decided. A tool names the paths it touches; a command
// line is given as its simple commands.
type Request struct {
	Tool     string
	Place    Place
	Risk     Risk // of the whole
	Paths    []Path
	Commands []Command
	// Rest is what a command line does outside of its simple commands, by
	// redirections for example. It has no Argv.
	Rest    Command
	Network bool // a command reaches the network
	// Granted says that the settings let commands reach the network, so that this
	// alone is no reason to ask.
	Granted bool
	// Web says that the tool itself reaches the web, as its risk already tells,
	// and Hosts where, as far as that is known beforehand.
	Web   bool
	Hosts []string
	// Unconfined says that nothing holds a command to the workspace: there is no
	// sandbox here, so that even commands which only write are asked about.
	Unconfined bool
	// ForkBomb says that a command line was found to define one.
	ForkBomb bool
	// Forbidden says why a call is denied whatever the rules say; empty for one
	// that is not.
	Forbidden fault.Text
}

// Place is the project that a call works in.
type Place struct {
	Project string // its id; "" is the workspace itself
	Foreign bool   // another than the caller's own
}

// Path is one path that a call touches, relative to the root, links resolved.
type Path struct {
	Path string
	Use  schema.PathUse
	Tree bool // a directory, with everything below it
}

// Command is one simple command, with the risk it has by itself.
type Command struct {
	Argv    []string
	Risk    Risk
	Network bool
}

// Source says what kind of thing decided.
type Source string

// The sources of a decision.
const (
	ByRule     Source = "rule"
	ByDefault  Source = "default"
	ByBuiltIn  Source = "built-in" // cannot be configured away
	ByReadOnly Source = "readonly"
	BySwitch   Source = "switch" // a switch that the path needs is off
)

// Decision is what becomes of a request.
type Decision struct {
	Verdict Verdict
	By      Source
	Rule    *Given       // that decided; nil unless By is ByRule or BySwitch
	Reasons []fault.Text // why it is not Allow, the decisive one first; empty when it is

	matched []Match
}

// Match is a rule that spoke about a part of a request.
type Match struct {
	Rule    Given
	Verdict Verdict
	About   string // the path or command; "" for the call as a whole
}

// Decide gives the strictest of the verdicts on every part of a request: on each
// path, each command, or else the call as a whole. On a part the strictest of
// the rules that match decides, whatever their order, and the default where none
// does: what only reads or writes inside the workspace is allowed, what destroys
// or lets a command reach the network is asked about.
func (p *Policy) Decide(q Request) Decision {
	d := Decision{Verdict: Allow, By: ByDefault}
	for _, part := range q.parts() {
		d.join(p.part(&q, part))
	}
	return d
}

// join adds what was decided about one more part.
func (d *Decision) join(other Decision) {
	d.matched = append(d.matched, other.matched...)
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

// Err is nil for what is allowed, and else the fault of the call: denied or
// not_registered, or approval_required without the details that only the stored
// request has.
func (d Decision) Err() error {
	why := fault.Join(d.Reasons, "; ", "；")
	switch {
	case d.Verdict == Allow:
		return nil
	case d.Verdict == Ask:
		return fault.New(fault.ApprovalRequired, fault.T("a person must decide: %s", "需要用户决定：%s", why))
	case d.By == BySwitch:
		return fault.New(fault.NotRegistered, why).
			WithHint(fault.T("do without it: only a person can turn the switch on", "请勿使用：只有用户可以打开该开关"))
	}
	return fault.New(fault.Denied, fault.T("denied: %s", "已拒绝：%s", why)).
		WithHint(fault.T("find another way, or ask the person to change the policy", "请换一种做法，或请用户修改策略"))
}

// part is one thing a rule can be about; path and command are nil, and host is
// empty, for the whole.
type part struct {
	path    *Path
	command *Command
	host    string
	risk    Risk
	network bool
}

func (q *Request) parts() []part {
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
		if len(q.Commands) > 0 || q.Rest.Risk != "" { // the commands carry it
			if risk = Write; q.Paths[i].Use == schema.ReadPath {
				risk = Read
			}
		}
		parts = append(parts, part{path: &q.Paths[i], risk: risk, network: q.Network && len(q.Commands) == 0})
	}
	for _, host := range q.Hosts {
		parts = append(parts, part{host: host, risk: q.Risk})
	}
	// What is riskier as a whole than in its parts, by a redirection for example,
	// is not covered by them.
	if len(parts) == 0 || len(q.Commands) > 0 && q.Risk.level() > most {
		parts = append(parts, part{risk: q.Risk, network: q.Network})
	}
	return parts
}

func (t part) about() string {
	switch {
	case t.path != nil:
		return t.path.Path
	case t.command != nil:
		return line(t.command.Argv)
	}
	return t.host
}

// part decides about one part. What cannot be configured comes first.
func (p *Policy) part(q *Request, t part) Decision {
	if why := p.forbidden(q, t); !why.IsZero() {
		return Decision{Verdict: Deny, By: ByBuiltIn, Reasons: []fault.Text{why}}
	}
	changes := q.Risk.level() > 0 || t.risk.level() > 0 || t.path != nil && t.path.Use != schema.ReadPath
	if p.opt.ReadOnly && changes {
		return Decision{Verdict: Deny, By: ByReadOnly, Reasons: []fault.Text{
			fault.T("%s changes things, and only reading is allowed", "%s 会产生改动，而当前只允许读取", q.Tool)}}
	}
	var d Decision
	for i := range p.rules {
		r := &p.rules[i]
		v := r.verdict(q, t)
		if v == "" || !r.holds(q.Place, v) {
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
		d.Verdict, d.Reasons = p.fallback(q, t)
		return d
	}
	if d.Verdict != Allow {
		d.Reasons = []fault.Text{d.reason(t)}
	}
	return d
}

// verdict is a rule's word on a part; "" where the rule does not speak. A rule
// that is off speaks about its path, whatever the operation.
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
		return "" // who allows the network does not allow everything that uses it
	case len(r.Rule.Argv) > 0:
		if t.command == nil || !r.Rule.matchArgv(t.command.Argv, r.Rule.Decision != Allow) {
			return ""
		}
	}
	return r.Rule.Decision
}

func (r *rule) onPath(t part) Verdict {
	if t.path == nil {
		return ""
	}
	at := placeOf(t.path.Path)
	// Whatever happens to a directory as a whole happens to the files in it.
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

// fallback is the verdict where no rule speaks.
func (p *Policy) fallback(q *Request, t part) (Verdict, []fault.Text) {
	network := t.path == nil && t.network && !q.Granted
	var why fault.Text
	switch {
	case t.risk.level() == 2 && t.path != nil:
		why = fault.T("%s of %s cannot simply be taken back", "对 %[2]s 执行的 %[1]s 不能简单撤回", q.Tool, t.path.Path)
	case t.risk.level() == 2 && t.command != nil:
		why = fault.T("%s may destroy or leak something", "%s 可能造成破坏或泄露", t.about())
	case t.risk.level() == 2:
		why = fault.T("%s may destroy or leak something", "%s 可能造成破坏或泄露", q.Tool)
	case network && t.command != nil:
		why = fault.T("%s reaches the network", "%s 会访问网络", t.about())
	case network:
		why = fault.T("%s reaches the network", "%s 会访问网络", q.Tool)
	case q.Unconfined && t.risk.level() > 0 && t.path == nil:
		why = fault.T("%s may change files, and no sandbox holds it to the workspace", "%s 可能修改文件，且没有沙箱将其限制在工作区内", orText(t.about(), q.Tool))
	default:
		return Allow, nil
	}
	return Ask, []fault.Text{why}
}

func orText(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// reason words the decision of a rule.
func (d *Decision) reason(t part) fault.Text {
	about := orText(t.about(), orText(d.Rule.Rule.Tool, "*"))
	var text fault.Text
	switch {
	case d.By == BySwitch:
		return fault.T("%s is not there: a switch that it needs is off", "%s 不可用：它所需的开关已关闭", about)
	case d.Verdict == Ask && t.path != nil:
		text = fault.T("rule %s asks before %s of %s", "规则 %s 要求在对 %[3]s 执行 %[2]s 前询问", d.Rule.From, operation(t.path.Use), about)
	case d.Verdict == Ask:
		text = fault.T("rule %s asks before %s", "规则 %s 要求在执行 %s 前询问", d.Rule.From, about)
	case t.path != nil:
		text = fault.T("rule %s denies %s of %s", "规则 %s 禁止对 %[3]s 执行 %[2]s", d.Rule.From, operation(t.path.Use), about)
	default:
		text = fault.T("rule %s denies %s", "规则 %s 禁止执行 %s", d.Rule.From, about)
	}
	if d.Rule.Rule.Why != "" {
		text = fault.T("%s (%s)", "%s（%s）", text, d.Rule.Rule.Why)
	}
	return text
}

// Explanation is a decision with everything that spoke about it.
type Explanation struct {
	Decision Decision
	Others   []Match // the rules that matched and did not decide, strictest first
}

// Explain decides and lists the other rules that matched.
func (p *Policy) Explain(q Request) Explanation {
	e := Explanation{Decision: p.Decide(q)}
	skipped := e.Decision.Rule == nil
	for _, m := range e.Decision.matched {
		if !skipped && m.Rule.From == e.Decision.Rule.From && m.Verdict == e.Decision.Verdict {
			skipped = true
			continue
		}
		e.Others = append(e.Others, m)
	}
	slices.SortStableFunc(e.Others, func(a, b Match) int { return b.Verdict.strictness() - a.Verdict.strictness() })
	return e
}

// In gives the explanation in one language, for the JSON of an answer.
func (e Explanation) In(lang fault.Lang) any {
	type match struct {
		From    string  `json:"from"`
		Verdict Verdict `json:"verdict"`
		About   string  `json:"about,omitzero"`
		Rule    Rule    `json:"rule"`
	}
	out := struct {
		Verdict Verdict  `json:"verdict"`
		By      Source   `json:"by"`
		From    string   `json:"from,omitzero"`
		Rule    *Rule    `json:"rule,omitzero"`
		Reasons []string `json:"reasons"`
		Others  []match  `json:"others"`
	}{Verdict: e.Decision.Verdict, By: e.Decision.By, Reasons: []string{}, Others: []match{}}
	if given := e.Decision.Rule; given != nil {
		out.From, out.Rule = given.From, &given.Rule
	}
	for _, r := range e.Decision.Reasons {
		out.Reasons = append(out.Reasons, r.In(lang))
	}
	for _, m := range e.Others {
		out.Others = append(out.Others, match{m.Rule.From, m.Verdict, m.About, m.Rule.Rule})
	}
	return out
}
