package host

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/policy/approval"
)

// lookEvery is the interval at which [Host.WatchApprovals] looks for workspaces that had
// no request before.
const lookEvery = 2 * time.Second

// Watched is a request, and the workspace that it is about.
type Watched struct {
	Root string // "" is the root of the run
	*approval.Request
}

// At returns a host like h for the calls in another workspace, and in no session of its
// own; "" is that of the run. Nobody is asked about them. The caller closes it.
func (h *Host) At(root string) *Host {
	o := h.Options
	if root != "" {
		o.Root, o.Project, o.Session = root, "", DefaultSession
	}
	o.Approval, o.ApprovalFD, o.Wait, o.NoInput, o.Terminal, o.Stream, o.Progress = "", 0, 0, true, nil, nil, nil
	there := New(o)
	there.Dirs = h.Dirs
	return there
}

// WatchApprovals yields every request that is kept, and then each that is new or has
// changed its state: those of the workspace, or of all workspaces. It ends with the
// context, when the caller stops, or after an error; the error of one workspace of all
// ends nothing, and is yielded once with its Root.
func (h *Host) WatchApprovals(ctx context.Context, all bool) iter.Seq2[Watched, error] {
	return func(yield func(Watched, error) bool) {
		if all {
			(&watching{h: h, seen: map[string]bool{}, found: make(chan found)}).run(ctx, yield)
			return
		}
		store, err := h.Approvals()
		if err != nil {
			yield(Watched{}, err)
			return
		}
		for r, err := range store.Watch(ctx) {
			if !yield(Watched{Request: r}, err) || err != nil {
				return
			}
		}
	}
}

// watching gathers the requests of all workspaces.
type watching struct {
	h     *Host
	seen  map[string]bool // by root
	found chan found
	under sync.WaitGroup
}

type found struct {
	Watched
	err error
}

func (w *watching) run(ctx context.Context, yield func(Watched, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer w.under.Wait()
	defer cancel()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := w.look(ctx); err != nil {
			yield(Watched{}, err)
			return
		}
		for looked := false; !looked; {
			select {
			case <-ctx.Done():
				return
			case f := <-w.found:
				if !yield(f.Watched, f.err) {
					return
				}
			case <-tick.C:
				looked = true
			}
		}
	}
}

// look begins to watch the workspaces that are not watched yet.
func (w *watching) look(ctx context.Context) error {
	roots, err := approval.Known(w.h.Dirs.State)
	if err != nil {
		return err
	}
	for _, root := range roots {
		if w.seen[root] {
			continue
		}
		w.seen[root] = true
		w.under.Go(func() {
			there := w.h.At(root)
			defer there.Close()
			for r, err := range there.WatchApprovals(ctx, false) {
				select {
				case w.found <- found{Watched{root, r.Request}, err}:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return nil
}
