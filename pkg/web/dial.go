package web

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/helve-dev/helve/pkg/limit"
)

// transport makes connections: guarded ones to the hosts themselves, or, with a
// proxy, to that alone.
func (c *Client) transport(proxy func(*url.URL) (*url.URL, error)) *http.Transport {
	t := &http.Transport{
		DisableCompression:     true, // bodies are unpacked under limits of our own
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: limit.WebHeader,
		TLSHandshakeTimeout:    limit.WebConnect,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        30 * time.Second,
		TLSClientConfig:        &tls.Config{RootCAs: c.opt.Roots, MinVersion: tls.VersionTLS12},
	}
	if proxy == nil {
		t.DialContext = c.dial
		return t
	}
	t.Proxy = func(r *http.Request) (*url.URL, error) { return proxy(r.URL) }
	t.DialContext = (&net.Dialer{Timeout: limit.WebConnect, Resolver: c.opt.Resolver}).DialContext
	t.OnProxyConnectResponse = func(_ context.Context, at *url.URL, _ *http.Request, response *http.Response) error {
		return refusedBy(at, response.StatusCode)
	}
	return t
}

// dial connects to a host itself, at no address that the guard is against.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	g := c.guard
	if base, _ := ctx.Value(baseKey{}).(bool); base {
		g = &guard{open: true}
	}
	d := net.Dialer{Timeout: limit.WebConnect, Resolver: c.opt.Resolver, ControlContext: g.control(host)}
	return d.DialContext(ctx, network, address)
}

// baseKey marks the context of a request to an address of the person's own.
type baseKey struct{}

// lookup checks a host that a proxy will look up by itself. One that is not
// known here is let pass: behind a proxy names often are not. It cannot be as
// sure as [Client.dial], since the proxy may find another address.
func (c *Client) lookup(ctx context.Context, host string) error {
	if _, err := netip.ParseAddr(host); err == nil || c.guard.open {
		return nil // checked by its name already
	}
	r := c.opt.Resolver
	if r == nil {
		r = net.DefaultResolver
	}
	ctx, cancel := context.WithTimeout(ctx, limit.WebConnect/4)
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
