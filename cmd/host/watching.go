package host

import (
	"context"
	"iter"

	"github.com/helve-dev/helve/pkg/policy/approval"
)

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
func (h *Host) WatchApprovals(ctx context.Context, all bool) iter.Seq2[approval.Watched, error] {
	if all {
		return approval.WatchAll(ctx, h.Dirs.State, func(root string) (*approval.Store, func(), error) {
			there := h.At(root)
			store, err := there.Approvals()
			return store, there.Close, err
		})
	}
	return func(yield func(approval.Watched, error) bool) {
		store, err := h.Approvals()
		if err != nil {
			yield(approval.Watched{}, err)
			return
		}
		for r, err := range store.Watch(ctx) {
			if !yield(approval.Watched{Request: r}, err) || err != nil {
				return
			}
		}
	}
}
