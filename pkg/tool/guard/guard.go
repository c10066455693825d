// Package guard is the chain that every call of every tool goes through, each
// concern exactly once. It does not know any tool.
package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// Chain lists the concerns, outermost first. A guard that fails refuses.
func Chain() []tool.Middleware {
	return []tool.Middleware{
		{Name: "recover", Wrap: recoverPanics},
		{Name: "audit", Wrap: audit},
		{Name: "deadline", Wrap: deadline},
		{Name: "decode", Wrap: decode},
		{Name: "confine", Wrap: confine},
		{Name: "judge", Wrap: judge},
		{Name: "approve", Wrap: approve},
		{Name: "lock", Wrap: lock},
		{Name: "limit", Wrap: bound},
	}
}

// Outcome is what became of a call: a result or an error, and the warnings.
type Outcome struct {
	Result   any
	JSON     []byte // the result's encoding; nil when Err is not, and of a [schema.Streamer]
	Err      *fault.Error
	Warnings []fault.Text
}

// Run carries out one call. input is the arguments as JSON.
func Run(ctx context.Context, env *tool.Env, t *tool.Tool, input []byte) Outcome {
	c := tool.NewCall(env, t, input)
	result, err := t.Through(Chain())(ctx, c)
	o := Outcome{Result: result, JSON: c.JSON, Warnings: c.Warnings()}
	if err != nil {
		o.Result, o.JSON, o.Err = nil, nil, fault.As(err)
	}
	return o
}
