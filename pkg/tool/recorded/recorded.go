// Package recorded makes what a program changed in the workspace a change that can be
// undone: the same for a command of exec, the program of a custom tool and an agent
// program.
package recorded

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// lateness limits the time of the comparison after the call was canceled.
const lateness = 30 * time.Second

// Recording is the time in which a program runs. A nil one records nothing.
type Recording struct {
	call *tool.Call
	w    track.Workspace
	run  *track.Run
	look func() *workspace.Survey // looks at the workspace again; nil without surveys
}

// Begin remembers the workspace before a program of a tool, whose class is risk. What
// reads costs nothing. If the workspace cannot be remembered, the program runs all the
// same, and the call warns. With surveyed, what is looked at serves as a survey, too. named
// are paths that the program surely changes, relative to the root; see [track.Workspace].
func Begin(ctx context.Context, call *tool.Call, name, command string, risk policy.Risk, surveyed bool, named ...string) (*Recording, error) {
	if risk == policy.Read || call.Env.Journal == nil {
		return nil, nil
	}
	w, err := workspaceOf(call.Env)
	if err != nil {
		return nil, err
	}
	w.Surveys = surveyed
	for _, rel := range named {
		w.Named = append(w.Named, workspace.Unescape(rel))
	}
	run, err := w.Begin(ctx, journal.Author{Tool: name, Session: call.Env.Session, Command: command})
	switch {
	case err == nil:
		r := &Recording{call: call, w: w, run: run}
		if run.Surveyed() {
			r.look = func() *workspace.Survey { return r.survey(ctx) }
		}
		return r, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	call.Warn(track.Failed(err))
	return nil, nil
}

func workspaceOf(env *tool.Env) (w track.Workspace, err error) {
	if w.Root, err = env.Root(); err != nil {
		return w, err
	}
	if w.State, err = env.State(); err != nil {
		return w, err
	}
	if w.Journal, err = env.Journal(); err != nil {
		return w, err
	}
	if env.Excludes != nil {
		w.Excludes = env.Excludes()
	}
	return w, nil
}

// Mark is for the processes of the program; see [track.Run].
func (r *Recording) Mark() string {
	if r == nil {
		return ""
	}
	return r.run.Mark()
}

// Surveys returns what the workspace contained before the program that other programs obey,
// and what says what it contains after it; both are nil if nothing knows.
func (r *Recording) Surveys() (before *workspace.Survey, again func() *workspace.Survey) {
	if r == nil || r.look == nil {
		return nil, nil
	}
	s := r.run.Survey()
	return &s, r.look
}

// survey looks at the workspace after the program. It is nil if that fails; then End says
// why.
func (r *Recording) survey(ctx context.Context) *workspace.Survey {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lateness)
	defer cancel()
	s, err := r.run.Look(ctx)
	if err != nil {
		return nil
	}
	return &s
}

// Moved says that something was moved after the last survey.
func (r *Recording) Moved() {
	if r != nil {
		r.run.Forget()
	}
}

// End records what the program changed. It must be called once the program has ended, also
// if the call was canceled.
func (r *Recording) End(ctx context.Context) track.Outcome {
	if r == nil {
		return track.Outcome{}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lateness)
	defer cancel()
	report, err := r.run.End(ctx)
	if err != nil {
		r.call.Warn(track.Failed(err))
	}
	for _, w := range report.Warnings {
		r.call.Warn(w)
	}
	return report.Outcome(r.w.Root.Show, r.call.Env.Lang)
}

// Drop forgets a program that did not run. It may be called after End.
func (r *Recording) Drop() {
	if r == nil {
		return
	}
	if err := r.run.Drop(); err != nil {
		r.call.Warn(fault.As(err).Message)
	}
}
