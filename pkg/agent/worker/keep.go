package worker

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
)

// keep implements Keep with an injectable pace.
func keep(in io.Reader, out io.WriteCloser, open func(spec []byte) (*Work, error), p pace) int {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	ignorePipes()
	k := &keeper{pace: p, out: out}
	var o order
	err := json.NewDecoder(in).Decode(&o)
	if err != nil {
		err = badOrder(err)
	} else {
		k.Work, err = open(o.Spec)
	}
	if err != nil {
		k.answer("", err)
		return 1
	}
	k.order = o
	process.Adopt() // where that is refused, the mark identifies the processes
	return k.run(ctx)
}

// keeper has one job at a time.
type keeper struct {
	pace
	*Work
	order order

	mu       sync.Mutex
	out      io.WriteCloser
	answered bool
}

// answer sends the spawner the outcome of its call, once.
func (k *keeper) answer(job string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.answered {
		k.answered = true
		process.Answer(k.out, begun{job, process.This()}, err)
	}
}

// run has one job after the other, until there is none for it or ctx ends.
func (k *keeper) run(ctx context.Context) int {
	job, err := k.next(ctx) // once: the spawner waits
	for err == nil && job != nil {
		k.carry(ctx, job)
		job = nil
		if ctx.Err() == nil && !k.order.Once {
			err = k.patiently(ctx, func(ctx context.Context) (err error) {
				job, err = k.next(ctx)
				return err
			})
		}
	}
	k.answer("", err)
	if err != nil {
		return 1
	}
	return 0
}

// next returns the next job, or nil if there is none for this keeper, or others have it
// to come.
func (k *keeper) next(ctx context.Context) (*agent.Job, error) {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	changed, err := k.Jobs.Watch(watching)
	if err != nil {
		return nil, err
	}
	again := time.NewTicker(k.Beat)
	defer again.Stop()
	for ctx.Err() == nil {
		job, err := k.claim(context.WithoutCancel(ctx))
		if err != nil || job != nil || k.order.Once {
			return job, err
		}
		if alone, err := k.alone(ctx); err != nil || !alone {
			return nil, err
		}
		k.answer("", nil)
		select {
		case <-changed: // is closed when ctx ends
		case <-again.C:
		}
		rest(ctx, k.Look)
	}
	return nil, nil
}

// claim takes the next job, if there is one, and room for it. Workers that have died take
// none away.
func (k *keeper) claim(ctx context.Context) (*agent.Job, error) {
	job, err := k.Jobs.Claim(ctx, k.self(), k.limit(), k.Takes)
	if err != nil || job != nil {
		return job, err
	}
	reaped, err := k.Jobs.Reap(ctx)
	if err != nil || len(reaped) == 0 {
		return nil, err
	}
	Sweep(over(reaped))
	return k.Jobs.Claim(ctx, k.self(), k.limit(), k.Takes)
}

// self returns who claims a job. The worker that will carry it out takes this over.
func (k *keeper) self() agent.Worker {
	if k.order.Labels != nil {
		return Self(k.order.Labels)
	}
	return Self(k.Labels)
}

func (k *keeper) limit() int { return cmp.Or(k.order.Limit, k.Limit) }

// alone reports whether a job of the queue may have to wait for this keeper: there is one
// that it takes, and of the jobs that take all the room it takes none, so that those who
// have them may not take this one either.
func (k *keeper) alone(ctx context.Context) (bool, error) {
	jobs, err := k.Jobs.List(ctx)
	if err != nil {
		return false, err
	}
	self, waits := k.self(), false
	for i := range jobs {
		j := &jobs[i]
		if j.Status.Final() || !takes(&self, k.Takes, j) {
			continue
		}
		if !j.Queued && j.Worker != nil && j.Worker.Machine == self.Machine {
			return false, nil
		}
		waits = waits || j.Queued
	}
	return waits, nil
}

// takes reports whether a worker would take a job.
func takes(w *agent.Worker, accepts func(*agent.Job) bool, j *agent.Job) bool {
	for _, label := range j.Labels {
		if !slices.Contains(w.Labels, label) {
			return false
		}
	}
	return accepts == nil || accepts(j)
}

// carry has a worker carry out a job, and sees to it that the job has an end and nothing
// is left of it.
func (k *keeper) carry(ctx context.Context, job *agent.Job) {
	if job.Attempt > 1 {
		Sweep([]string{job.ID}) // what a worker has left whose keeper was killed, too
	}
	c, err := k.start(job)
	if err != nil {
		k.conclude(ctx, job, agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Err: err})
		k.answer("", err)
		return
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	var others sync.WaitGroup
	others.Go(func() { k.hear(c, job) })
	others.Go(func() {
		defer c.errors.Close()
		c.said = listen(c.errors)
	})
	others.Go(func() { k.guard(ctx, watching, c, job) })
	c.tree.Wait()
	stop()
	c.tree.End()
	c.close(k.Grace)
	others.Wait()
	o := c.outcome()
	k.conclude(ctx, job, o)
	k.answer("", o.Err) // unless it has started
}

