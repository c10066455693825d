package task

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// ErrCanceled is why the context of a call ends whose task was canceled.
var ErrCanceled = errors.New("the task was canceled")

// Run is a task that this process carries out.
type Run struct {
	store  *Store
	cancel context.CancelCauseFunc

	mu       sync.Mutex
	task     Task
	stopping bool
	left     bool                       // to whoever asks for it: this process may not write it any more
	used     map[string]bool            // the keys of requests that there were
	answers  map[string]json.RawMessage // to the requests at hand
	answered chan struct{}              // closed when nothing is left to answer
	ended    chan struct{}
}

// Task returns the task as it is.
func (r *Run) Task() Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.task
	t.Requests = maps.Clone(t.Requests)
	return t
}

// Note records the progress of the work, as long as the process lives.
func (r *Run) Note(message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.task.Status.Final() {
		r.task.Message, r.task.Updated = message, r.now()
	}
}

// Delegated records that a sub-agent does the work.
func (r *Run) Delegated(job string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.task.Status.Final() {
		return nil
	}
	r.task.Job, r.task.Updated = job, r.now()
	r.task.Message = fault.T("job %s of a sub-agent", job).In(r.store.lang)
	return r.store.save(&r.task)
}

// Ask waits until the client has answered all of the requests, and returns the answers by
// the keys of the requests. The error is the cause of the context's end.
func (r *Run) Ask(ctx context.Context, requests map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	if len(requests) == 0 {
		return nil, errors.New("a call asks for nothing and does not go on")
	}
	keys, answered, err := r.ask(requests)
	if err != nil {
		return nil, err
	}
	select {
	case <-answered:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	answers := map[string]json.RawMessage{}
	for shown, key := range keys {
		answers[key] = r.answers[shown]
	}
	return answers, nil
}

// ask shows the client what it is asked for. keys has the keys of the requests by those
// that the client sees.
func (r *Run) ask(requests map[string]json.RawMessage) (keys map[string]string, answered chan struct{}, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	keys = map[string]string{}
	r.task.Requests = map[string]json.RawMessage{}
	for key, request := range requests {
		shown := key
		for n := 2; r.used[shown]; n++ {
			shown = key + "-" + strconv.Itoa(n)
		}
		r.used[shown] = true
		keys[shown], r.task.Requests[shown] = key, request
	}
	r.answers, r.answered = map[string]json.RawMessage{}, make(chan struct{})
	r.task.Status, r.task.Updated = InputRequired, r.now()
	return keys, r.answered, r.store.save(&r.task)
}

// answer takes what the client answered. When nothing is left to answer the work goes on.
func (r *Run) answer(answers map[string]json.RawMessage) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.task.Status != InputRequired {
		return nil
	}
	for shown, answer := range answers {
		if _, asked := r.task.Requests[shown]; asked {
			r.answers[shown] = answer
			delete(r.task.Requests, shown)
			r.task.Updated = r.now()
		}
	}
	if len(r.task.Requests) == 0 {
		r.task.Status = Working
		close(r.answered)
	}
	return r.store.save(&r.task)
}

// stop cancels the call.
func (r *Run) stop() {
	r.mu.Lock()
	r.stopping = true
	r.mu.Unlock()
	r.cancel(ErrCanceled)
}

// leave leaves the task of a sub-agent to whoever asks for it next, and reports whether it
// is one.
func (r *Run) leave() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = r.task.Job != ""
	return r.left
}

// Complete ends the task with the result of the call. A call that was canceled and has
// failed counts as canceled. After an error only this process knows of the end.
func (r *Run) Complete(result json.RawMessage, failed bool) error {
	return r.finish(func(t *Task) {
		if r.stopping && failed {
			t.end(r.now(), Canceled)
			return
		}
		t.end(r.now(), Completed)
		t.Result = result
	})
}

// Fail ends the task with an error of the protocol; otherwise it behaves like
// [Run.Complete].
func (r *Run) Fail(e *Error) error {
	return r.finish(func(t *Task) {
		if r.stopping {
			t.end(r.now(), Canceled)
			return
		}
		t.end(r.now(), Failed)
		t.Error, t.Message = e, e.Message
	})
}

func (r *Run) finish(end func(*Task)) error {
	r.mu.Lock()
	var err error
	if end(&r.task); !r.left {
		err = r.store.save(&r.task)
	}
	id := r.task.ID
	r.mu.Unlock()
	if err == nil {
		r.store.mu.Lock()
		delete(r.store.running, id)
		r.store.mu.Unlock()
	}
	close(r.ended)
	return err
}

func (r *Run) now() time.Time { return r.store.dir.Now().UTC() }

// end ends a task, which is kept from then on for [Keep].
func (t *Task) end(now time.Time, s Status) {
	t.Status, t.Updated, t.Requests, t.Message = s, now, nil, ""
	t.TTL = now.Sub(t.Created).Round(time.Millisecond) + Keep
}
