package guard

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// Withheld returns why no call of a tool can succeed in env: only reading is allowed
// and the tool has no call that does no more, or a rule denies it. It is nil for a tool
// that is worth offering. What an argument decides it does not know: of
// exec, whose calls are classified one by one, those that read go through.
func Withheld(env *tool.Env, t *tool.Tool) *fault.Error {
	switch {
	case env.ReadOnly && !t.MayRead():
		return fault.New(fault.Denied, fault.T("%s changes something, and only reading is allowed", t.Name)).
			WithHint(fault.T("leave it out, or allow more than reading: --readonly, or readonly in the settings"))
	case env.Policy != nil && env.Policy.Closes(policy.Project{ID: env.Project}, t.Name):
		return fault.New(fault.Denied, fault.T("a rule denies every call of %s", t.Name)).
			WithHint(fault.T("leave it out; only the person can change the rule"))
	}
	return nil
}
