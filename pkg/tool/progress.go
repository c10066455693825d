package tool

import (
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/fault"
)

// Watched reports whether somebody wants to know how far the call has come. What costs
// something to find out is left alone if nobody does.
func (c *Call) Watched() bool { return c.Home.Progress != nil }

// Progress says how far the call has come, total being 0 if that is unknown. It may be
// called often, and from several goroutines: whoever listens chooses what to show.
func (c *Call) Progress(done, total float64, message fault.Text) {
	if !c.Watched() {
		return
	}
	if c.parts != nil {
		done, total, message = c.parts.among(message)
	}
	c.Home.Progress(done, total, message.In(c.Env.Lang))
}

// Parts counts what a call does several of, such as files or pages. What a part says of
// its own progress is then only a message about the whole.
type Parts struct {
	total int
	done  atomic.Int64
}

// NewParts returns the count of so many parts, of which none is done.
func NewParts(total int) *Parts { return &Parts{total: total} }

// Of returns a copy of a call for one of the parts.
func (p *Parts) Of(c *Call) *Call {
	part := *c
	part.parts = p
	return &part
}

// Done counts a part of a call as done, and says so.
func (p *Parts) Done(c *Call) {
	n := p.done.Add(1)
	whole := *c
	whole.parts = nil
	whole.Progress(float64(n), float64(p.total), fault.T("%d of %d done", n, p.total))
}

func (p *Parts) among(message fault.Text) (done, total float64, all fault.Text) {
	n := p.done.Load()
	return float64(n), float64(p.total), fault.T("%d of %d done; %s", n, p.total, message)
}
