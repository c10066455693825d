package loop

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Bounds of what the loop does for a model in trouble, one after the other.
const (
	mostParts  = 4 // answers that are cut off, of one text
	mostNudges = 2 // messages without text and calls
)

// heard keeps a reply.
func (r *run) heard(reply *model.Reply) error {
	r.talk.calibrate(reply.Usage)
	r.tokens += reply.Usage.In + reply.Usage.Out
	e := Event{Kind: Replied, Usage: reply.Usage, Text: reply.Text}
	if saysNothing(reply) {
		e.Ignored = reply.Message
	} else {
		e.Messages = []json.RawMessage{reply.Message}
	}
	switch {
	case strings.TrimSpace(reply.Text) == "":
	case r.parts > 0:
		r.text += reply.Text
	default:
		r.text = reply.Text
	}
	return r.record(e)
}

// saysNothing reports whether a reply has neither text nor calls. Servers refuse to get
// such a message back.
func saysNothing(reply *model.Reply) bool {
	return reply.Calls == 0 && strings.TrimSpace(reply.Text) == ""
}

// take goes by a reply that is not the last one. It returns how the loop ends, or nil.
func (r *run) take(ctx context.Context, reply *model.Reply) *agent.Outcome {
	switch {
	case reply.Stop == model.Filtered:
		return new(failed(agent.ByModel, filtered()))
	case reply.Calls > 0:
		return r.call(ctx, reply)
	}
	if saysNothing(reply) {
		return r.nudge(reply)
	}
	if model.OnlyCalls(reply.Text) && reply.Stop != model.Length {
		return r.miscalled(reply)
	}
	r.nudges = 0
	r.talk.add(reply.Message, nil, nil)
	if reply.Stop == model.Length {
		if r.parts++; r.parts >= mostParts {
			return new(agent.Outcome{Status: agent.Incomplete, Reason: agent.ByTokens})
		}
		r.pending = sayGoOn
		return nil
	}
	return r.end()
}

// end returns how the loop ends by a text of the model.
func (r *run) end() *agent.Outcome {
	v, rest, alone := verdictOf(r.text)
	switch {
	case r.made == 0 && asksForChange(r.Task):
		return new(agent.Outcome{Status: agent.Incomplete, Reason: agent.ByAgent, Result: r.text})
	case v == notDone:
		return new(agent.Outcome{Status: agent.Incomplete, Reason: agent.ByAgent, Result: rest})
	case v == done && alone && rest != "":
		return new(agent.Outcome{Status: agent.Completed, Result: rest})
	}
	return new(agent.Outcome{Status: agent.Completed, Result: r.text})
}

// nudge goes by a reply that says nothing.
func (r *run) nudge(reply *model.Reply) *agent.Outcome {
	if r.parts > 0 && reply.Stop == model.Ended { // there was no more to say
		return r.end()
	}
	if r.nudges++; r.nudges >= mostNudges {
		return new(failed(agent.ByModel, fault.New(fault.BadDocument, fault.T("the model answers with nothing")).
			WithHint(fault.T("try another model, or raise spawn.max_output"))))
	}
	r.pending = sayResult
	if reply.Stop == model.Length {
		r.pending = sayShort
	}
	return nil
}

// miscalled goes by a reply that is nothing but calls that cannot be made.
func (r *run) miscalled(reply *model.Reply) *agent.Outcome {
	r.talk.add(reply.Message, nil, nil)
	if r.nudges++; r.nudges >= mostNudges {
		return new(agent.Outcome{Status: agent.Incomplete, Reason: agent.ByModel, Result: r.text})
	}
	r.pending = sayCall
	return nil
}

// call carries out the calls of a reply.
func (r *run) call(ctx context.Context, reply *model.Reply) *agent.Outcome {
	r.nudges, r.parts = 0, 0
	if r.tokens >= r.Limits.Tokens { // nobody would look at what they do
		return new(agent.Outcome{Status: agent.Incomplete, Reason: agent.ByTokens})
	}
	answers, made, err := r.Tools.Answer(ctx, reply.Message)
	if err == nil && len(answers) == 0 {
		err = fault.New(fault.Internal, fault.T("no answer to the calls of the model"))
	}
	if fault.Is(err, fault.BadDocument) { // there are calls, and nobody can read them
		return new(r.broken(ctx, agent.ByModel, err))
	}
	if err != nil {
		return new(r.broken(ctx, agent.BySystem, err))
	}
	for i := range made {
		if made[i].Arguments, err = proper(made[i].Arguments); err != nil {
			return new(failed(agent.BySystem, err))
		}
	}
	r.made += len(made)
	answers = bound(answers, r.context/2)
	if err := r.record(Event{Kind: Called, Messages: answers, Calls: made}); err != nil {
		return new(failed(agent.BySystem, err))
	}
	r.talk.add(reply.Message, answers, made)
	switch r.circles.add(made, answers) {
	case warn:
		r.pending = sayLoop
	case stop:
		r.last = agent.ByLoop
	case proceed:
	}
	return nil
}

// proper returns arguments as JSON: what a model wrote that is none becomes a text.
func proper(arguments json.RawMessage) (json.RawMessage, error) {
	if len(arguments) == 0 || json.Valid(arguments) {
		return arguments, nil
	}
	return schema.Marshal(strings.ToValidUTF8(string(arguments), "\ufffd"))
}

// lastly goes by the reply to the last request.
func (r *run) lastly(reply *model.Reply) agent.Outcome {
	if reply.Stop == model.Filtered {
		return failed(agent.ByModel, filtered())
	}
	end := agent.Outcome{Status: agent.Incomplete, Reason: r.last}
	v, rest, _ := verdictOf(r.text)
	if end.Result = rest; rest == "" {
		end.Result = r.text
	}
	if v == done && !model.OnlyCalls(reply.Text) && !saysNothing(reply) && reply.Calls == 0 && reply.Stop != model.Length {
		end.Status, end.Reason = agent.Completed, ""
	}
	return end
}

func filtered() error {
	return fault.New(fault.Denied, fault.T("the model or its server refused to answer")).
		WithHint(fault.T("word the task in another way, or use another model"))
}
