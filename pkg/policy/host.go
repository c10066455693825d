package policy

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Reach reports whether a host may be reached, by the rules that depend on the host
// alone; the web client asks it before it follows a redirect. The error is denied,
// and nil where no rule matches. asked says that a person could be asked, or was,
// about this host: then only a rule that denies it counts.
func (p *Policy) Reach(host string, asked bool) error {
	d := Decision{Verdict: Allow, By: ByDefault}
	for i := range p.rules {
		r := &p.rules[i]
		if r.Rule.Host == "" || r.off || r.Rule.Risk != "" && r.Rule.Risk != Read || r.Rule.Network != nil && !*r.Rule.Network || !onHost(r.Rule.Host, host) {
			continue
		}
		if v := r.Rule.Decision; v.Stricter(d.Verdict) {
			d.Verdict, d.By, d.Rule = v, ByRule, &r.Given
		}
	}
	switch {
	case d.Verdict == Allow, d.Verdict == Ask && asked:
		return nil
	case d.Verdict == Deny:
		d.Reasons = []fault.Text{d.reason(part{host: host})}
		return d.Err()
	}
	return fault.New(fault.Denied, fault.T("rule %s asks before %s, and a redirect leads there", d.Rule.From, host)).
		WithHint(fault.T("fetch that address itself, so that the person is asked"))
}

// onHost reports whether a host equals that of a rule or is below it; * is any host.
func onHost(rule, host string) bool {
	rule = strings.ToLower(strings.TrimPrefix(rule, "*."))
	return rule == "*" || host == rule || strings.HasSuffix(host, "."+rule)
}

// checkHost returns the problem of a rule's host; empty for none.
func checkHost(host string) fault.Text {
	if host == "" || host == "*" {
		return fault.Text{}
	}
	bad := strings.ContainsFunc(strings.TrimPrefix(host, "*."), func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`/*?#@[]{}\%"<>`, r)
	})
	if bad || strings.HasPrefix(host, ".") || strings.HasSuffix(host, ".") {
		return fault.T("want a host such as example.org, which includes the hosts below it, or *")
	}
	return fault.Text{}
}
