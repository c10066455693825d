package exec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/effect"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
	"github.com/helve-dev/helve/pkg/track"
)

// obstacle says why the command cannot run on a copy, if it cannot: all of its effects
// must stay in the workspace.
func (r *request) obstacle() fault.Text {
	switch {
	case r.Kind != sandbox.Namespaces:
		return fault.T("a preview needs the sandbox %s", sandbox.Namespaces)
	case r.network == sandbox.Full, r.network == sandbox.Hosts && (r.verdict.Network || r.verdict.Has(classify.Opaque)):
		return fault.T("what it does to other machines cannot be previewed")
	case slices.ContainsFunc(r.Writable(r.grant("").Outside), func(dir string) bool {
		return dir != r.Machine.Cache && (r.mayRunGit() || !slices.Contains(r.Repository(), dir))
	}):
		return fault.T("it may write outside the workspace, which cannot be previewed")
	}
	return fault.Text{}
}

// mayRunGit reports whether the command may change git's directories, of which there is
// no copy where they lie outside the workspace.
func (r *request) mayRunGit() bool {
	return r.usesCaches() || slices.ContainsFunc(r.verdict.Commands, func(c policy.Command) bool {
		return len(c.Argv) > 0 && strings.TrimSuffix(filepath.Base(c.Argv[0]), ".exe") == "git"
	})
}

// foresight limits the run of a command on a copy before a person is asked: they wait
// meanwhile.
const foresight = 3 * time.Second

// onCopy runs the command on layers over the workspace, which collect its writes, for at
// most a time; 0 is the call's limit.
func (r *request) onCopy(ctx context.Context, call *tool.Call, most time.Duration) (set *effect.ChangeSet, stage *effect.Stage, res Result, err error) {
	if r.network == sandbox.Hosts { // nothing leaves the copy
		inside := *r
		inside.network = sandbox.Local
		r = &inside
	}
	dir, err := call.Env.State()
	if err != nil {
		return nil, nil, Result{}, err
	}
	if stage, err = effect.NewStage(dir); err != nil {
		return nil, nil, Result{}, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, stage.Discard())
		}
	}()
	temp, done, err := r.SessionTemporary(call)
	if err != nil {
		return nil, stage, Result{}, err
	}
	defer done()
	command, profile, err := r.command(call, temp, nil)
	if err != nil {
		return nil, stage, Result{}, err
	}
	command.Stream, profile.Preview = nil, &stage.Preview
	cut := most > 0 && most < command.Timeout
	if cut {
		command.Timeout, command.Abrupt = most, true
	}
	if command.Sandbox, err = native.New(profile, r.Support, r.Kind); err != nil {
		return nil, stage, Result{}, err
	}
	res, out, err := r.finish(ctx, call, command, nil)
	if err != nil {
		return nil, stage, Result{}, err
	}
	if set, err = stage.Collect(ctx, command.Sandbox, r.Root); err != nil {
		return nil, stage, Result{}, err
	}
	if cut && out.Ended == run.TimedOut {
		set.Obstacle = fault.T("the preview was cut off after %d seconds", int(most.Seconds()))
	} else if out.Ended != run.NoReason {
		set.Obstacle = fault.T("it did not end in time on the copy")
	}
	return set, stage, res, nil
}

