// Package guard is the chain that every call of every tool goes through, each concern
// exactly once:
//
//	recover   turns a panic into a fault
//	trace     records the call as a span, if somebody collects them
//	audit     records the call
//	deadline  returns in time, whatever hangs
//	decode    reads the arguments strictly
//	confine   keeps their paths in the workspace
//	hook      runs the person's programs before and after it
//	finish    does what a stopped helve left to do
//	judge     asks the tool for the risk of this call
//	approve   asks the policy, and a person if it says so
//	lock      locks the files that the call writes
//	limit     encodes the result and bounds its size
//
// A guard that fails refuses the call. The package knows no tool.
package guard

import (
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Chain returns the concerns, outermost first.
func Chain() []tool.Middleware {
	return []tool.Middleware{
		{Name: "recover", Wrap: recoverPanics},
		{Name: "trace", Wrap: trace},
		{Name: "audit", Wrap: audit},
		{Name: "deadline", Wrap: deadline},
		{Name: "decode", Wrap: decode},
		{Name: "confine", Wrap: confine},
		{Name: "hook", Wrap: hook},
		{Name: "finish", Wrap: finish},
		{Name: "judge", Wrap: judge},
		{Name: "approve", Wrap: approve},
		{Name: "lock", Wrap: lock},
		{Name: "limit", Wrap: bound},
	}
}

// Outcome is the result or the error of a call, with its warnings.
type Outcome struct {
	Result   any
	JSON     []byte // the result; nil with Err, and for a [schema.Streamer]
	Err      *fault.Error
	Warnings []fault.Text
	// Known are further warnings, which the session was given before: a model does not need
	// them again.
	Known []fault.Text
	// Said is the answer in another form of the tool; nil for ours.
	Said *tool.Said
}

// Warned returns all warnings.
func (o Outcome) Warned() []fault.Text { return slices.Concat(o.Warnings, o.Known) }

// Run runs one call. input is the arguments as JSON.
func Run(ctx context.Context, env *tool.Env, t *tool.Tool, input []byte) Outcome {
	c := tool.NewCall(env, t, input)
	result, err := t.Through(Chain())(ctx, c)
	o := Outcome{Result: result, JSON: c.JSON}
	o.Warnings, o.Known = c.WarningsAfter(err)
	if err != nil {
		o.Result, o.JSON, o.Err = nil, nil, fault.As(err)
	}
	if t.Formed() {
		o.say(t, input, env)
	}
	return o
}

// say adds the answer in the form of the tool.
func (o *Outcome) say(t *tool.Tool, input []byte, env *tool.Env) {
	told := tool.Told{Input: input, Result: o.JSON, Err: o.Err, Warnings: o.Warnings}
	if root, err := env.Root(); err == nil {
		told.Root = root.Dir()
	}
	if o.Err == nil && o.JSON == nil {
		text, err := schema.Marshal(o.Result)
		if err != nil {
			o.Result, o.Err, told.Err = nil, fault.As(err), fault.As(err)
		}
		told.Result = text
	}
	result := o.Result
	told.Text = func(lang fault.Lang) string {
		if before, ok := result.(*approval.Outcome); ok {
			return before.Text.In(lang)
		}
		return t.Text(result, screen.View{Lang: lang})
	}
	o.Said = t.Says(told)
}
