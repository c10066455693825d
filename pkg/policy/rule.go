package policy

import (
	"cmp"

	"github.com/helve-dev/helve/pkg/schema"
)

// Verdict is a decision on a call.
type Verdict string

// The verdicts, in rising strictness.
const (
	Allow Verdict = "allow"
	Ask   Verdict = "ask" // a person must decide
	Deny  Verdict = "deny"
)

// Stricter reports whether v is stricter than other. The least strict is no verdict,
// "".
func (v Verdict) Stricter(other Verdict) bool { return v.strictness() > other.strictness() }

func (v Verdict) strictness() int {
	switch v {
	case "":
		return 0
	case Allow:
		return 1
	case Ask:
		return 2
	}
	return 3 // an unknown verdict denies
}

// Rule is a rule as a configuration file states it. It matches where everything
// holds that it selects by. It has one verdict, or for a path one for each operation.
type Rule struct {
	Tool    string     `json:"tool,omitzero" doc:"Tool that the rule is about. * matches any characters: cron_* is every cron tool."`
	Risk    Risk       `json:"risk,omitzero" enum:"read,write,destructive" doc:"Risk that the rule is about."`
	Network *bool      `json:"network,omitzero" doc:"Whether the rule is about calls that reach the network (true) or about the others (false)."`
	Project string     `json:"project,omitzero" doc:"Id of the project that the rule is about. Without it, a rule asks or denies in every project, and allows in the current one."`
	Host    string     `json:"host,omitzero" doc:"Host on the web that the rule is about, with all hosts below it: example.org includes www.example.org. * is any host."`
	Path    string     `json:"path,omitzero" doc:"Glob of the files that the rule is about, relative to the workspace: * and ? within a name, ** across names, [a-z], {a,b}. A rule that asks or denies ignores case."`
	Read    Verdict    `json:"read,omitzero" enum:"allow,ask,deny" doc:"Verdict for reading such a file."`
	Write   Verdict    `json:"write,omitzero" enum:"allow,ask,deny" doc:"Verdict for writing such a file."`
	Edit    Verdict    `json:"edit,omitzero" enum:"allow,ask,deny" doc:"Verdict for editing such a file."`
	Delete  Verdict    `json:"delete,omitzero" enum:"allow,ask,deny" doc:"Verdict for deleting or moving away such a file."`
	Argv    [][]string `json:"argv,omitzero" doc:"First words of the commands that the rule is about. Each may be a list of alternatives."`
	Exact   bool       `json:"exact,omitzero" doc:"The commands have no words beside those of argv."`
	Cwd     string     `json:"cwd,omitzero" doc:"Directory, absolute, that the commands run in; by default any."`
	Match   [][]string `json:"match,omitzero" doc:"Commands that argv must match; checked when the rule is loaded."`
	// NotMatch keeps a pattern from being wider than it is meant to be.
	NotMatch [][]string `json:"not_match,omitzero" doc:"Commands that argv must not match; checked when the rule is loaded."`
	Decision Verdict    `json:"decision,omitzero" enum:"allow,ask,deny" doc:"Verdict of the rule."`
	Requires []string   `json:"requires,omitzero" doc:"Switches that the rule requires. While one is off, the files of the rule are out of reach."`
	Why      string     `json:"why,omitzero" doc:"Reason, shown with the verdict."`
}

// Widens reports whether the rule allows something.
func (r *Rule) Widens() bool {
	return r.Decision == Allow || r.Read == Allow || r.Write == Allow || r.Edit == Allow || r.Delete == Allow
}

// Narrowed returns the rule without what it allows. left is false if that is all.
func (r Rule) Narrowed() (narrowed Rule, left bool) {
	for _, v := range []*Verdict{&r.Decision, &r.Read, &r.Write, &r.Edit, &r.Delete} {
		if *v == Allow {
			*v = ""
		}
		left = left || *v != ""
	}
	return r, left
}

// verdict returns the rule's verdict on a use of a path; "" is none. A change that the
// rule does not name gets the strictest verdict that the rule has for a change.
func (r *Rule) verdict(use schema.PathUse) Verdict {
	named := r.Decision
	switch use {
	case schema.ReadPath:
		return cmp.Or(r.Read, named)
	case schema.WritePath, schema.CreatePath:
		named = cmp.Or(r.Write, named)
	case schema.EditPath:
		named = cmp.Or(r.Edit, named)
	case schema.RemovePath:
		named = cmp.Or(r.Delete, named)
	}
	if named != "" {
		return named
	}
	if inherited := strictest(r.Write, r.Edit); inherited.Stricter(Allow) {
		return inherited
	}
	return ""
}

// operation returns the key of a rule that speaks about a use of a path.
func operation(use schema.PathUse) string {
	switch use {
	case schema.CreatePath:
		return "write"
	case schema.RemovePath:
		return "delete"
	}
	return string(use)
}

// strictest returns the stricter of two verdicts.
func strictest(a, b Verdict) Verdict {
	if b.Stricter(a) {
		return b
	}
	return a
}
