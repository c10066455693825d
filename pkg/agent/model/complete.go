package model

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/web"
)

const (
	// maxTries limits the tries of a request while the server fails.
	maxTries = 8
	// maxMisread limits the tries if the response is not in the format.
	maxMisread = 2
	// maxSlow limits the tries if a reply takes too long: a long reply may have been paid
	// for.
	maxSlow = 3
	// firstBackoff bounds the wait before the first retry; the bound doubles with each one.
	firstBackoff = time.Second
	// maxBackoff is the highest bound.
	maxBackoff = 30 * time.Second
	// maxAsked is the longest wait that a server may ask for. Limits of a minute are waited
	// for; those of a day are not.
	maxAsked = 5 * time.Minute
	// patience limits the time of one request, so that a dead connection does not take all
	// the time of a job.
	patience = 10 * time.Minute
	// maxReply limits the bytes read of a reply.
	maxReply = 16 << 20
)

// Complete returns what the model says next. While the server is busy or fails it asks
// again, as the server says or after longer and longer waits.
//
// The faults are not_configured (the server refuses the key, or does not know the model
// or the path), rate_limited, too_large (the conversation is longer than the model's context),
// timeout, canceled, unavailable, http_status and bad_document (no reply in the format).
func (c *Client) Complete(ctx context.Context, r Request) (*Reply, error) {
	client, err := c.opt.Web()
	if err != nil {
		return nil, err
	}
	h := c.quirks()
	var spent Usage // for a reply that was of no use
	for try := 1; ; {
		reply, f := c.ask(ctx, client, &r, h)
		if f == nil {
			reply.Usage = Usage{reply.Usage.In + spent.In, reply.Usage.Out + spent.Out}
			if other, again := h.amiss(c.Format(), reply, &r); again {
				spent, h = reply.Usage, other
				c.learn(h)
				continue
			}
			if c.Format() == Chat && reply.Calls == 0 && !r.NoCalls {
				if calls := writtenCalls(reply.Text, r.Tools); calls != nil {
					reply = reply.withCalls(calls)
				}
			}
			return reply, nil
		}
		if ctx.Err() != nil {
			return nil, c.ended(ctx, f)
		}
		if other, ok := h.adapt(f, &r); ok {
			h = other
			c.learn(h)
			c.retrying(0, f.fault)
			continue
		}
		pause := f.pause(try)
		end, limited := ctx.Deadline()
		if !f.again || try >= f.tries() || f.asked > maxAsked || limited && end.Sub(c.opt.Now()) <= pause {
			return nil, c.giveUp(f, try)
		}
		c.retrying(pause, f.fault)
		if c.opt.Wait(ctx, pause) != nil {
			return nil, c.ended(ctx, f)
		}
		try++
	}
}

// ask sends a request once.
func (c *Client) ask(ctx context.Context, client *web.Client, r *Request, h quirks) (*Reply, *failure) {
	body, err := c.format.encode(c.opt.Model, r, h)
	if err != nil {
		return nil, &failure{fault: fault.New(fault.Internal, fault.T("the conversation cannot be encoded: %v", err)).Because(err)}
	}
	response, err := client.Get(ctx, web.Request{
		URL: web.At(c.at.String()), Accept: "application/json", Body: body, ContentType: "application/json",
		Secret: c.format.header(c.opt.Key, h), Base: true, NoRetry: true, NoStore: true, MaxBytes: maxReply, Timeout: patience,
	})
	if err != nil {
		return nil, c.unreached(err)
	}
	if response.Status < 200 || response.Status > 299 {
		return nil, c.refused(response.Status, response.Header, response.Body, asked(response))
	}
	text := response.Body
	switch {
	case response.Truncated:
		return nil, c.misread(fault.T("%s sent a reply of more than %d MiB", c.at.Hostname(), maxReply>>20), false)
	case (response.MIME == "text/event-stream" || isStream(text)) && c.Format() != Chat:
		return nil, c.misread(fault.T("%s answers with a stream of events, although none was asked for", c.at.Hostname()), false)
	}
	if text = bytes.TrimPrefix(text, []byte("\uFEFF")); !utf8.Valid(text) {
		text = []byte(strings.ToValidUTF8(string(text), "\uFFFD"))
	}
	if response.MIME == "text/event-stream" || isStream(text) {
		text, err = joined(text)
	}
	var reply *Reply
	if err == nil {
		reply, err = c.format.decode(text)
	}
	if inside, ok := errors.AsType[*failed](err); ok { // with a status of success
		return nil, c.refused(inside.status, response.Header, text, asked(response))
	}
	if err != nil {
		return nil, c.misread(fault.T("%s sent no reply of a model: %v", c.at.Hostname(), err), true)
	}
	if reply.Counted = reply.Usage.In; reply.Usage.In <= 0 {
		reply.Usage.In = int64(tokens.Estimate(string(body)))
	}
	if reply.Usage.Out <= 0 {
		reply.Usage.Out = int64(tokens.Estimate(string(reply.Message)))
	}
	return reply, nil
}

