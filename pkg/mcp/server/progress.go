package server

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// beatEvery is how often a client that wants to know hears that a call goes on. Many
	// give up after a minute in which they hear nothing.
	beatEvery = 5 * time.Second
	// bit is how much progress grows where nothing is known but that a call goes on: the
	// protocol wants it to grow each time.
	bit = 0.001
)

// heartbeat tells a client how far a call has come: as its tool says, or how long it has
// run, in seconds.
type heartbeat struct {
	send  func(mcp.ProgressNotificationParams)
	lang  fault.Lang
	begun time.Time

	mu    sync.Mutex
	said  bool    // anything
	timed bool    // by time, as the tool said nothing at first
	last  float64 // that was said
	total float64 // that the tool said
	over  bool
}

// goesOn begins to tell the client of a call how far it has come, if the client wants to
// know. Nothing is told once stop returns; tell is nil for a client that does not.
func (s *Server) goesOn(ctx context.Context, c *call) (tell func(done, total float64, message string), stop func()) {
	token := c.Params.GetProgressToken()
	if token == nil {
		return nil, func() {}
	}
	p := &heartbeat{lang: s.Lang, begun: time.Now(), send: func(n mcp.ProgressNotificationParams) {
		n.ProgressToken = token
		if err := c.Session.NotifyProgress(ctx, &n); err != nil {
			s.Log.Warn("the client does not hear how far a call has come", "err", err)
		}
	}}
	over := make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() {
		t := time.NewTicker(beatEvery)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				p.beat()
			case <-over:
				return
			}
		}
	})
	return p.tell, func() {
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
		close(over)
		beats.Wait()
	}
}

// beat tells that the call goes on.
func (p *heartbeat) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	seconds := time.Since(p.begun).Round(time.Second).Seconds()
	if !p.said {
		p.timed = true
	}
	next := p.last + bit
	if p.timed {
		next = max(seconds, next)
	}
	p.say(next, fault.T("running for %.0f s", "已运行 %.0f 秒", seconds).In(p.lang))
}

// tell tells what the tool says.
func (p *heartbeat) tell(done, total float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timed { // seconds and what the tool counts do not mix
		p.say(max(time.Since(p.begun).Seconds(), p.last+bit), message)
		return
	}
	if p.total = total; p.said {
		done = max(done, p.last+bit)
	}
	p.say(done, message)
}

// say sends one notification. p.mu is held, so that they come in their order.
func (p *heartbeat) say(done float64, message string) {
	if p.over {
		return
	}
	p.said, p.last = true, done
	p.send(mcp.ProgressNotificationParams{Progress: done, Total: p.total, Message: message})
}
