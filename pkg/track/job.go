package track

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

// comparing limits the search for the files that a job changed.
const comparing = time.Minute

// WatchJob remembers the workspace before a job, so that what the job changes can be
// undone; see [job.Watch]. excludes is called at most once; see [Workspace].
func WatchJob(ctx context.Context, spec *job.Spec, dir *state.Dir, excludes func() []byte) (end func() (json.RawMessage, error), err error) {
	if spec.Record.Risk == policy.Read {
		return func() (json.RawMessage, error) { return nil, nil }, nil
	}
	root, err := workspace.Open(spec.Root, workspace.Options{})
	if err != nil {
		return nil, err
	}
	w := Workspace{Root: root, State: dir, Excludes: excludes()}
	w.Journal = Journal(root, dir, func() []byte { return w.Excludes }, journal.Options{})
	run, err := w.Begin(ctx, journal.Author{Tool: "exec", Session: spec.Record.Session, Command: spec.Record.Command})
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return func() (_ json.RawMessage, err error) {
		ctx, cancel := context.WithTimeout(context.Background(), comparing)
		defer cancel()
		defer func() { err = errors.Join(err, root.Close()) }()
		report, err := run.End(ctx)
		if err != nil {
			return nil, err
		}
		return schema.Marshal(report.Outcome(root.Show, spec.Lang))
	}, nil
}
