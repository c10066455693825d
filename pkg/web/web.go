// Package web is the one way to the web: a client that reaches public addresses
// only, in bounded time and memory. It knows neither what a page means nor which
// tool asks.
package web

import (
	"cmp"
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Options are what a [Client] can do without.
type Options struct {
	// AllowPrivate lets every address be reached, this machine's own included.
	AllowPrivate bool
	// Allow lists addresses that may be reached although they are not public.
	Allow []netip.Prefix
	// Proxy names the proxy for an address, nil for none; see [Proxies]. A proxy
	// may be at any address: whoever configures one means it.
	Proxy func(*url.URL) (*url.URL, error)
	// Cache keeps responses; nil keeps none.
	Cache func() (*state.Cache, error)
	// Host is the policy about hosts, in ASCII and lower case; nil allows all.
	// first says that it is the host that was asked for, not one that a redirect
	// leads to.
	Host func(host string, first bool) error
	// Resolver looks names up; nil is the system's.
	Resolver *net.Resolver
	// Roots are the certificates that are trusted; nil is the system's.
	Roots *x509.CertPool
	// Agent is the User-Agent; "" is helve's own.
	Agent string
	// Now and Wait are the clock; nil is the real one. Wait returns early, with
	// the context's error, when that ends.
	Now  func() time.Time
	Wait func(context.Context, time.Duration) error
}

// Client exchanges messages with web servers. It may be used from several
// goroutines.
type Client struct {
	opt     Options
	guard   *guard
	direct  func() *http.Transport
	proxied func() *http.Transport
	base    func() *http.Transport // to the person's own addresses
}

// New is a client. It costs little: connections are set up at the first use.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Agent == "" {
		o.Agent = "helve (+https://github.com/helve-dev/helve)"
	}
	c := &Client{opt: o, guard: &guard{open: o.AllowPrivate, allow: o.Allow}}
	c.direct = sync.OnceValue(func() *http.Transport { return c.guarded(c.guard) })
	c.proxied = sync.OnceValue(c.behindProxy)
	c.base = sync.OnceValue(func() *http.Transport { return c.guarded(&guard{open: true}) })
	return c
}

// Request is what to ask for.
type Request struct {
	URL            string
	Accept         string // media types, in preference; "" is any
	AcceptLanguage string
	MaxBytes       int64         // of the body, decompressed; 0 is 10 MiB
	Timeout        time.Duration // of everything: names, redirects, retries, the last byte; 0 is none but the context's

	// Reuse takes a stored response that is at most so old without asking the
	// server, so that the pages of one document are cut from the same bytes.
	Reuse time.Duration
	// NoStore neither looks for a stored response nor keeps one.
	NoStore bool

	// Body makes the request a POST of the type ContentType.
	Body        []byte
	ContentType string
	// Secret are headers with credentials, such as an API key. They go to the
	// first host only and such a request is never redirected, stored or shown.
	Secret map[string]string
	// Base marks an address that the person configured, not a model: it may be
	// private.
	Base bool
}

// Response is the answer to a [Request], of any status; [Response.Err] is about
// the status.
type Response struct {
	URL      string // as asked for, normalised
	FinalURL string // after redirects
	// Redirects are the addresses that were passed through, the first included;
	// empty without redirects.
	Redirects []string
	Status    int
	Header    http.Header
	MIME      string // of Content-Type, in lower case, without parameters; "" if there is none
	Charset   string // the parameter of Content-Type, in lower case; see [Response.Text]
	Body      []byte // decompressed
	Truncated bool   // Body is the first MaxBytes of a larger one
	Wire      int64  // bytes of the body as they came; 0 when it was stored before
	Size      int64  // bytes of the whole body, unpacked; -1 when that is unknown
	// Cached reports that the body was stored before, and Revalidated that the
	// server was asked and said that it still holds.
	Cached      bool
	Revalidated bool
	Proxied     bool
	Date        time.Time // when the server made the response, or confirmed it
	Warnings    []fault.Text
}

// Get carries a request out.
//
// The faults: invalid_arguments for what is no address, unsupported_scheme,
// blocked_address, denied (by the policy about hosts), too_many_redirects,
// timeout, unavailable (no network, no such host, a refused or broken
// connection, a bad certificate), too_large (an endless header, a compression
// bomb) and unsupported_content (a compression that is unknown or broken). A
// status of failure is none: see [Response.Err].
func (c *Client) Get(ctx context.Context, r Request) (*Response, error) {
	r.complete()
	u, err := Parse(r.URL)
	if err != nil {
		return nil, err
	}
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.Timeout, errSlow)
		defer cancel()
	}
	x := &exchange{client: c, request: &r, first: u}
	response, err := x.run(ctx)
	if err != nil {
		return nil, x.fault(ctx, err)
	}
	return response, nil
}

// complete replaces zero values by defaults.
func (r *Request) complete() {
	if r.MaxBytes <= 0 {
		r.MaxBytes = maxBody
	}
	r.Accept = cmp.Or(r.Accept, "*/*")
	r.NoStore = r.NoStore || r.direct()
}

// direct reports whether the request goes to one server only: it carries data or
// credentials, so it is neither redirected nor stored.
func (r *Request) direct() bool { return r.Body != nil || r.Secret != nil }

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
