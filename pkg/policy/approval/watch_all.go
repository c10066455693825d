package approval

import (
	"context"
	"iter"
	"sync"
	"time"
)

// lookEvery is the interval at which [WatchAll] looks for workspaces that had no request
// before.
const lookEvery = 2 * time.Second

// Watched is a request, and the workspace that it is about.
type Watched struct {
	Root string // "" is the root of the run
	*Request
}

// WatchAll is [Store.Watch] for all workspaces with state below base. open opens the
// requests of one, and returns the function that closes it, even with an error. The error
// of one workspace ends nothing, and is yielded once with its Root.
func WatchAll(ctx context.Context, base string, open func(root string) (s *Store, end func(), err error)) iter.Seq2[Watched, error] {
	return func(yield func(Watched, error) bool) {
		(&watching{base: base, open: open, seen: map[string]bool{}, found: make(chan found)}).run(ctx, yield)
	}
}

// watching gathers the requests of all workspaces.
type watching struct {
	base  string
	open  func(root string) (*Store, func(), error)
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
	roots, err := Known(w.base)
	if err != nil {
		return err
	}
	for _, root := range roots {
		if w.seen[root] {
			continue
		}
		w.seen[root] = true
		w.under.Go(func() { w.watch(ctx, root) })
	}
	return nil
}

// watch yields the requests of a workspace.
func (w *watching) watch(ctx context.Context, root string) {
	yield := func(r *Request, err error) bool {
		select {
		case w.found <- found{Watched{root, r}, err}:
			return err == nil
		case <-ctx.Done():
			return false
		}
	}
	store, end, err := w.open(root)
	defer end()
	if err != nil {
		yield(nil, err)
		return
	}
	store.Watch(ctx)(yield)
}
