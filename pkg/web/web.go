package web

import (
	"cmp"
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Options configure a [Client].
type Options struct {
	// AllowPrivate allows every address, those of this machine included.
	AllowPrivate bool
	// Allow lists addresses that are allowed although they are not public.
	Allow []netip.Prefix
	// Proxy returns the proxy for an address, nil for none. A proxy may be at any
	// address: the person has configured it.
	Proxy func(*url.URL) (*url.URL, error)
	// Cache stores responses; nil stores none.
	Cache func() (*state.Cache, error)
	// Host is the policy about hosts, which are in ASCII and lower case; nil allows
	// all. first distinguishes the requested host from those that it redirects to.
	Host func(host string, first bool) error
	// Headers returns what requests for pages of a host carry, by the person's choice: nil
	// for none. See [exchange.personal] for where they are not sent.
	Headers func(host string) http.Header
	// Servers are those of the caller's session, which are reached as localhost; nil is none.
	Servers Servers
	// Resolver looks names up; nil is the system's.
	Resolver *net.Resolver
	// Roots are the trusted certificates; nil is the system's.
	Roots *x509.CertPool
	// Agent is the User-Agent; "" is helve's own.
	Agent string
	// Now and Wait are the clock; nil is the real one. Wait returns early, with the
	// context's error, when the context ends.
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
	base    func() *http.Transport // to addresses that the person configured
	own     func() *http.Transport // to servers of the session
}

// New returns a client. It makes no connection before the first request.
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
	c.own = sync.OnceValue(c.ofSession)
	c.base = sync.OnceValue(func() *http.Transport { return c.guarded(&guard{open: true}) })
	return c
}

// Request is a request of a page.
type Request struct {
	URL            Address
	Accept         string // media types, by preference; "" is any
	AcceptLanguage string
	MaxBytes       int64         // of the body, decompressed; 0 is 10 MiB
	Timeout        time.Duration // of everything from looking up the name to the last byte; 0 leaves it to the context

	// Reuse uses a stored response that is at most so old without asking the
	// server, so that the parts of one document come from the same bytes.
	Reuse time.Duration
	// NoStore neither uses a stored response nor stores one.
	NoStore bool

	// Body makes the request a POST of the type ContentType.
	Body        []byte
	ContentType string
	// Secret are headers with credentials, such as an API key. Such a request is
	// never redirected, stored or shown.
	Secret map[string]string
	// Once sends the request once, and reads the status and the header of the response
	// alone: for a request that changes something.
	Once bool
	// NoRetry sends the request once, too, and reads the whole response: the caller decides
	// whether to ask again.
	NoRetry bool
	// Partial returns a text that ends early, or does not end in time, as far as it came; see
	// [Response.Broken]. Without it, that is a fault.
	Partial bool
	// Into, if it is set, returns where the body of a success is written instead of into the
	// response, whose Body is its beginning alone. It is called anew when the request is
	// tried again: what was written before does not count. Such a response is not stored,
	// and a body of more than MaxBytes is a fault.
	Into func() (io.Writer, error)
	// Base marks an address from the person's configuration, which may be private.
	Base bool
	// Progress, if it is set, is called with the progress of the request, for every piece
	// of the body that comes.
	Progress func(Progress)
}

// Response is the response to a [Request], of any status, see [Response.Err].
type Response struct {
	URL      Address // as requested
	FinalURL Address // after redirects
	// Redirects are the addresses that redirected, the first included.
	Redirects []string
	Status    int
	Header    http.Header
	MIME      string // of Content-Type, in lower case, without parameters; "" if there is none
	Charset   string // the parameter of Content-Type, in lower case; see [Response.Text]
	Body      []byte // decompressed
	Truncated bool   // Body is the beginning of a larger one
	Broken    bool   // it is, because the server sent no more; a warning says how much came
	Wire      int64  // bytes of the body as sent; 0 for a stored one
	Size      int64  // bytes of the whole body, decompressed; -1 if unknown
	// Cached reports that the response was stored before, and Revalidated that the
	// server has confirmed it.
	Cached      bool
	Revalidated bool
	Proxied     bool
	Date        time.Time // when the response was received or confirmed
	Warnings    []fault.Text
}

// Get sends a request and returns the response.
//
// The faults are invalid_arguments (not an address), unsupported_scheme,
// blocked_address, denied (by the policy about hosts), too_many_redirects,
// timeout, unavailable (no network, no such host, a refused or broken connection,
// a bad certificate), too_large (an endless header, a decompression bomb) and
// unsupported_content (an unknown or broken compression). Each names the address,
// without what may be a secret in it, and has [Attempt] for details where it has no others.
// A status of failure is not an error, see [Response.Err].
func (c *Client) Get(ctx context.Context, r Request) (*Response, error) {
	r.complete()
	if r.URL.url == nil {
		return nil, cmp.Or(r.URL.err, error(badURL(fault.T("is empty"))))
	}
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.Timeout, errSlow)
		defer cancel()
	}
	x := &exchange{client: c, request: &r, first: r.URL.url, began: c.opt.Now(), inside: c.serves(r.URL.url)}
	r.NoStore = r.NoStore || x.inside
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
	r.NoStore = r.NoStore || r.direct() || r.Into != nil
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
