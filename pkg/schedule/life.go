package schedule

import (
	"context"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// closing limits the time of the last writes of a scheduler, and of its runs after they
// were canceled.
const closing = 10 * time.Second

// open makes the scheduler one of a kind. runs is the context of its runs, which
// goes on when ctx ends; close must be called.
func (s *Scheduler) open(ctx context.Context, kind string) (runs context.Context, cancel context.CancelCauseFunc, err error) {
	s.self = s.who(kind)
	if kind == kindRun {
		err := s.opt.Store.Update(ctx, func(tx store.Tx) error { return s.register(tx, s.now()) })
		if err != nil {
			return nil, nil, err
		}
	}
	runs, cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	beating, stop := context.WithCancel(runs)
	var heart sync.WaitGroup
	heart.Go(func() { s.beat(beating) })
	s.stop = func() { stop(); heart.Wait() }
	return runs, cancel, nil
}

// beat writes the heartbeat, and looks whether the runs are still this scheduler's.
func (s *Scheduler) beat(ctx context.Context) {
	ticker := time.NewTicker(beatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if s.self.Kind == kindTick && s.count() == 0 {
			continue
		}
		self := s.self
		self.Beat = s.now()
		err := s.opt.Store.Update(ctx, func(tx store.Tx) error { return putMember(tx, self) })
		if err == nil {
			err = s.opt.Store.View(ctx, s.disown)
		}
		if ctx.Err() == nil {
			s.trouble(err)
		}
	}
}

// disown cancels runs that others have taken for lost: while this machine was suspended
// or cut off, say.
func (s *Scheduler) disown(r store.Reader) error {
	s.mu.Lock()
	var mine []*attempt
	for _, a := range s.running {
		mine = append(mine, a)
	}
	s.mu.Unlock()
	for _, a := range mine {
		run, found, err := readRun(r, a.run.Job, a.run.ScheduledAt)
		if err != nil {
			return err
		}
		// One that has ended by itself meanwhile is not to be canceled any more.
		if found && run.Status != OK && (run.Scheduler != s.self.ID || run.Attempt != a.run.Attempt || run.Status == Lost) {
			a.cancel(errTaken)
		}
	}
	return nil
}

// wait waits for the runs that go on: for the grace, then it cancels them.
func (s *Scheduler) wait(cancel context.CancelCauseFunc) {
	grace, last := time.NewTimer(s.opt.Grace), (<-chan time.Time)(nil)
	defer grace.Stop()
	for s.count() > 0 {
		select {
		case <-s.done:
		case <-grace.C:
			cancel(errEnding)
			last = time.After(closing)
		case <-last:
			return // they do not end; who finds them takes them for lost
		}
	}
}

// close ends the scheduler: others see that it does not run any more.
func (s *Scheduler) close(ctx context.Context, before error) error {
	s.stop()
	s.mu.Lock()
	known := s.self.Kind == kindRun || s.started > 0 || len(s.doubt) > 0
	s.mu.Unlock()
	if !known {
		return before
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	err := s.opt.Store.Update(ctx, func(tx store.Tx) error {
		leader, err := tx.Get(leaderKey)
		if err != nil {
			return err
		}
		if string(leader.Value) == s.self.ID {
			if err := tx.Delete(leaderKey); err != nil {
				return err
			}
		}
		return tx.Delete(schedulerKeys + s.self.ID)
	})
	if before == nil {
		return err
	}
	return before
}

// lead reports whether this scheduler leads. It takes the lead if nobody has it who lives.
func (s *Scheduler) lead(ctx context.Context) (leads bool, err error) {
	free := false
	look := func(r store.Reader) error {
		leader, err := r.Get(leaderKey)
		if err != nil {
			return err
		}
		if leads = string(leader.Value) == s.self.ID; leads {
			return nil
		}
		free = leader.Revision == 0
		if !free {
			free, err = s.dead(r, string(leader.Value))
		}
		return err
	}
	if err := s.opt.Store.View(ctx, look); err != nil || leads || !free {
		return leads, err
	}
	err = s.opt.Store.Update(ctx, func(tx store.Tx) error {
		if err := look(tx); err != nil || !free {
			return err
		}
		leads = true
		return tx.Put(leaderKey, []byte(s.self.ID))
	})
	return leads && err == nil, err
}
