package cron

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/schedule"
)

// lookEvery is the time after which a scheduler of all workspaces looks for new ones.
const lookEvery = time.Minute

// everywhere adds the flag that has the scheduler of a command serve all workspaces.
func everywhere(c *cobra.Command, h *host.Host, p *out.Printer) {
	all := c.Flags().Bool("all", false, p.Text("run the jobs of all workspaces of this machine, each under its own settings"))
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		h.Everywhere = *all
		return run(cmd, args)
	}
}

// tickOthers makes a pass for each other workspace. One that fails is trouble, and does not
// keep the rest from running.
func tickOthers(ctx context.Context, h *host.Host, trouble func(error)) (runs []schedule.Run, err error) {
	others, err := h.Others(trouble)
	if err != nil {
		return nil, err
	}
	for _, root := range slices.Sorted(maps.Keys(others)) {
		s, err := others[root].Scheduler(nil, trouble)
		if err == nil {
			var more []schedule.Run
			more, err = s.Tick(ctx)
			runs = append(runs, more...)
		}
		if err != nil {
			trouble(err)
		}
		others[root].Close()
	}
	return runs, nil
}

// others are the schedulers of the workspaces beside that of the command.
type others struct {
	host  *host.Host
	tally *tally
	group sync.WaitGroup
	mu    sync.Mutex
	roots map[string]bool // that have a scheduler which runs
}

// start runs a scheduler for each other workspace until ctx ends, also for those that come.
func (o *others) start(ctx context.Context) {
	o.roots = map[string]bool{}
	o.group.Go(func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			o.look(ctx)
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
}

// look starts a scheduler for each workspace that has none.
func (o *others) look(ctx context.Context) {
	found, err := o.host.Others(o.tally.trouble)
	if err != nil {
		o.tally.trouble(err)
		return
	}
	for root, h := range found {
		o.mu.Lock()
		runs := o.roots[root]
		o.roots[root] = true
		o.mu.Unlock()
		if runs {
			h.Close()
			continue
		}
		o.group.Go(func() { o.serve(ctx, root, h) })
	}
}

// serve runs the scheduler of a workspace until ctx ends or it fails; then the next look
// starts it again.
func (o *others) serve(ctx context.Context, root string, h *host.Host) {
	defer h.Close()
	s, err := h.Scheduler(o.tally.add(root), o.tally.trouble)
	if err == nil {
		err = s.Run(ctx)
	}
	if err != nil && ctx.Err() == nil {
		o.tally.trouble(err)
	}
	o.mu.Lock()
	delete(o.roots, root)
	o.mu.Unlock()
}

// wait returns when all schedulers have ended.
func (o *others) wait() { o.group.Wait() }
