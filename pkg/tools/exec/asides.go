package exec

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/workspace"
)

// follow returns a call that comes out of another one, with arguments of its own, as
// judged.
func follow(ctx context.Context, call *tool.Call, a Args) (*tool.Call, *request, error) {
	second := *call
	second.Args, second.Keep, second.ChangeSet, second.Paths, second.Decision = &a, nil, "", nil, nil
	if err := second.Tool.Judge(ctx, &second); err != nil {
		return nil, nil, err
	}
	next, ok := tool.Finding[*request](&second)
	if !ok {
		return nil, nil, fault.New(fault.Internal, fault.T("the call was not judged"))
	}
	return &second, next, nil
}

// decideAnew has such a call decided about by itself.
func decideAnew(ctx context.Context, call *tool.Call) error {
	if call.Env.Decide == nil {
		return nil
	}
	return call.Env.Decide(approval.Anew(ctx), call)
}

// carryOut runs such a call, and records the outcome under its approval.
func carryOut(ctx context.Context, call *tool.Call, r *request) (Result, error) {
	if call.Kept != nil {
		return Result{}, fault.New(fault.Conflict, fault.T("another process has done what was approved")).
			WithHint(fault.T("look at the working tree"))
	}
	result, err := execute(ctx, call, r)
	if call.Keep == nil {
		return result, err
	}
	o := approval.Outcome{Exit: result.Status(), Text: approval.Words{
		En: call.Tool.Text(result, screen.View{Lang: fault.English}), Zh: call.Tool.Text(result, screen.View{Lang: fault.Chinese}),
	}}
	if err != nil {
		o = approval.Outcome{Failure: approval.FailureOf(err)}
	}
	return result, errors.Join(err, call.Keep(o))
}

// offer has a person asked once whether all that lies aside after a command is to be put
// in its place, by a call of its own. If they agree at once, it is.
func (r *request) offer(ctx context.Context, call *tool.Call, result *Result) {
	command := r.placing(result.Planted)
	if command == "" || call.Env.Decide == nil {
		return
	}
	a := Args{Command: command, Cwd: ".", Timeout: r.args.Timeout, Shell: "auto", MaxOutput: r.args.MaxOutput}
	second, next, err := follow(ctx, call, a)
	if err != nil {
		call.Warn(fault.As(err).Message)
		return
	}
	if err := decideAnew(approval.Promptly(ctx), second); err != nil {
		if result.Offered = approval.Awaited(fault.As(err)); result.Offered != "" {
			call.Warn(fault.T("what other programs run or obey lies aside; a person can put all of it in its place: helve approve %s", result.Offered))
		}
		return // else a person or a rule said that it stays there
	}
	if _, err := carryOut(ctx, second, next); err != nil {
		call.Warn(fault.As(err).Message)
	}
}

// placing returns the command line that puts what lies aside in its place, "" if there is
// nothing that a person may decide about: git's insides are refused.
func (r *request) placing(planted []sandbox.Moved) string {
	var steps []string
	for _, m := range planted {
		if class, _ := workspace.Standing(m.Path); class != workspace.Asked || filepath.IsAbs(m.Path) || filepath.IsAbs(m.To) {
			continue
		}
		from, to := quoted([]string{"./" + m.To}), quoted([]string{"./" + m.Path})
		info, err := os.Lstat(r.Root.Path(m.Path))
		if err == nil && info.IsDir() { // with files that were there before
			steps = append(steps, "cp -aT "+from+" "+to, "rm -r "+from)
		} else {
			steps = append(steps, "mv -fT "+from+" "+to)
		}
	}
	return strings.Join(steps, " && ")
}