// conclude writes the end of a job, unless its worker has.
func (k *keeper) conclude(ctx context.Context, job *agent.Job, o agent.Outcome) {
	// If this fails, the next command that looks finds the job without its worker.
	_ = k.finish(context.WithoutCancel(ctx), k.Jobs, job.ID, job.Worker.ID, o)
}

// child is a worker, as its keeper sees it.
type child struct {
	tree          *process.Tree
	order         *os.File // it lives while this is open
	lines, errors *os.File // what it says
	said          []byte   // to errors, at the end

	started  chan struct{} // closed when it says that it works
	finished chan struct{} // closed when it has said how the job ended
	failure  error         // why it did not start
	how      *outcome
	slow     bool // it was killed because it did not start
	killed   stop // why it was killed
}

// start starts a worker.
func (k *keeper) start(job *agent.Job) (c *child, err error) {
	text, err := schema.Marshal(task{k.order.Spec, job.ID, *job.Worker})
	if err != nil {
		return nil, err
	}
	c = &child{started: make(chan struct{}), finished: make(chan struct{})}
	var theirs [3]*os.File // standard input, output and error
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			err = fault.System(err, "helve "+Argument)
			c.close(0)
		}
	}()
	if theirs[0], c.order, err = os.Pipe(); err != nil {
		return nil, err
	}
	if c.lines, theirs[1], err = os.Pipe(); err != nil {
		return nil, err
	}
	if c.errors, theirs[2], err = os.Pipe(); err != nil {
		return nil, err
	}
	c.tree, err = process.StartTree(process.Child{
		Argument: Argument, Env: process.Environment(os.Environ(), "HELVE=1", mark(job.ID)), Mark: mark(job.ID),
		Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2],
	})
	if err != nil {
		return nil, err
	}
	go func() { _, _ = c.order.Write(append(text, '\n')) }() // one that does not read it does not say that it works
	return c, nil
}

// close closes what the keeper has of a worker. What was said before is read, for grace at
// most: something that could not be killed may hold the other ends.
func (c *child) close(grace time.Duration) {
	if c.order != nil {
		c.order.Close()
	}
	for _, f := range []*os.File{c.lines, c.errors} {
		if f == nil {
			continue
		}
		if grace == 0 || f.SetReadDeadline(time.Now().Add(grace)) != nil {
			f.Close()
		}
	}
}

// hear reads what a worker says: that it works, and how the job ended.
func (k *keeper) hear(c *child, job *agent.Job) {
	defer c.lines.Close()
	in := bufio.NewReader(c.lines)
	var nothing struct{}
	if c.failure = process.Hear(in, &nothing); c.failure != nil {
		return
	}
	close(c.started)
	k.answer(job.ID, nil)
	var how outcome
	if process.Hear(in, &how) == nil {
		c.how = &how
		close(c.finished)
	}
}

// guard ends a worker that does not end by itself when it must: because somebody has
// canceled the job, its time is over, or the keeper was asked to end. watching ends with
// the worker.
func (k *keeper) guard(ctx, watching context.Context, c *child, job *agent.Job) {
	select {
	case <-c.started:
	case <-time.After(k.Start):
		c.slow = true
		c.tree.Signal(true)
		return
	case <-watching.Done():
		return
	}
	following, enough := context.WithCancel(watching)
	defer enough()
	wanted := make(chan struct{})
	go k.follow(following, k.Jobs, job.ID, func(j *agent.Job) {
		if j.Canceling || j.Status.Final() || j.Worker == nil || j.Worker.ID != job.Worker.ID {
			enough()
			close(wanted)
		}
	})
	timeout := time.Duration(cmp.Or(job.Limits.Timeout, agent.DefaultTimeout)) * time.Second
	var why stop
	select {
	case <-wanted:
		why = canceled
	case <-time.After(timeout + k.Grace):
		why = late
	case <-ctx.Done():
		why = ended
	case <-c.finished:
		k.leave(watching, c)
		return
	case <-watching.Done():
		return
	}
	c.tree.Signal(false)
	select {
	case <-time.After(2 * k.Grace):
		c.kill(why)
	case <-c.finished:
		k.leave(watching, c)
	case <-watching.Done():
	}
}

// leave lets a worker write how the job ended, and kills it if it does not succeed.
func (k *keeper) leave(watching context.Context, c *child) {
	select {
	case <-time.After(k.Give + longestPause):
		c.kill(notStopped)
	case <-watching.Done():
	}
}

func (c *child) kill(why stop) {
	c.killed = why
	c.tree.Signal(true)
}

// outcome returns how a job has ended whose worker may not have written it. Everything
// that was said is heard.
func (c *child) outcome() agent.Outcome {
	switch {
	case c.how != nil:
		return c.how.outcome()
	case c.slow:
		c.failure = notInTime()
	case errors.Is(c.failure, process.ErrSilent): // it has died
		return agent.Outcome{Status: agent.Lost, Err: endedEarly(words(c.said))}
	}
	switch {
	case c.failure != nil:
		return agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Err: c.failure}
	case c.killed == late:
		return agent.Outcome{Status: agent.Incomplete, Reason: agent.ByTimeout}
	case len(c.said) > 0:
		return agent.Outcome{Status: agent.Lost, Err: crashed(words(c.said))}
	}
	return agent.Outcome{Status: agent.Lost} // or canceled, as the job says
}
