package track

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/track/lineage"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Limits of the copies that are made before a command.
const (
	largest        = 16 << 20  // bytes of one file
	largestIgnored = 1 << 20   // bytes of a file that ignore rules exclude
	budget         = 256 << 20 // bytes of all copies that one command needs anew
	patience       = 20 * time.Second
)

// Workspace is the workspace that is tracked.
type Workspace struct {
	Root    *workspace.Root
	State   *state.Dir
	Journal *journal.Journal
	// Excludes is the content of the person's own file of ignore rules for git.
	Excludes []byte
	// Named are the paths that a command surely names, as the system has them. Of a workspace
	// with too many files they are covered, with everything in them, and nothing else is.
	Named []string
	// Most limits the files and directories that are scanned; 0 is a default.
	Most int
	// Surveys makes each look at the workspace also a survey of it, in one walk.
	Surveys bool
	// Step, if set, is called with a name before everything that reaches the disk, and
	// between. Tests end the process there.
	Step func(name string)
}

func (w Workspace) step(name string) {
	if w.Step != nil {
		w.Step(name)
	}
}

// Run is the time in which a command may change the workspace.
type Run struct {
	w        Workspace
	by       journal.Author
	before   *tree
	after    *tree       // as it was looked at last, or nil
	git      *repository // nil if there is none that can be read
	only     []string    // what is looked at; nil is everything
	outside  *outside    // nil if the repository is in the workspace
	started  time.Time
	warnings []fault.Text
	file     string       // of [pending]; "" if there is none
	release  func() error // of the claim; nil if there is none
	entered  bool         // its [lineage.Record] waits for the end
}

// Begin remembers the workspace as it is, before a command. If this process is killed, the
// next call in the workspace records what the command changed. The caller calls End once
// the command and everything that it started has ended, or Drop if it did not start.
func (w Workspace) Begin(ctx context.Context, by journal.Author) (_ *Run, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil { // the command may run all the same
			err = errors.Join(err, w.lineage().Lose(ctx))
		}
	}()
	r := &Run{w: w, by: by, started: w.State.Now()}
	if r.warnings, err = w.adoptAll(ctx); err != nil {
		return nil, err
	}
	r.git, r.outside = w.repository(), w.outside()
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Drop())
		}
	}()
	if r.before, err = r.widely(func() (*tree, error) { return r.scan(ctx, nil) }); err != nil {
		return nil, err
	}
	if err = r.keep(ctx); err != nil {
		return nil, err
	}
	if err = w.lineage().Enter(ctx, func() bool { return w.quiet(r.by.Run) }); err != nil {
		return nil, err
	}
	r.entered = true
	return r, nil
}

func (w Workspace) lineage() lineage.Record {
	return lineage.Record{State: w.State, Root: w.Root.Dir()}
}

// Lineage returns which commits were in the repository before commands ran.
func (w Workspace) Lineage() (lineage.Known, error) {
	return w.lineage().Known(func() bool { return w.quiet("") })
}

// quiet reports whether no run but one has begun and is not recorded yet.
func (w Workspace) quiet(but string) bool {
	files, err := w.pendings()
	return err == nil && !slices.ContainsFunc(files, func(file string) bool {
		id, _, ok := namesOf(file)
		return !ok || id != but
	})
}

// Mark is the value that marks the processes of the command; see [sandbox.Command].
func (r *Run) Mark() string { return r.by.Run }

// scan describes what the run looks at.
func (r *Run) scan(ctx context.Context, was *tree) (*tree, error) {
	if r.only == nil {
		return r.w.scan(ctx, r.git, was, nil)
	}
	return r.w.scan(ctx, r.git, was, narrowTo(r.only))
}

// scan describes the workspace, or what is chosen of it.
func (w Workspace) scan(ctx context.Context, git *repository, was *tree, only *narrow) (*tree, error) {
	root, release, err := walk.Open(w.Root)
	if err != nil {
		return nil, err
	}
	defer release()
	filter := walk.Filter{Global: w.Excludes, Repository: w.Root.GitRules}
	above, top := w.Root.IgnoresAbove()
	filter.Top = top
	for _, f := range above {
		filter.Above = append(filter.Above, walk.Above(f))
	}
	dir := ""
	if w.Surveys && only == nil {
		dir = w.Root.Dir()
	}
	t, err := scan(ctx, root, dir, filter, git.tracked(), was, only, w.most())
	if errors.Is(err, errTooMany) {
		err = w.tooMany()
	}
	return t, err
}

// Surveyed reports whether the run looks at everything, so that its looks are surveys.
func (r *Run) Surveyed() bool { return r.w.Surveys && r.only == nil }

// Survey returns what the workspace contained at the beginning that other programs obey.
// Only of a run that is Surveyed there is one.
func (r *Run) Survey() workspace.Survey { return r.w.survey(r.before) }

func (w Workspace) survey(t *tree) workspace.Survey {
	return workspace.SurveyFrom(w.Root.Dir(), t.looks, t.partial)
}

// Look looks at the workspace after the command and everything that it started has ended,
// and returns what it contains now that other programs obey. End reports what is different
// in this look; if the caller changes something after it, it calls Forget.
func (r *Run) Look(ctx context.Context) (s workspace.Survey, err error) {
	if r.after, err = r.scan(ctx, r.before); err != nil {
		return s, err
	}
	return r.w.survey(r.after), nil
}

// Forget has End look at the workspace again.
func (r *Run) Forget() { r.after = nil }

// End finds out what was changed since Begin and records it. The report tells what was
// found even if there is an error; then a later call tries again, unless that is in vain.
// ctx should outlive the command's own.
func (r *Run) End(ctx context.Context) (report Report, err error) {
	report, err = r.record(ctx)
	report.Warnings = append(r.warnings, report.Warnings...)
	if err != nil && !lasting(err) {
		r.file = "" // it stays
	}
	return report, errors.Join(err, r.Drop())
}

// record finds out what was changed and makes it an entry of the journal.
func (r *Run) record(ctx context.Context) (report Report, err error) {
	r.w.step("scan")
	done, err := r.lookAgain(ctx)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, done()) }()
	d := differ{run: r, before: r.before, after: r.after}
	d.compare()
	if len(d.changes) == 0 {
		return d.report(), nil
	}
	release, err := r.w.State.ShareBlobs(ctx)
	if err != nil {
		return Report{}, err
	}
	r.w.step("save")
	var applied journal.Applied
	all, err := d.differences()
	if err == nil {
		r.w.step("record")
		applied, err = r.w.Journal.Record(ctx, r.by, all)
	}
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

// Drop forgets what Begin remembered. It may be called again.
func (r *Run) Drop() (err error) {
	r.git.close()
	r.git = nil
	if r.entered {
		r.entered = false
		err = r.w.lineage().Leave(context.Background()) // also if the call was canceled
	}
	err = errors.Join(err, r.forget())
	r.file = ""
	if r.release != nil {
		err = errors.Join(err, r.release())
		r.release = nil
	}
	return err
}

// Failed returns the warning for a command whose changes cannot be tracked.
func Failed(err error) fault.Text {
	return fault.T("what the command changes cannot be undone: %s", fault.As(err).Message)
}