// shortReply is the length in tokens below which a reply was cut off by a default of the
// server's, rather than by the model's own limit; and leastReply what is asked for then.
const shortReply, leastReply = 2048, 4096

// amiss returns the quirks that a reply reveals which is of no use, so that the request is
// to be sent again.
func (h quirks) amiss(format string, reply *Reply, r *Request) (quirks, bool) {
	switch {
	case format != Chat || reply.Calls > 0:
		return h, false
	case reply.Stop == Length && r.Output == 0 && h.least == 0 && h.limit != "" && reply.Usage.Out < shortReply:
		h.least = leastReply
	case len(r.Tools) > 0 && !r.NoCalls && !h.untooled && r.dropped(reply.Counted):
		h.untooled = true
	default:
		return h, false
	}
	return h, true
}

// dropped reports whether a server counted so few tokens that it cannot have shown the
// model the tools. Where calls were made it has.
func (r *Request) dropped(counted int64) bool {
	definitions := tokens.EstimateDefinitions(string(r.Tools))
	if counted <= 0 || definitions < 500 || readHistory(r.Messages).calls {
		return false
	}
	rest := tokens.Estimate(r.System)
	for _, m := range r.Messages {
		rest += tokens.Estimate(string(m))
	}
	return counted < int64(rest+definitions/5) && counted < int64(rest+definitions)/2
}

// isStream reports whether a body has the form of server-sent events.
func isStream(body []byte) bool {
	begin := strings.TrimLeft(string(body[:min(len(body), 100)]), " \r\n\uFEFF")
	return strings.HasPrefix(begin, "data:") || strings.HasPrefix(begin, "event:") || strings.HasPrefix(begin, ": ")
}

// asked returns how long a server asks to wait; 0 if it does not.
func asked(r *web.Response) time.Duration {
	const longest = float64(365 * 24 * time.Hour)
	if ms, err := strconv.ParseFloat(r.Header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms*float64(time.Millisecond), longest))
	}
	if s, err := strconv.ParseFloat(r.Header.Get("Retry-After"), 64); err == nil && s > 0 { // some send fractions
		return time.Duration(min(s*float64(time.Second), longest))
	}
	after, _ := r.RetryAfter()
	return after
}

// pause returns the wait before the next try.
func (f *failure) pause(try int) time.Duration {
	most := min(firstBackoff<<(try-1), maxBackoff)
	if f.asked > 0 { // clients that got the same time do not return at once
		return f.asked + rand.N(most)
	}
	return rand.N(most)
}

func (f *failure) tries() int {
	switch f.code() {
	case fault.BadDocument:
		return maxMisread
	case fault.Timeout:
		return maxSlow
	}
	return maxTries
}

// retries reports whether a status is worth another try.
func retries(status int, header http.Header) bool {
	switch header.Get("X-Should-Retry") { // OpenAI and Anthropic say what their own clients are to do
	case "true":
		return true
	case "false":
		return false
	}
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

func (c *Client) retrying(after time.Duration, why error) {
	if c.opt.Retrying != nil {
		c.opt.Retrying(after, why)
	}
}

func (c *Client) quirks() quirks {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}

func (c *Client) learn(h quirks) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = h
}

// ended returns the fault for a context that has ended.
func (c *Client) ended(ctx context.Context, last *failure) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.As(context.Canceled)
	}
	return fault.New(fault.Timeout, fault.T("%s did not answer in time", c.at.Hostname())).
		WithHint(fault.T("try again with a longer timeout")).Because(last.fault)
}