// foresee runs the command on a copy, shows what it changed, and records the changes
// for when the command is approved. If it cannot, the person decides by the command
// alone.
func (r *request) foresee(ctx context.Context, call *tool.Call) (string, error) {
	if r.args.Background || r.verdict.Risk == policy.Read || !r.obstacle().IsZero() {
		return "", nil
	}
	set, stage, res, err := r.onCopy(ctx, call, foresight)
	if err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "\n" + fault.T("no preview: %s", fault.As(err).Message).In(call.Env.Lang) + "\n", nil
	}
	var b strings.Builder
	say := func(t fault.Text) { b.WriteString("\n" + t.In(call.Env.Lang) + "\n") }
	ended := fault.T("exit code %d", res.ExitCode)
	if res.Signal != "" {
		ended = fault.T("signal %s", res.Signal)
	}
	switch failed, nothing := res.ExitCode != 0 || res.Signal != "", len(set.Changes) == 0; {
	case res.TimedOut && nothing:
		say(fault.T("run on a copy for a while, it changed nothing in the workspace yet"))
	case res.TimedOut:
		say(fault.T("run on a copy for a while, it made these changes so far:"))
	case failed && nothing:
		say(fault.T("run on a copy, it ends with %s and changes nothing in the workspace", ended))
	case failed:
		say(fault.T("run on a copy, it ends with %s and makes these changes:", ended))
	case nothing:
		say(fault.T("run on a copy, it changes nothing in the workspace"))
	default:
		say(fault.T("run on a copy, it makes these changes:"))
	}
	b.WriteString(set.Text())
	if !set.Obstacle.IsZero() {
		b.WriteString(fault.T("if approved, it runs again: %s", set.Obstacle).In(call.Env.Lang) + "\n")
		return b.String(), stage.Discard()
	}
	if set.Result, err = json.Marshal(res); err != nil {
		return "", err
	}
	sha, err := stage.Keep(set)
	if err != nil {
		return "", errors.Join(err, stage.Discard())
	}
	call.ChangeSet = stage.ID + ":" + sha
	return b.String(), nil
}

// show returns a preview, for a call that asks for nothing else.
func (r *request) show(ctx context.Context, call *tool.Call) (Result, error) {
	if why := r.obstacle(); !why.IsZero() {
		return Result{}, fault.New(fault.SandboxUnavailable, why).
			WithHint(fault.T("run the command without preview"))
	}
	set, stage, res, err := r.onCopy(ctx, call, 0)
	if err != nil {
		return Result{}, err
	}
	res.Risk, res.Changes = r.verdict.Risk, changesOf(set)
	return res, stage.Discard()
}

// commit makes the changes that the command made on the copy, and returns what it
// printed there: it does not run again.
func (r *request) commit(ctx context.Context, call *tool.Call) (Result, error) {
	id, sha, _ := strings.Cut(call.ChangeSet, ":")
	dir, err := call.Env.State()
	if err != nil {
		return Result{}, err
	}
	set, stage, err := effect.Open(dir, id, sha)
	if err != nil {
		return Result{}, err
	}
	var res Result
	if err := json.Unmarshal(set.Result, &res); err != nil {
		return Result{}, fault.New(fault.Internal, fault.T("the result of the preview cannot be read")).Because(err)
	}
	if res.UndoID, err = r.apply(ctx, call, stage, set); err != nil {
		return Result{}, err
	}
	res.Changes = changesOf(set)
	return res, stage.Discard()
}

// apply changes the workspace, as one entry of the journal.
func (r *request) apply(ctx context.Context, call *tool.Call, stage *effect.Stage, set *effect.ChangeSet) (undoID string, err error) {
	if len(set.Changes) == 0 {
		return "", nil
	}
	journal, err := call.Env.Journal()
	if err != nil {
		return "", err
	}
	tx, err := journal.Begin(ctx, set.Paths()...)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, tx.Close()) }()
	for _, w := range tx.Warnings() {
		call.Warn(w)
	}
	changes, err := stage.Plan(set, r.Root)
	if err != nil {
		return "", err
	}
	own := *call
	own.Tx = tx
	return textfile.Apply(ctx, &own, "exec", changes...)
}

// changesOf returns a change set as a result lists it.
func changesOf(set *effect.ChangeSet) []Change {
	all := make([]Change, len(set.Changes))
	for i, c := range set.Changes {
		all[i] = Change{
			Path: c.Path, Action: track.Action(c.Op), From: c.From, Target: c.After.Target, Entries: max(c.Before.Files, c.After.Files), Inside: c.Inside, Diff: c.Diff,
		}
		if c.After.Mode != c.Before.Mode && c.After.Mode != 0 {
			all[i].Mode = fmt.Sprintf("%04o", uint32(c.After.Mode))
		}
	}
	return all
}
