package web

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

const (
	// maxHeader is the largest header of a response, in bytes.
	maxHeader = 256 << 10
	// connectTimeout is how long connecting to one address may take.
	connectTimeout = 8 * time.Second
)

// transport makes connections. Each kind has one of its own, so that a connection
// that one kind of request may use is never there for another to take up.
func (c *Client) transport() *http.Transport {
	return &http.Transport{
		DisableCompression:     true, // bodies are unpacked under limits of our own
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: maxHeader,
		TLSHandshakeTimeout:    connectTimeout,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        30 * time.Second,
		TLSClientConfig:        &tls.Config{RootCAs: c.opt.Roots, MinVersion: tls.VersionTLS12},
	}
}

// guarded connects to hosts themselves, at no address that the guard is against.
func (c *Client) guarded(g *guard) *http.Transport {
	t := c.transport()
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		d := net.Dialer{Timeout: connectTimeout, Resolver: c.opt.Resolver, ControlContext: g.control(host)}
		return d.DialContext(ctx, network, address)
	}
	return t
}

// behindProxy connects to proxies alone.
func (c *Client) behindProxy() *http.Transport {
	t := c.transport()
	t.Proxy = func(r *http.Request) (*url.URL, error) {
		at, err := c.opt.Proxy(r.URL)
		if err == nil && at == nil {
			err = errors.New("the proxy is no longer there")
		}
		return at, err
	}
	t.DialContext = (&net.Dialer{Timeout: connectTimeout, Resolver: c.opt.Resolver}).DialContext
	t.OnProxyConnectResponse = func(_ context.Context, at *url.URL, _ *http.Request, response *http.Response) error {
		return refusedBy(at, response.StatusCode)
	}
	return t
}

// lookup checks a host that a proxy will look up by itself. One that is not
// known here is let pass: behind a proxy names often are not. It cannot be as
// sure as the check of what is dialled, since the proxy may find another address.
func (c *Client) lookup(ctx context.Context, host string) error {
	if _, err := netip.ParseAddr(host); err == nil || c.guard.open {
		return nil // checked by its name already
	}
	r := c.opt.Resolver
	if r == nil {
		r = net.DefaultResolver
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout/4)
	defer cancel()
	found, err := r.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil // the proxy may know it
	}
	for _, a := range found {
		if err := c.guard.address(host, a.Unmap()); err != nil {
			return err
		}
	}
	return nil
}
