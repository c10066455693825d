package tool

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

// Judged holds the functions of a tool that judges its calls by their arguments.
// What Judge finds out, an F, reaches Preview and Run by its type.
type Judged[A, F, R any] struct {
	// Judge returns the risk of a call and what it found out. It changes nothing.
	Judge func(context.Context, *Call, A) (*Judgement, F, error)
	// Preview is [Def.Preview]; nil shows the arguments.
	Preview func(context.Context, *Call, F) (string, error)
	// Outline is Preview of a call that is made later, perhaps many times: it tries
	// nothing out. Nil is Preview.
	Outline func(context.Context, *Call, F) (string, error)
	Run     func(context.Context, *Call, F) (R, error)
}

// NewJudged returns a tool that judges its calls. Preview and Run of d are those
// of j; d.Risk is the worst that a call can be, or Read for a tool that reads unless an
// argument asks for more. Calls of such a tool are guarded by their own risk.
func NewJudged[A, F, R any](d Def[A, R], j Judged[A, F, R]) *Tool {
	return d.tool(&judged[A, F, R]{typed: typed[A, R]{Def: d}, by: j})
}

// judged does what a definition says, with what judging the call found out.
type judged[A, F, R any] struct {
	typed[A, R]
	by Judged[A, F, R]
}

func (t *judged[A, F, R]) judge(ctx context.Context, c *Call) error {
	return c.judged(t.by.Judge(ctx, c, *c.Args.(*A)))
}

func (t *judged[A, F, R]) preview(ctx context.Context, c *Call, later bool) (string, error) {
	switch {
	case later && t.by.Outline != nil:
		return found(ctx, c, t.by.Outline)
	case t.by.Preview != nil:
		return found(ctx, c, t.by.Preview)
	}
	return t.typed.preview(ctx, c, later)
}

func (t *judged[A, F, R]) run(ctx context.Context, c *Call) (any, error) {
	return found(ctx, c, t.by.Run)
}

// judged writes a judgement on the call, and what judging found out.
func (c *Call) judged(j *Judgement, finding any, err error) error {
	c.Judgement, c.finding = j, finding
	if err == nil && j == nil {
		return fault.New(fault.Internal, fault.T("%s did not judge the call", c.Tool.Name))
	}
	return err
}

// Finding returns what judging a call found out, for a tool that carries out one call as
// two.
func Finding[F any](c *Call) (f F, ok bool) {
	f, ok = c.finding.(F)
	return f, ok
}

// found calls do with what judging the call found out.
func found[F, R any](ctx context.Context, c *Call, do func(context.Context, *Call, F) (R, error)) (r R, err error) {
	f, ok := c.finding.(F)
	if !ok {
		return r, fault.New(fault.Internal, fault.T("the call of %s was not judged", c.Tool.Name))
	}
	return do(ctx, c, f)
}

// Judgement describes the worst that one call may do.
type Judgement struct {
	Risk    policy.Risk
	Flags   []string     // stable words about why
	Reasons []fault.Text // the same for people
	// Commands are the simple commands that would run; Rest is the effect outside of
	// them, of redirections for example.
	Commands []policy.Command
	Rest     policy.Command
	Cwd      string // absolute, that they run in
	// Rule allows exactly these commands; nil where words do not say all that they do.
	Rule *policy.Rule
	// Paths are files that the commands name, for the rules about paths. The risk of
	// the commands covers them.
	Paths   []policy.Path
	Network bool // reaches other machines
	// Hosts are those that the commands name, for the rules about hosts.
	Hosts []string
	// Granted: the settings allow the network. Unconfined: nothing holds the call
	// to the workspace.
	Granted, Unconfined bool
	// OnlyRead: the caller wants nothing but reading.
	OnlyRead bool
	// Forbidden says why nobody may allow it; empty when somebody may.
	Forbidden fault.Text
	// Pin returns what a decision about the call is bound to beside its arguments:
	// the programs, with what distinguishes them from others of the same names, and
	// files. It is called when a person must decide. Nil pins nothing.
	Pin func(context.Context) (programs string, files []approval.Target, err error)
	// Runs returns the part of that which says what the call will run, without what it
	// works on, for an approval that holds for many calls. Nil is nothing.
	Runs func(context.Context) (programs string, files []approval.Target, err error)
	// Further are requests to the policy about what the call has done later. They are
	// decided like the call itself, and the strictest verdict counts.
	Further []policy.Request
}
