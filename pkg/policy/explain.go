package policy

import (
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

// Explanation is a decision with all the rules that matched.
type Explanation struct {
	Decision Decision
	Others   []Match // the rules that matched and did not decide, the strictest first
}

// Explain decides about a request and lists the other rules that matched.
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

// In returns the explanation in a language, to be written as JSON.
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
	for _, r := range e.Decision.Why() {
		out.Reasons = append(out.Reasons, r.In(lang))
	}
	for _, m := range e.Others {
		out.Others = append(out.Others, match{m.Rule.From, m.Verdict, m.About, m.Rule.Rule})
	}
	return out
}

// Match is a rule that matched a part of a request.
type Match struct {
	Rule    Given
	Verdict Verdict
	About   string // the path or command; "" for the call as a whole
}
