package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/check/diagnostic"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/tool"
)

// pending is a check that goes on as a job after the call that asked for it.
type pending struct {
	Job     string                  `json:"job"`
	Argv    []string                `json:"argv"`
	Dir     string                  `json:"dir"`
	Unknown bool                    `json:"unknown"` // the diagnostics before are not known
	Before  []diagnostic.Diagnostic `json:"before"`
	Changes []diagnostic.Change     `json:"changes"`
}

// maxPending limits the checks that go on for a session.
const maxPending = 8

// pendingFile has the checks of a session that go on.
func pendingFile(session string) string {
	sum := sha256.Sum256([]byte(session))
	return "checks/" + hex.EncodeToString(sum[:8]) + ".json"
}

// goOn has a checker run as a job, without a limit of its time, and returns its id; "" if it cannot.
func (w *watch) goOn(ctx context.Context, u *unit, was []diagnostic.Diagnostic, unknown bool, changes []diagnostic.Change) string {
	p, err := w.bench.profile("")
	if err != nil {
		return ""
	}
	c := w.bench.command(u.argv, u.dir, 0)
	started, err := job.NewStore(w.dir).Start(ctx, w.bench.Machine.Program, job.Spec{
		Record: job.Record{
			Command: strings.Join(u.argv, " "), Cwd: ".", Session: w.call.Env.Session, Risk: policy.Read, Temp: w.bench.Disposable(w.bench.temp),
		},
		Argv: c.Argv, Dir: c.Dir, Env: c.Env, Budget: c.Budget, Profile: p, Support: w.bench.Support, Kind: w.bench.Kind,
		Lang: w.call.Env.Lang, Root: w.root.Dir(),
	})
	if err != nil {
		w.checker.failed(w.call, err)
		return ""
	}
	all := append(w.waiting(), pending{started.ID, u.argv, u.dir, unknown, was, changes})
	w.keep(all[max(0, len(all)-maxPending):])
	return started.ID
}

// waiting returns the checks of the session that go on.
func (w *watch) waiting() (all []pending) {
	raw, err := w.dir.ReadFile(pendingFile(w.call.Env.Session))
	if err == nil && json.Unmarshal(raw, &all) != nil {
		return nil // a damaged list is an empty one
	}
	return all
}

func (w *watch) keep(all []pending) {
	if raw, err := json.Marshal(all); err == nil {
		_ = w.dir.Put(pendingFile(w.call.Env.Session), raw) // what is lost was a hint
	}
}

// Arrived implements [tool.Responder].
func (c *Checker) Arrived(_ context.Context, call *tool.Call) (said []fault.Text) {
	w, err := newWatch(c, call)
	if err != nil {
		return nil
	}
	all := w.waiting()
	if len(all) == 0 {
		return nil
	}
	jobs := job.NewStore(w.dir)
	var left []pending
	for _, p := range all {
		r, err := jobs.Get(p.Job)
		switch {
		case err != nil:
		case r.State == job.Running:
			left = append(left, p)
		default:
			said = append(said, w.outcome(jobs, p)...)
		}
	}
	if len(left) < len(all) {
		w.keep(left)
	}
	return said
}

// outcome returns what a check that went on found.
func (w *watch) outcome(jobs *job.Store, p pending) (said []fault.Text) {
	out, err := jobs.Read(p.Job, 0, outputBytes)
	if err != nil {
		return nil
	}
	is := w.read(&unit{argv: p.Argv, dir: p.Dir}, string(out.Data))
	fresh := diagnostic.Touched(is, p.Changes)
	if !p.Unknown {
		fresh = diagnostic.Compare(p.Before, is, p.Changes).New
	}
	if len(fresh) == 0 {
		return []fault.Text{fault.T("the check %s found nothing new", p.Job)}
	}
	for _, d := range fresh[:min(len(fresh), maxNew)] {
		d.File = w.root.Show(d.File)
		said = append(said, fault.T("the check %s found: %s", p.Job, d.Diagnostic.String()))
	}
	return said
}
