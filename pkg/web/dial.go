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
	// connectTimeout limits the time for connecting to one address.
	connectTimeout = 8 * time.Second
)

// transport returns a new transport. Each kind of request has its own, so that no
// request reuses a connection that only another kind may make.
func (c *Client) transport() *http.Transport {
	return &http.Transport{
		DisableCompression:     true, // receive decompresses, within limits
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: maxHeader,
		TLSHandshakeTimeout:    connectTimeout,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        30 * time.Second,
		TLSClientConfig:        &tls.Config{RootCAs: c.opt.Roots, MinVersion: tls.VersionTLS12},
	}
}

// guarded returns a transport that connects to hosts directly, at addresses that
// the guard allows.
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

// behindProxy returns a transport that connects to proxies only.
func (c *Client) behindProxy() *http.Transport {
	t := c.transport()
	t.Proxy = func(r *http.Request) (*url.URL, error) {
		at, err := c.opt.Proxy(r.URL)
		if err == nil && at == nil {
			err = errors.New("the proxy is gone")
		}
		return at, err
	}
	t.DialContext = (&net.Dialer{Timeout: connectTimeout, Resolver: c.opt.Resolver}).DialContext
	t.OnProxyConnectResponse = func(_ context.Context, at *url.URL, _ *http.Request, response *http.Response) error {
		return proxyRefused(at, response.StatusCode)
	}
	return t
}

// lookup checks the addresses of a host that a proxy will look up itself. A host
// that cannot be looked up here passes: behind a proxy that is common. This check
// is weaker than that of the dialled address, because the proxy may find another.
func (c *Client) lookup(ctx context.Context, g *guard, host string) error {
	if _, err := netip.ParseAddr(host); err == nil || g.open {
		return nil // checkName has checked it
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
		if err := g.checkAddress(host, a.Unmap()); err != nil {
			return err
		}
	}
	return nil
}
