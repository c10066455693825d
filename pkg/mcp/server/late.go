package server

import (
	"context"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/tool"
)

// inTime has a call answer before its client gives up on it. One whose person was asked for
// longer than that has a patient client, and the whole time again. A client that gets a
// task waits for nothing.
func (s *Server) inTime(ctx context.Context, c *call, env *tool.Env) {
	if _, tasked := ctx.Value(progressKey{}).(*progress); s.AnswerWithin <= 0 || tasked {
		return
	}
	env.AnswerBy = c.came.Add(s.AnswerWithin)
	if !time.Now().Before(env.AnswerBy) {
		env.AnswerBy = time.Now().Add(s.AnswerWithin)
	}
	env.Later = s.works.add
}

// works holds the commands that go on after their calls were answered, until the server
// ends.
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
