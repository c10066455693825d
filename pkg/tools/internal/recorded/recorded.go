// Package recorded makes what a program changed in the workspace a change that can be
// undone: the same for a command of exec and for the program of a custom tool.
package recorded

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
)

// Change is one change of the workspace by a program, for a result.
type Change struct {
	Path    string       `json:"path"`
	Action  track.Action `json:"action"` // create, modify, delete, rename, mode or replace
	From    string       `json:"from,omitzero"`
	Entries int          `json:"entries,omitzero"` // in a directory that is created or deleted, or in a repository
}

// Gap is something that a program changed and that cannot be undone.
type Gap struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Other is something that another call changed meanwhile.
type Other struct {
	Path   string `json:"path"`
	Tool   string `json:"tool"`
	UndoID string `json:"undo_id"`
}

// Outcome is what a program changed, for a result.
type Outcome struct {
	Changes    []Change
	Total      int // of the changes, if not all are listed
	NotCovered []Gap
	Others     []Other
	UndoID     string
}

// mostListed is how many changes, or gaps, a result lists.
const mostListed = 100

// lateness is how long the comparison may take after the call was canceled.
const lateness = 30 * time.Second

// Recording is the time in which a program runs. A nil one records nothing.
type Recording struct {
	call *tool.Call
	run  *track.Run
}

// Begin remembers the workspace before a program whose class is risk. What reads costs
// nothing. If the workspace cannot be remembered, the program runs all the same, and the
// call warns.
func Begin(ctx context.Context, call *tool.Call, risk policy.Risk) (*Recording, error) {
	if risk == policy.Read || call.Env.Journal == nil {
		return nil, nil
	}
	w, err := Workspace(call.Env)
	if err != nil {
		return nil, err
	}
	run, err := w.Begin(ctx)
	switch {
	case err == nil:
		return &Recording{call, run}, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	call.Warn(track.Failed(err))
	return nil, nil
}

// Workspace returns what is tracked in an environment.
func Workspace(env *tool.Env) (w track.Workspace, err error) {
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

// End records what the program changed. name is that of its tool. It must be called once
// the program has ended, also if the call was canceled.
func (r *Recording) End(ctx context.Context, name string) (o Outcome) {
	if r == nil {
		return o
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lateness)
	defer cancel()
	report, err := r.run.End(ctx, name, r.call.Env.Session)
	if err != nil {
		r.call.Warn(track.Failed(err))
	}
	for _, w := range report.Warnings {
		r.call.Warn(w)
	}
	return Show(report, r.call.Env)
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

// Show returns a report as a result in an environment shows it.
func Show(report track.Report, env *tool.Env) Outcome {
	o := Outcome{UndoID: report.UndoID}
	show := func(path string) string {
		if root, err := env.Root(); err == nil && path != "" {
			return root.Show(path)
		}
		return path
	}
	if len(report.Changes) > mostListed {
		o.Total = len(report.Changes)
	}
	for _, c := range report.Changes[:min(len(report.Changes), mostListed)] {
		o.Changes = append(o.Changes, Change{show(c.Path), c.Action, show(c.From), c.Entries})
	}
	for _, g := range report.NotCovered[:min(len(report.NotCovered), mostListed)] {
		o.NotCovered = append(o.NotCovered, Gap{show(g.Path), g.Why.In(env.Lang)})
	}
	for _, other := range report.Others[:min(len(report.Others), mostListed)] {
		o.Others = append(o.Others, Other{show(other.Path), other.Tool, other.UndoID})
	}
	return o
}
