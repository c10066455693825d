package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Transport returns what carries the requests of a library that speaks HTTP by itself,
// under the rules of the client: it asks the policy about each host, dials no address
// that is blocked, and uses the proxy. It follows no redirect and stores nothing. An
// address with the host and port of base is the person's own choice, and may be private.
func (c *Client) Transport(base string) http.RoundTripper {
	u, err := url.Parse(base)
	if err != nil {
		u = &url.URL{} // then no address is the person's own
	}
	return &transport{client: c, base: u}
}

// HTTP returns a client of a library that speaks HTTP by itself, under the same rules. It
// follows redirects: each is a request of its own.
func (c *Client) HTTP(base string) *http.Client { return &http.Client{Transport: c.Transport(base)} }

// transport is the [http.RoundTripper] of [Client.Transport].
type transport struct {
	client *Client
	base   *url.URL
}

// RoundTrip sends one request.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	own := t.base.Host != "" && r.URL.Scheme == t.base.Scheme && strings.EqualFold(r.URL.Host, t.base.Host)
	x := &exchange{client: t.client, request: &Request{Base: own}, first: r.URL, at: r.URL}
	if r.Header.Get("User-Agent") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", t.client.opt.Agent)
	}
	response, err := t.send(x, r)
	if err != nil && r.Body != nil {
		_ = r.Body.Close() // a transport closes it, also where it sends nothing
	}
	if known := (*fault.Error)(nil); err != nil && r.Context().Err() == nil && !errors.As(err, &known) {
		err = networkFault(r.URL.Hostname(), err)
	}
	return response, err
}

func (t *transport) send(x *exchange, r *http.Request) (*http.Response, error) {
	host := strings.ToLower(r.URL.Hostname())
	if policy := t.client.opt.Host; policy != nil {
		if err := policy(host, true); err != nil {
			return nil, err
		}
	}
	if err := x.check(r.Context()); err != nil {
		return nil, err
	}
	proxy, err := x.proxy()
	switch {
	case err != nil:
		return nil, err
	case proxy != nil:
		return t.client.proxied().RoundTrip(r)
	case x.request.Base:
		return t.client.base().RoundTrip(r)
	}
	return t.client.direct().RoundTrip(r)
}
