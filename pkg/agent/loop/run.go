package loop

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
)

// mostRefusals limits the requests in a row that are refused as too large.
const mostRefusals = 5

// replyTokens is the estimate of a reply's tokens that decides whether a request fits the
// budget.
const replyTokens = 1000

// Run works on the task. The outcome is Completed only if the model ends by itself,
// without saying that the task is unfinished, or says in a last step that it is finished.
// Whatever the end, the Result is the last text of the model. The cause of ctx decides
// whether its end is a timeout or a cancellation. Run also ends after Limits.Timeout.
func Run(ctx context.Context, o Options) agent.Outcome {
	o.Limits = withDefaults(o.Limits)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(o.Limits.Timeout)*time.Second)
	defer cancel()
	r := &run{Options: o, context: o.Limits.Context}
	end := r.work(ctx)
	if end.Result == "" && end.Status != agent.Completed {
		end.Result = r.text
	}
	e := Event{Kind: Ended, Status: end.Status, Reason: end.Reason, Text: end.Result}
	if end.Err != nil {
		e.Error = end.Err.Error()
	}
	if err := r.record(e); err != nil && (end.Status == agent.Completed || end.Status == agent.Incomplete) {
		end.Status, end.Reason, end.Err = agent.Failed, agent.BySystem, err
	}
	return end
}

func withDefaults(l agent.Limits) agent.Limits {
	if l.Iterations <= 0 {
		l.Iterations = agent.DefaultIterations
	}
	if l.Timeout <= 0 {
		l.Timeout = agent.DefaultTimeout
	}
	if l.Tokens <= 0 {
		l.Tokens = agent.DefaultTokens
	}
	if l.Context <= 0 {
		l.Context = agent.DefaultContext
	}
	return l
}

// run is the state of a loop.
type run struct {
	Options
	definitions json.RawMessage
	talk        *conversation
	circles     repeats

	iteration int
	tokens    int64
	context   int          // tokens that the conversation may have; less than Limits say, once the server refused
	last      agent.Reason // the limit that makes the next request the last one

	pending string // text for the model, sent with the next request
	text    string // the last text of the model; the parts of one that was cut off are joined
	parts   int    // how many parts of a text were cut off, one after the other
	nudges  int    // messages without text and calls, one after the other
	made    int    // calls of tools
}

// record keeps an event.
func (r *run) record(e Event) error {
	e.At, e.Iteration, e.Tokens = r.Now(), r.iteration, r.tokens
	return r.Record(e)
}

// work goes on until there is an outcome.
func (r *run) work(ctx context.Context) agent.Outcome {
	var err error
	if r.definitions, err = r.Tools.Definitions(ctx); err != nil {
		return r.broken(ctx, agent.BySystem, err)
	}
	r.definitions = fitting(r.definitions, r.context)
	r.talk = newConversation(r.Model, r.System, r.Task, r.definitions)
	if err := r.record(Event{Kind: Started, Text: r.Task, Messages: r.talk.messages()}); err != nil {
		return failed(agent.BySystem, err)
	}
	for {
		if ctx.Err() != nil {
			return r.broken(ctx, agent.ByModel, nil)
		}
		if end := r.prepare(); end != nil {
			return *end
		}
		reply, end := r.ask(ctx)
		if end != nil {
			return *end
		}
		if r.last != "" {
			return r.lastly(reply)
		}
		if end := r.take(ctx, reply); end != nil {
			return *end
		}
	}
}

// prepare makes the conversation ready for the next request, and finds out whether it is
// the last one.
func (r *run) prepare() *agent.Outcome {
	if r.last == "" && r.iteration+1 >= r.Limits.Iterations {
		r.last = agent.ByIterations
	}
	if err := r.trim(); err != nil {
		return new(failed(agent.BySystem, err))
	}
	one := int64(r.talk.estimate() + replyTokens)
	left := r.Limits.Tokens - r.tokens
	if one > left {
		return new(agent.Outcome{Status: agent.Incomplete, Reason: agent.ByTokens})
	}
	if r.last == "" && 2*one > left {
		r.last = agent.ByTokens
	}
	say := r.pending
	r.pending = ""
	switch r.last {
	case agent.ByIterations:
		say = lastSteps + sayLast
	case agent.ByTokens:
		say = lastTokens + sayLast
	case agent.ByLoop:
		say = lastLoop + sayLast
	}
	if r.last != "" {
		r.parts = 0 // the result is asked for anew
	}
	if say == "" {
		return nil
	}
	if err := r.record(r.talk.say(say)); err != nil {
		return new(failed(agent.BySystem, err))
	}
	return nil
}

// trim makes room if the conversation has more tokens than it may. Old steps go first,
// and more of them than is needed: servers keep what they have seen in a cache, which
// each change spoils.
func (r *run) trim() error {
	for _, try := range []func() *Event{
		func() *Event { return r.talk.trim(r.context*3/4, 2) },
		func() *Event { return r.talk.trim(r.context, 1) },
		func() *Event { return r.talk.shrink(r.context) },
	} {
		if r.talk.estimate() <= r.context {
			return nil
		}
		if e := try(); e != nil {
			if err := r.record(*e); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask makes a request. One that is too large is made again with less.
func (r *run) ask(ctx context.Context) (*model.Reply, *agent.Outcome) {
	r.iteration++
	for refused := 0; ; refused++ {
		if err := r.record(Event{Kind: Requested}); err != nil {
			return nil, new(failed(agent.BySystem, err))
		}
		reply, err := r.Model.Complete(ctx, model.Request{
			System: r.System, Messages: r.talk.messages(), Tools: r.definitions, NoCalls: r.last != "", Output: r.Limits.Output,
		})
		switch {
		case fault.Is(err, fault.TooLarge) && refused < mostRefusals && ctx.Err() == nil:
			before := r.talk.raw()
			r.context = min(r.context, r.talk.estimate()) / 2
			if err := r.trim(); err != nil {
				return nil, new(failed(agent.BySystem, err))
			}
			if r.talk.raw() < before {
				continue
			}
			return nil, new(r.broken(ctx, agent.ByModel, err))
		case err != nil:
			return nil, new(r.broken(ctx, agent.ByModel, err))
		case reply == nil || !json.Valid(reply.Message):
			return nil, new(failed(agent.ByModel, fault.New(fault.BadDocument, fault.T("the model's reply is no message"))))
		}
		if err := r.heard(reply); err != nil {
			return nil, new(failed(agent.BySystem, err))
		}
		return reply, nil
	}
}

// broken returns the outcome of an error: the end of ctx, if that is its cause.
func (r *run) broken(ctx context.Context, reason agent.Reason, err error) agent.Outcome {
	if ctx.Err() == nil {
		return failed(reason, err)
	}
	cause := context.Cause(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(cause, context.DeadlineExceeded) {
		return agent.Outcome{
			Status: agent.Incomplete, Reason: agent.ByTimeout,
			Err: fault.New(fault.Timeout, fault.T("the time that the task may take is over")).
				WithHint(fault.T("give it more with timeout, or a smaller task")).Because(cause),
		}
	}
	if _, ok := errors.AsType[*fault.Error](cause); !ok {
		cause = fault.New(fault.Canceled, fault.T("the job was canceled")).Because(cause)
	}
	return agent.Outcome{Status: agent.Canceled, Err: cause}
}

func failed(reason agent.Reason, err error) agent.Outcome {
	return agent.Outcome{Status: agent.Failed, Reason: reason, Err: err}
}
