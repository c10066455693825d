// Package model is the client of a server that runs a language model: one that speaks
// OpenAI's Chat Completions, as most do, or Anthropic's Messages. It runs no tool and
// keeps no conversation. What the model says stays JSON as it came: servers want it back
// unchanged.
//
// https://platform.openai.com/docs/api-reference/chat
// https://docs.anthropic.com/en/api/messages
package model

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
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
	Format  string // Chat or Anthropic; "" or auto finds out by the address
	Now     func() time.Time
	// Wait is the clock of retries; nil is the real one.
	Wait func(context.Context, time.Duration) error
	// Retrying is called before a request is sent again; it may be nil.
	Retrying func(after time.Duration, why error)
}

// Client speaks to one model. It may be used from several goroutines.
type Client struct {
	opt    Options
	format format
	at     *url.URL // the address that requests go to

	mu    sync.Mutex
	known quirks
}

// format is a way to speak to a server.
type format interface {
	name() string
	// endpoint returns the path that requests go to, below the path of the base URL.
	endpoint(base string) string
	header(key string, h quirks) map[string]string
	// encode returns the body of a request.
	encode(model string, r *Request, h quirks) ([]byte, error)
	// decode reads the body of a response with a status of success. The error is a failure.
	decode(body []byte) (*Reply, error)
	user(text string) any
}

// New returns a client. The fault is not_configured, for an address, a key or a format that
// cannot be used.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.BaseURL)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, notConfigured(fault.T("the base URL of the model's server cannot be used")).
			WithHint(fault.T("ask the person to set spawn.base_url (else OPENAI_BASE_URL) to an address such as https://api.openai.com/v1"))
	}
	if o.Model == "" {
		return nil, notConfigured(fault.T("no model is configured")).
			WithHint(fault.T("ask the person to set spawn.model (else OPENAI_MODEL)"))
	}
	o.Key = strings.TrimSpace(o.Key)
	if strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, notConfigured(fault.T("the key of the model's server has characters that no key has")).WithHint(hintKey())
	}
	c := &Client{opt: o}
	switch o.Format {
	case Chat:
		c.format = chat{}
	case Anthropic:
		c.format = messages{}
	case "", "auto":
		if speaksAnthropic(u) {
			c.format = messages{}
		} else {
			c.format = chat{}
		}
	default:
		return nil, notConfigured(fault.T("%q is no format of a model's server", o.Format)).
			WithHint(fault.T("ask the person to set spawn.format to auto, chat or anthropic"))
	}
	at := *u
	at.Path, at.RawPath, at.Fragment, at.RawFragment = c.format.endpoint(strings.TrimRight(u.Path, "/")), "", "", ""
	c.at = &at
	if o.Now == nil {
		c.opt.Now = time.Now
	}
	if o.Wait == nil {
		c.opt.Wait = wait
	}
	c.known = firstQuirks(u.Hostname())
	c.known.either = c.Format() == Anthropic && o.Key != ""
	return c, nil
}

// speaksAnthropic reports whether an address is one of Anthropic's, or of those that others
// have for its clients.
func speaksAnthropic(u *url.URL) bool {
	host, path := strings.ToLower(u.Hostname()), strings.TrimRight(u.Path, "/")
	return host == "anthropic.com" || strings.HasSuffix(host, ".anthropic.com") ||
		strings.HasSuffix(path, "/anthropic") || strings.HasSuffix(path, "/anthropic/v1") || strings.HasSuffix(path, "/v1/messages")
}

// Format returns Chat or Anthropic.
func (c *Client) Format() string { return c.format.name() }

// Request is a conversation that the model is to continue.
type Request struct {
	System   string
	Messages []json.RawMessage // in the format of the client
	Tools    json.RawMessage   // definitions, in the format of the client; empty offers none
	// NoCalls forbids the calls that Tools defines: the model is to say how far it is
	// They are defined all the same where a server wants that in a conversation with calls.
	// It means nothing where Tools is empty.
	NoCalls bool
	Output  int // tokens of the reply at most; 0 leaves it to the server, where it may be left out
}

// Stop is why a model stopped.
type Stop string

// The reasons to stop.
const (
	Ended    Stop = "ended"    // it has said all
	Calls    Stop = "calls"    // it wants calls carried out
	Length   Stop = "length"   // its reply is cut off, and the last of its calls may be, too
	Filtered Stop = "filtered" // the server or the model refused
)

// Usage counts the tokens of a request as the server reports them, or else estimates
// them.
type Usage struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`
}

// Reply is a message of the model.
type Reply struct {
	// Message is to be appended to the conversation. It is the server's, without the parts
	// that servers do not accept back: members that are null, an empty list of calls, a
	// call without an id.
	Message json.RawMessage
	Text    string // without reasoning
	Calls   int    // how many calls it wants carried out
	Stop    Stop
	Usage   Usage
	// Counted is the number of tokens that the server says the request has; 0 if it does
	// not. What a cache holds may not be counted.
	Counted int64
}

// User returns a message of the user.
func (c *Client) User(text string) json.RawMessage {
	return encode(c.format.user(text))
}

// shown returns the address of requests without what may be secret.
func (c *Client) shown() string {
	return (&url.URL{Scheme: c.at.Scheme, Host: c.at.Host, Path: c.at.Path}).String()
}

// masked returns a foreign text without the key.
func (c *Client) masked(text string) string {
	return secret.Hide(text, c.opt.Key)
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return cmp.Or(context.Cause(ctx), ctx.Err())
	}
}
