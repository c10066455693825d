package sink

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// Webhook posts messages to a web address, as JSON, by the specification of Standard
// Webhooks (https://github.com/standard-webhooks/standard-webhooks).
type Webhook struct {
	Client  *web.Client
	URL     string
	Keys    []Key // to sign with; several while a key is being replaced
	Timeout time.Duration
	Now     func() time.Time
}

// Deliver posts one message. It is delivered when the server answers with a status of
// 200 to 299. Redirects are not followed.
func (s *Webhook) Deliver(ctx context.Context, m bus.Message) error {
	body, err := encode(m)
	if err != nil {
		return err
	}
	now := strconv.FormatInt(s.Now().Unix(), 10)
	headers := map[string]string{"webhook-id": m.ID, "webhook-timestamp": now}
	if len(s.Keys) > 0 {
		headers["webhook-signature"] = sign(s.Keys, m.ID, now, body)
	}
	r, err := s.Client.Get(ctx, web.Request{URL: web.At(s.URL), Body: body, ContentType: "application/json", Secret: headers, Once: true, Timeout: s.Timeout})
	if err != nil {
		return again(fault.As(err))
	}
	return refused(r)
}

// refused returns the failure that a response says; nil for none.
func refused(r *web.Response) error {
	if r.Status >= 200 && r.Status < 300 {
		return nil
	}
	asked, _ := r.RetryAfter()
	e := fault.New(fault.HTTPStatus, fault.T("the webhook answered HTTP %d %s", r.Status, http.StatusText(r.Status)))
	if final(r.Status) {
		return never(e.WithHint(fault.T("correct the sink in messages.sinks or its server, then run helve messages dead --retry ID")))
	}
	return &Failure{Outcome: Again, After: asked, Err: e.WithHint(fault.T("it is tried again"))}
}

// final reports whether a server that answers with a status will never take the
// message.
func final(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		return true
	}
	return status >= 400 && status < 500
}
