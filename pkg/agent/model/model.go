// Package model is the client of a server that runs a language model: one that speaks
// OpenAI's Chat Completions, as most do, or Anthropic's Messages. It runs no tool and
// keeps no conversation. What the model says stays JSON as it came: servers want it back
// unchanged.
//
// https://platform.openai.com/docs/api-reference/chat
// https://docs.anthropic.com/en/api/messages
package model

import (
	"context"
	"encoding/json"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// The formats.
const (
	Chat      = "chat"      // OpenAI's Chat Completions
	Anthropic = "anthropic" // Anthropic's Messages
)

// Options say which model, and where.
type Options struct {
	Web     func() (*web.Client, error)
	BaseURL string // such as https://api.openai.com/v1; it may be a private address, as the person has named it
	Key     string // "" sends none
	Model   string
	Format  string // Chat or Anthropic; "" finds out by the address
	Now     func() time.Time
	// Wait is the clock of retries; nil is the real one.
	Wait func(context.Context, time.Duration) error
	// Retrying is called before a request is sent again; it may be nil.
	Retrying func(after time.Duration, why error)
}

// Client speaks to one model.
type Client struct{ opt Options }

// New returns a client. The fault is not_configured, for an address or a format that
// cannot be used.
func New(o Options) (*Client, error) { return &Client{o}, nil }

// Format returns Chat or Anthropic.
func (c *Client) Format() string { return c.opt.Format }

// Request is a conversation that the model is to continue.
type Request struct {
	System   string
	Messages []json.RawMessage // in the format of the client
	Tools    json.RawMessage   // definitions, in the format of the client; empty offers none
	// NoCalls forbids the calls that Tools defines: the model is to say how far it is
	// (tool_choice none). They stay defined, as servers refuse a conversation with calls
	// of tools that are not. It means nothing where Tools is empty.
	NoCalls bool
	Output  int // tokens of the reply at most; 0 leaves it to the server, where it may be left out
}

// Stop is why a model stopped.
type Stop string

// The reasons to stop.
const (
	Ended    Stop = "ended"    // it has said all
	Calls    Stop = "calls"    // it wants calls carried out
	Length   Stop = "length"   // its reply is cut off
	Filtered Stop = "filtered" // the server or the model refused
)

// Usage is what a request took, in tokens, as the server counts them; or as they are estimated, if it does not say.
type Usage struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`
}

// Reply is what the model said.
type Reply struct {
	Message json.RawMessage // verbatim, to be appended to the conversation
	Text    string          // without reasoning
	Calls   int             // how many calls it wants carried out
	Stop    Stop
	Usage   Usage
}

// Complete returns what the model says next. While the server is busy or fails it asks
// again, as the server says or after longer and longer waits.
//
// The faults are not_configured (the server refuses the key, or does not know the model
// or the path), rate_limited, too_large (the conversation is longer than the model's context),
// timeout, unavailable, http_status and bad_document (no reply in the format).
func (c *Client) Complete(ctx context.Context, r Request) (*Reply, error) {
	return nil, fault.New(fault.Unsupported, fault.T("not yet", "尚未实现"))
}

// User returns a message of the user.
func (c *Client) User(text string) json.RawMessage { return nil }
