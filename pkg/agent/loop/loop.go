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

// Options configure a run.
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

// The kinds of events.
const (
	Started   = "started" // Messages: the task. Text: the task
	Requested = "request" // the model is asked
	Retried   = "retry"   // it is asked again, as the server was busy or failed. Text: why. Whoever made the Model records it
	Replied   = "reply"   // Messages: what it said. Text: without calls and reasoning
	Called    = "calls"   // Messages: the answers. Calls: what they answer
	Trimmed   = "trimmed" // the oldest part was left out. Replaced, Messages: what stands for it. Text: what it was
	Nudged    = "nudge"   // the loop spoke as the user. Messages: what it said. Text: the same
	Ended     = "ended"   // Status, Reason, Error. Text: the result
	Printed   = "output"  // of an agent program. Text: lines
)

// Event is something that happened in a loop. The Messages of its events, one after the
// other, are the conversation as the model was sent it.
type Event struct {
	At        time.Time         `json:"at"`
	Kind      string            `json:"kind"`
	Iteration int               `json:"iteration,omitzero"`
	Messages  []json.RawMessage `json:"messages,omitempty"` // that were appended to the conversation, verbatim
	// Replaced counts the messages, from the first of the conversation on, that Messages
	// replace; 0 appends them.
	Replaced int             `json:"replaced,omitzero"`
	Ignored  json.RawMessage `json:"ignored,omitempty"` // a message of the model that says nothing; it does not become a part of the conversation
	Calls    []Made          `json:"calls,omitempty"`
	Usage    model.Usage     `json:"usage,omitzero"`  // of this reply
	Tokens   int64           `json:"tokens,omitzero"` // so far
	Text     string          `json:"text,omitzero"`

	// How it ended.
	Status agent.Status `json:"status,omitzero"`
	Reason agent.Reason `json:"reason,omitzero"`
	Error  string       `json:"error,omitzero"` // in English
}
