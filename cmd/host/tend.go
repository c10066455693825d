package host

import (
	"context"
	"os"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/worker"
)

// Tend looks after the jobs of sub-agents that have lost their workers, if this run has
// used the state of its workspace: their ends are written and told, what they left is
// killed, the queue goes on, and what ended long ago is forgotten. While no job has lost
// its worker it costs a look into a directory.
func (h *Host) Tend() error {
	dir := h.used.Load()
	if dir == nil || os.Getenv("HELVE") != "" { // what helve started has no business with jobs
		return nil
	}
	return h.tending.Tend(dir, func() (worker.Queue, error) {
		_, s, err := h.Governed()
		if err != nil {
			return worker.Queue{}, err
		}
		jobs, err := h.Agents()
		return worker.Queue{Jobs: jobs, Can: s.can, Keep: s.keep}, err
	})
}

// ForgetAgents forgets the jobs of sub-agents that ended longer ago than age, with their
// transcripts here, and returns them.
func (h *Host) ForgetAgents(ctx context.Context, age time.Duration) ([]agent.Job, error) {
	jobs, err := h.Agents()
	if err != nil {
		return nil, err
	}
	dir, err := h.Transcripts()
	if err != nil {
		return nil, err
	}
	return worker.Forget(ctx, jobs, dir, age)
}
