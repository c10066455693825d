package server

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server/ticket"
	"github.com/helve-dev/helve/pkg/tool"
)

const (
	// earlier is the time by which a tool that can say how far it has come answers before
	// any other call does; of a short time, it is the fourth part.
	earlier = 5 * time.Second
	// keptLate is the time for which the result of a call is kept that was answered before
	// it had one, and maxLate limits the number of such calls.
	keptLate, maxLate = 10 * time.Minute, 1000
)

// within returns the time within which a call answers; 0 is no such time. A client that
// gets a task waits for nothing.
func (s *Server) within(ctx context.Context) time.Duration {
	if _, tasked := ctx.Value(progressKey{}).(*progress); tasked {
		return 0
	}
	return max(0, s.AnswerWithin)
}

// inTime tells a call the time by which it should answer by itself. One that begins to run
// only after that, as its person was asked for long, has the whole time again.
func (s *Server) inTime(ctx context.Context, c *call, env *tool.Env) {
	within := s.within(ctx)
	if within == 0 {
		return
	}
	within -= min(earlier, within/4)
	env.AnswerBy = c.came.Add(within)
	if !time.Now().Before(env.AnswerBy) {
		env.AnswerBy = time.Now().Add(within)
	}
	env.Later = s.works.add
}

// late are the calls that were answered before they came to anything, as their clients
// would have given up on them. They go on, and the same call, made again, gets their result:
// work that is half done is not cut off, and what a person decides later still counts.
type late struct {
	mu    sync.Mutex
	calls map[ticket.Call]*underway
}

// underway is a call that is carried out.
type underway struct {
	*call
	awaited atomic.Bool   // somebody waits for its result
	done    chan struct{} // closed once it has ended; the rest is set then
	ended   time.Time
	result  *mcp.CallToolResult
	err     error
}

// add keeps a call that goes on.
func (l *late) add(of ticket.Call, o *underway) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, old := range l.calls {
		select {
		case <-old.done:
			if len(l.calls) >= maxLate || time.Since(old.ended) > keptLate {
				delete(l.calls, key)
			}
		default:
		}
	}
	if l.calls == nil {
		l.calls = map[ticket.Call]*underway{}
	}
	l.calls[of] = o
}

// get returns the same call, made before; nil if there is none.
func (l *late) get(of ticket.Call) *underway {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls[of]
}

// take forgets a call, so that it is carried out again.
func (l *late) take(of ticket.Call, o *underway) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls[of] == o {
		delete(l.calls, of)
	}
}

// answer carries out a call, and returns in time, with what it came to or with how the
// client gets that.
func (s *Server) answer(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	within := s.within(ctx)
	of, err := c.of()
	if within == 0 || err != nil { // the call itself says what is wrong with its arguments
		defer c.leave()
		return s.converse(ctx, c)
	}
	o := s.late.get(of)
	if o != nil {
		c.leave() // it waits in the place of the one before
		return s.await(ctx, c, of, o)
	}
	o = &underway{call: c, done: make(chan struct{})}
	o.awaited.Store(true)
	running, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	attached := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	s.calls.add(func(process context.Context) {
		defer context.AfterFunc(process, func() { cancel(context.Cause(process)) })()
		defer cancel(nil)
		defer c.leave()
		o.result, o.err = s.converse(running, c)
		o.ended = time.Now()
		close(o.done)
		if !o.awaited.Load() {
			s.missed.add(c.client, fault.T("%s has ended, which went on after its answer: make the same call again to get its result", c.name))
		}
	})
	timer := time.NewTimer(time.Until(c.came.Add(within)))
	defer timer.Stop()
	select {
	case <-o.done:
		return o.result, o.err
	case <-timer.C:
	}
	if !attached() { // the client has canceled the call
		<-o.done
		return o.result, o.err
	}
	s.late.add(of, o)
	s.queues.keep(c.number)
	c.answered.Store(true)
	o.awaited.Store(false)
	return s.unfinished(o), nil
}

// await returns what a call came to that was answered before, as soon as that is known.
func (s *Server) await(ctx context.Context, c *call, of ticket.Call, o *underway) (*mcp.CallToolResult, error) {
	o.awaited.Store(true)
	defer o.awaited.Store(false)
	_, stop := s.goesOn(ctx, c)
	defer stop()
	timer := time.NewTimer(time.Until(c.came.Add(s.within(ctx))))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return s.refused(fault.New(fault.Canceled, fault.T("the call was canceled")).Because(context.Cause(ctx)))
	case <-timer.C:
		return s.unfinished(o), nil
	case <-o.done:
	}
	s.late.take(of, o)
	return o.result, o.err
}

// unfinished returns the answer to a call that has not come to anything in time.
func (s *Server) unfinished(o *underway) *mcp.CallToolResult {
	said := fault.T("%s has not ended after %v and goes on: make the same call again, with the same arguments, to wait for its result", o.name, s.AnswerWithin)
	if id, ok := o.asks.Load().(string); ok && id != "" {
		said = fault.T("%[1]s waits for the person, who has not decided yet (helve approve %[2]s): make the same call again, with the same arguments, to wait for its result", o.name, id)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said.In(s.Lang)}}}
}

// works holds what goes on after calls were answered, until it ends or the server does.
type works struct {
	mu  sync.Mutex
	ctx context.Context // of the server; nil before it serves
	all sync.WaitGroup
}

// begin says what ends the works.
func (w *works) begin(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ctx = ctx
}

func (w *works) add(work func(context.Context)) {
	w.mu.Lock()
	ctx := w.ctx
	w.mu.Unlock()
	w.all.Go(func() { work(ctx) })
}

// wait waits for the end of all works.
func (w *works) wait() { w.all.Wait() }
