package worker

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/process"
)

// task is the input of a worker, read from stdin, which stays open while its keeper
// lives.
type task struct {
	Spec   []byte       `json:"spec"`
	Job    string       `json:"job"`
	Worker agent.Worker `json:"worker"`
}

// work is Main.
func work(in io.Reader, out io.WriteCloser, open func(spec []byte) (*Work, error), p pace) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ignorePipes()
	order := bufio.NewReader(in)
	w := &worker{pace: p, done: make(chan struct{})}
	if err := w.begin(order, open); err != nil {
		process.Answer(out, nil, err)
		return 1
	}
	process.Adopt() // so that what it starts can be ended where the keeper cannot
	process.Say(out, struct{}{}, nil)
	ctx, cancel := context.WithCancelCause(context.Background())
	w.cancel = cancel
	go func() {
		_, _ = io.Copy(io.Discard, order) // until the keeper has died
		w.stop(ended, orphaned())
	}()
	go func() {
		<-signals
		w.stop(ended, asked())
	}()
	var beats sync.WaitGroup
	beats.Go(func() { w.beat(w.job.ID) })
	go w.follow(ctx, w.Jobs, w.job.ID, w.see)
	o, mine := w.carry(ctx)
	if mine {
		go process.Say(out, outcomeOf(o), nil) // a keeper that is stopped does not read it
		if err := w.finish(context.Background(), w.Jobs, w.job.ID, w.self.ID, o); err != nil {
			close(w.done)
			return 1 // the keeper tries, too
		}
	}
	close(w.done)
	beats.Wait()
	return 0
}

// ignorePipes keeps a write to a pipe that nobody reads any more from ending this
// process. What it starts does not inherit that.
func ignorePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// worker works on one job.
type worker struct {
	pace
	*Work
	job    agent.Job
	self   agent.Worker
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when the end is written

	mu  sync.Mutex
	how stop // the first one
	why error
}

// begin reads what to do, and says in the store who does it.
func (w *worker) begin(in *bufio.Reader, open func([]byte) (*Work, error)) error {
	line, err := in.ReadBytes('\n')
	var t task
	if err == nil {
		err = json.Unmarshal(line, &t)
	}
	if err != nil {
		return badOrder(err)
	}
	if w.Work, err = open(t.Spec); err != nil {
		return err
	}
	w.self = t.Worker
	w.self.Process = process.This()
	ctx, cancel := context.WithTimeout(context.Background(), w.Start)
	defer cancel()
	// Note returns a part of a long task; Get has all of it.
	if _, err := w.Jobs.Note(ctx, t.Job, w.self.ID, w.here); err != nil {
		return err
	}
	w.job, err = w.Jobs.Get(ctx, t.Job)
	return err
}

// here says in a job that this is the process that works on it.
func (w *worker) here(j *agent.Job) {
	if j.Worker != nil {
		j.Worker.Process = w.self.Process
	}
}

// stop ends the work, for the first reason that comes.
func (w *worker) stop(how stop, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.how == notStopped {
		w.how, w.why = how, why
		w.cancel(why)
	}
}

func (w *worker) stopped() (stop, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.how, w.why
}

// see looks at the job whether somebody else has ended it, or wants it to end.
func (w *worker) see(j *agent.Job) {
	switch {
	case j.Status.Final() || j.Worker == nil || j.Worker.ID != w.self.ID:
		w.stop(taken, fault.New(fault.Conflict, fault.T("another worker has the job")))
	case j.Canceling:
		w.stop(canceled, fault.New(fault.Canceled, fault.T("the job is canceled")))
	}
}

// beat records regularly that the worker lives, until the end is written.
func (w *worker) beat(id string) {
	tick := time.NewTicker(w.Beat)
	defer tick.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(context.Background(), w.Beat)
		j, err := w.Jobs.Note(ctx, id, w.self.ID, w.here)
		cancel()
		switch {
		case fault.Is(err, fault.Conflict):
			w.stop(taken, err)
			return
		case err == nil: // else the next beat may come through
			w.see(&j)
		}
	}
}

// carry works on the job. mine is false when it is not the worker's any more.
func (w *worker) carry(ctx context.Context) (o agent.Outcome, mine bool) {
	timeout := time.Duration(cmp.Or(w.job.Limits.Timeout, agent.DefaultTimeout)) * time.Second
	timer := time.AfterFunc(timeout, func() {
		w.stop(late, fault.New(fault.Timeout, fault.T("the %d seconds of the job are over", int(timeout/time.Second))))
	})
	defer timer.Stop()
	worked := make(chan agent.Outcome, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				worked <- agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Err: crashed(words(fmt.Appendf(nil, "panic: %v\n\n%s", v, debug.Stack())))}
			}
		}()
		job := w.job
		worked <- w.Carry(ctx, &job, w.self)
	}()
	select {
	case o = <-worked:
	case <-ctx.Done():
		select {
		case o = <-worked:
		case <-time.After(w.Grace): // it does not react
			_, why := w.stopped()
			o = agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Err: why}
		}
	}
	how, why := w.stopped()
	if how != notStopped { // there may be no keeper any more
		process.EndChildren()
	}
	if how == ended { // perhaps because it is canceled: that says more
		look, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Grace)
		defer cancel()
		if j, err := w.Jobs.Get(look, w.job.ID); err == nil && j.Canceling {
			how = canceled
		}
	}
	return how.outcome(o, &w.job, why), how != taken
}
