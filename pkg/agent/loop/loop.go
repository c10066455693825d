// Package loop lets a model work on a task with tools until it is done or a limit is
// reached. It knows neither the model's format nor the tools: a message is JSON that
// goes back to the server as it came.
package loop

import (
	"context"
	"encoding/json"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
)

// Model answers a conversation; [model.Client] does.
type Model interface {
	Complete(ctx context.Context, r model.Request) (*model.Reply, error)
	// User returns a message of the user, in the model's format.
	User(text string) json.RawMessage
}

// Tools carries out the calls of a model.
type Tools interface {
	// Definitions returns the tools in the model's format.
	Definitions(ctx context.Context) (json.RawMessage, error)
	// Answer carries out the calls of a message of the model, and returns the messages to append: one
	// answer for each call, whatever becomes of it. An error says that none could be
	// carried out or answered; ctx ends calls.
	Answer(ctx context.Context, message json.RawMessage) (answers []json.RawMessage, made []Made, err error)
}

// Made is a call that was carried out, for records and for those who watch.
type Made struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	OK        bool            `json:"ok"`
	Code      fault.Code      `json:"code,omitzero"` // of a failure
	Bytes     int             `json:"bytes"`         // of the answer
	Elapsed   time.Duration   `json:"-"`
}

// Options say what is to be done, and with what.
type Options struct {
	Model  Model
	Tools  Tools
	System string // the system prompt
	Task   string
	Limits agent.Limits
	Now    func() time.Time
	// Record keeps an event; an error ends the loop, as nothing may be lost.
	Record func(Event) error
}

// Event is something that happened in a loop.
type Event struct {
	At        time.Time         `json:"at"`
	Kind      string            `json:"kind"` // started, request, retry, reply, calls, trimmed, nudge, ended
	Iteration int               `json:"iteration,omitzero"`
	Messages  []json.RawMessage `json:"messages,omitempty"` // that were appended to the conversation, verbatim
	Calls     []Made            `json:"calls,omitempty"`
	Usage     model.Usage       `json:"usage,omitzero"`  // of this reply
	Tokens    int64             `json:"tokens,omitzero"` // so far
	Text      string            `json:"text,omitzero"`
}

// Run works on the task. It never returns success for what is none.
func Run(ctx context.Context, o Options) agent.Outcome {
	return agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Err: fault.New(fault.Unsupported, fault.T("not yet", "尚未实现"))}
}
