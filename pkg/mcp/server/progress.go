package server

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// beatEvery is the time between two reports to a client that wants progress. Many give
	// up after a minute without one.
	beatEvery = 5 * time.Second
	// bit is added to the progress when a tool reports none: the protocol requires it to
	// grow.
	bit = 0.001
	// tellEvery is the least time between two reports of a tool, which may come with every
	// file it reads; the first atOnce reports are not held back.
	tellEvery = 200 * time.Millisecond
	atOnce    = 10
)

// heartbeat sends the progress of a call to a client: the tool's reports, or the seconds
// that it has run.
type heartbeat struct {
	send  func(mcp.ProgressNotificationParams)
	lang  fault.Lang
	begun time.Time

	mu    sync.Mutex
	said  bool        // anything
	timed bool        // by time, as the tool said nothing at first
	last  float64     // that was said
	total float64     // that the tool said
	due   time.Time   // when the next report would come, at one every tellEvery
	late  *time.Timer // passes held on; nil if nothing was held back so far
	held  func()      // what the tool said last, if that was too early
	over  bool
}

// goesOn sends the progress of a call if the client asked for it, until stop is called;
// tell is nil for a client that did not ask.
func (s *Server) goesOn(ctx context.Context, c *call) (tell func(done, total float64, message string), stop func()) {
	token := c.Params.GetProgressToken()
	if token == nil {
		return nil, func() {}
	}
	p := &heartbeat{lang: s.Lang, begun: time.Now(), send: func(n mcp.ProgressNotificationParams) {
		if n.ProgressToken = token; c.answered.Load() {
			return
		}
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
		if p.late != nil {
			p.late.Stop()
		}
		p.mu.Unlock()
		close(over)
		beats.Wait()
	}
}

// beat reports that the call goes on.
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
	p.say(next, fault.T("running for %.0f s", seconds).In(p.lang))
}

// tell reports the tool's progress, or later the last of several reports that come too
// fast.
func (p *heartbeat) tell(done, total float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if early := time.Until(p.due.Add(-atOnce * tellEvery)); early > 0 {
		if p.held == nil {
			p.late = time.AfterFunc(early, p.catchUp)
		}
		p.held = func() { p.pass(done, total, message) }
		return
	}
	if p.held = nil; p.late != nil {
		p.late.Stop()
	}
	p.pass(done, total, message)
}

// catchUp sends the report that was held back.
func (p *heartbeat) catchUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held != nil {
		p.held()
		p.held = nil
	}
}

// pass reports the tool's progress now. p.mu is held.
func (p *heartbeat) pass(done, total float64, message string) {
	if now := time.Now(); p.due.Before(now) {
		p.due = now
	}
	p.due = p.due.Add(tellEvery)
	if p.timed { // seconds and what the tool counts do not mix
		p.say(max(time.Since(p.begun).Seconds(), p.last+bit), message)
		return
	}
	if p.said {
		done = max(done, p.last+bit)
	}
	if p.total = total; done > total { // what was done is done anew, or in another way
		p.total = 0
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
