package host

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/worker"
)

// reapTime is how long a command may take to look after the jobs of others.
const reapTime = 10 * time.Second

// Tend looks after the jobs of sub-agents whose workers have died, if this run has used
// the state of its workspace: their ends are written and told, what they left is killed,
// and the queue goes on. While no worker has died it costs a look into a directory.
func (h *Host) Tend() error {
	dir := h.used.Load()
	if dir == nil || h.tending || os.Getenv("HELVE") != "" { // what helve started has no business with jobs
		return nil
	}
	marks := agent.NewMarks(dir)
	orphans, err := marks.Orphans()
	if err != nil || len(orphans) == 0 {
		return err
	}
	h.tending = true // opening the jobs must not look after them again
	defer func() { h.tending = false }()
	ctx, cancel := context.WithTimeout(context.Background(), reapTime)
	defer cancel()
	_, s, err := h.Governed()
	if err != nil {
		return err
	}
	jobs, err := h.Agents()
	if err != nil {
		return err
	}
	if _, err := jobs.Reap(ctx); err != nil {
		return err
	}
	all, err := jobs.List(ctx)
	if err != nil {
		return err
	}
	var errs []error
	var ended []string
	waits := false
	for _, id := range orphans {
		at := slices.IndexFunc(all, func(j agent.Job) bool { return j.ID == id })
		switch {
		case at < 0 || all[at].Status.Final():
			ended = append(ended, id)
			errs = append(errs, marks.Remove(id))
		case all[at].Queued:
			waits = waits || s.can(&all[at]) && len(all[at].Labels) == 0
		}
	}
	worker.Sweep(ended)
	if waits {
		errs = append(errs, s.keep(ctx))
	}
	return errors.Join(errs...)
}
