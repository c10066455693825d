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
	d.Run = func(ctx context.Context, c *Call, _ A) (R, error) {
		found, err := finding[F](c)
		if err != nil {
			var none R
			return none, err
		}
		return j.Run(ctx, c, found)
	}
	if j.Preview != nil {
		d.Preview = func(ctx context.Context, c *Call, _ A) (string, error) {
			found, err := finding[F](c)
			if err != nil {
				return "", err
			}
			return j.Preview(ctx, c, found)
		}
	}
	t := New(d)
	if j.Outline != nil {
		t.outline = func(ctx context.Context, c *Call) (string, error) {
			found, err := finding[F](c)
			if err != nil {
				return "", err
			}
			return j.Outline(ctx, c, found)
		}
	}
	t.judge = func(ctx context.Context, c *Call) (err error) {
		c.Judgement, c.finding, err = j.Judge(ctx, c, *c.Args.(*A))
		return err
	}
	return t
}

// finding returns what judging the call found out.
func finding[F any](c *Call) (F, error) {
	found, ok := c.finding.(F)
	if !ok {
		return found, fault.New(fault.Internal, fault.T("the call of %s was not judged", c.Tool.Name))
	}
	return found, nil
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
