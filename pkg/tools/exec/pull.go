package exec

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/moves"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/recorded"
)

// fetch does the first half of a pull, and foresees the second. If a person must decide
// about that, it returns it as a command of its own.
func (r *request) fetch(ctx context.Context, call *tool.Call, temp string, recording *recorded.Recording) (rest *Args, err error) {
	i := slices.IndexFunc(r.verdict.Git, func(c classify.GitCall) bool { return moves.Pulls(c.Args) })
	if i < 0 || len(r.verdict.Git[i].Dirs) != 1 || r.moves.Pull.Refused {
		return nil, nil
	}
	pull := r.verdict.Git[i]
	dir := moves.Dir(filepath.FromSlash(pull.Dirs[0]), pull.Args)
	command, profile, err := r.command(call, temp, recording)
	if err != nil {
		return nil, err
	}
	command.Argv, command.Dir, command.Stream, command.Stdin = append([]string{"git"}, r.moves.Pull.Fetch...), dir, nil, nil
	if command.Sandbox, err = native.New(profile, r.Support, r.Kind); err != nil {
		return nil, err
	}
	r.connect(call, &command)
	end, err := run.Run(ctx, command)
	r.disconnect(call, new(Result)) // if it failed, the pull itself says why
	if err != nil {
		return nil, err
	}
	if end.ExitCode != 0 || end.Ended != run.NoReason {
		return nil, nil // the pull itself fails as well, and says why
	}
	w := r.gitWorld(call)
	words, err := r.moves.Pull.Rest(ctx, w, dir)
	if err != nil || words == nil {
		return nil, err
	}
	found, err := w.Foresee(ctx, moves.Call{Dir: dir, Args: words})
	if err != nil {
		return nil, err
	}
	r.moves.Join(found)
	before := len(r.moves.asked)
	r.askAbout(call, call.Judgement)
	if len(r.moves.asked) == before {
		return nil, nil
	}
	if len(r.verdict.Commands) != 1 {
		return nil, fault.New(fault.Denied, fault.T("git pull has fetched changes of what other programs run or obey, and a person must be asked about them")).
			WithHint(fault.T("run git pull by itself, then the rest of the command"))
	}
	a := r.args
	a.Command, a.Argv = "", slices.Concat([]string{"git", "-C", dir}, words)
	return &a, nil
}

// decideRest has the second half of a pull decided about and carried out, as a call of its
// own.
func (r *request) decideRest(ctx context.Context, call *tool.Call, rest *Args, recording *recorded.Recording, failed error) (Result, error) {
	_ = recording.End(ctx) // what was fetched lies in git's directory
	if failed != nil {
		return Result{}, failed
	}
	second, next, err := follow(ctx, call, *rest)
	if err != nil {
		return Result{}, err
	}
	if err := decideAnew(ctx, second); err != nil {
		return Result{}, err
	}
	return carryOut(ctx, second, next)
}
