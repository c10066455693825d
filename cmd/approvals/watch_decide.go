package approvals

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// arrival is a request that is new or has changed, or why that cannot be known.
type arrival struct {
	approval.Watched
	err error
}

// decided is the outcome of a decision.
type decided struct {
	id   string
	text string // as [approval.Visible] shows it; several lines
}

// decision is the decision of the person about a request.
type decision struct {
	allow  bool
	scope  approval.Scope
	reason string // of a denial
}

// follow begins to read requests and keys. Both end with the process: a read of a
// terminal cannot be interrupted.
func (w *watcher) follow() {
	go func() {
		defer w.crash()
		for found, err := range w.h.WatchApprovals(w.ctx, w.all) {
			select {
			case w.changes <- arrival{found, err}:
			case <-w.ctx.Done():
				return
			}
		}
	}()
	go func() {
		defer close(w.typed)
		for {
			chunk := make([]byte, 4096)
			n, err := w.tty.Read(chunk)
			if err != nil {
				return // the terminal is gone
			}
			select {
			case w.typed <- chunk[:n]:
			case <-w.ctx.Done():
				return
			}
		}
	}()
}

// crash passes a panic on to the goroutine that gives the terminal back.
func (w *watcher) crash() {
	if v := recover(); v != nil {
		select {
		case w.changes <- arrival{err: guard.Crashed(v)}:
		case <-w.ctx.Done():
		}
	}
}

// decide carries a decision out beside the screen: a call may take its time.
func (w *watcher) decide(of approval.Watched, d decision) {
	w.running++
	w.under.Go(func() {
		defer w.crash()
		text, err := w.carryOut(of, d)
		if err != nil {
			text = envelope.Text(nil, guard.Outcome{Err: fault.As(err)}, screen.View{Lang: w.lang})
		}
		select {
		case w.done <- decided{of.ID, approval.Visible(strings.TrimSuffix(text, "\n"))}:
		case <-w.ctx.Done():
		}
	})
}

// carryOut does what "helve approve" and "helve deny" do, and returns what they print.
func (w *watcher) carryOut(of approval.Watched, d decision) (string, error) {
	h := w.h.At(of.Root)
	defer h.Close()
	store, err := h.Approvals()
	if err != nil {
		return "", err
	}
	if !d.allow {
		r, err := h.Deny(w.ctx, store, of.ID, d.reason)
		if err != nil {
			return "", err
		}
		return fault.T("denied: %s", r.Reason).In(w.lang), nil
	}
	r, err := h.Allow(w.ctx, store, of.ID, d.scope)
	if err != nil {
		return "", err
	}
	t, o, err := h.CarryOut(w.ctx, r)
	if err != nil {
		return "", err
	}
	text := envelope.Text(t, o, screen.View{Lang: w.lang})
	if o.Err != nil {
		return text, nil
	}
	return fault.T("approved, and carried out:").In(w.lang) + "\n" + text, nil
}
