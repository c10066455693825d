package track

import (
	"context"
	"errors"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Limits of the copies that are made before a command.
const (
	largest        = 16 << 20  // bytes of one file
	largestIgnored = 1 << 20   // bytes of a file that ignore rules exclude
	budget         = 256 << 20 // bytes of all copies that one command needs anew
	patience       = 20 * time.Second
)

// Workspace is what is tracked.
type Workspace struct {
	Root    *workspace.Root
	State   *state.Dir
	Journal *journal.Journal
	// Excludes is the content of the person's own file of ignore rules for git.
	Excludes []byte
}

// Run is the time in which a command may change the workspace.
type Run struct {
	w       Workspace
	before  *tree
	git     *repository // nil if there is none that can be read
	started time.Time
	finish  func() error
}

// Begin remembers the workspace as it is. The caller calls End once the command and
// everything that it started has ended.
func (w Workspace) Begin(ctx context.Context) (_ *Run, err error) {
	r := &Run{w: w, started: w.State.Now(), git: w.repository()}
	defer func() {
		if err != nil {
			r.git.close()
		}
	}()
	if r.before, err = w.scan(ctx, r.git, nil); err != nil {
		return nil, err
	}
	if r.finish, err = r.keep(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// scan describes the workspace.
func (w Workspace) scan(ctx context.Context, git *repository, was *tree) (*tree, error) {
	root, release, err := walk.Open(w.Root)
	if err != nil {
		return nil, err
	}
	defer release()
	filter := walk.Filter{Global: w.Excludes}
	above, top := w.Root.IgnoresAbove()
	filter.Top = top
	for _, f := range above {
		filter.Above = append(filter.Above, walk.Above(f))
	}
	return scan(ctx, root, filter, git.tracked(), was)
}

// End finds out what was changed since Begin and records it. The report tells what was
// found even if there is an error. ctx should outlive the command's own.
func (r *Run) End(ctx context.Context, tool, session string) (report Report, err error) {
	defer func() { err = errors.Join(err, r.Drop()) }()
	after, err := r.w.scan(ctx, r.git, r.before)
	if err != nil {
		return Report{}, err
	}
	d := differ{run: r, before: r.before, after: after}
	d.compare()
	if len(d.changes) == 0 {
		return d.report(), nil
	}
	release, err := r.w.State.ShareBlobs(ctx)
	if err != nil {
		return Report{}, err
	}
	applied, err := r.record(ctx, &d, tool, session)
	if err = errors.Join(err, release()); err != nil {
		return d.report(), err
	}
	report = d.report()
	report.UndoID, report.Warnings = applied.ID, applied.Warnings
	if applied.Full {
		err = r.w.Journal.Compact(ctx)
	}
	return report, err
}

func (r *Run) record(ctx context.Context, d *differ, tool, session string) (journal.Applied, error) {
	all, err := d.differences()
	if err != nil {
		return journal.Applied{}, err
	}
	return r.w.Journal.Record(ctx, tool, session, all)
}

// Drop forgets what Begin remembered. It may be called again.
func (r *Run) Drop() error {
	r.git.close()
	r.git = nil
	finish := r.finish
	r.finish = nil
	if finish == nil {
		return nil
	}
	return finish()
}

// Failed is what to say when what a command changes cannot be tracked.
func Failed(err error) fault.Text {
	return fault.T("what the command changes cannot be undone: %s", "无法撤销该命令所做的改动：%s", fault.As(err).Message)
}
