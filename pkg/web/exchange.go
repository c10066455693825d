package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxRedirects limits the redirects followed.
const maxRedirects = 5

var errLong = errors.New("the address is too long")

// exchange is one request, with its redirects and retries.
type exchange struct {
	client   *Client
	request  *Request
	first    *url.URL
	at       *url.URL // the address at hand
	passed   []string // the addresses before it
	cookies  http.CookieJar
	warnings []fault.Text
	proxied  bool
	left     bool // the exchange has been at another server than the first
	inside   bool // it is with servers of the session
	began    time.Time
	status   int          // of the response at hand; 0 before it
	phase    atomic.Int32 // of the request at hand
}

// The phases of a request.
const (
	naming     = iota + 1 // looking the name up
	connecting            // not connected yet
	connected
)

// run follows redirects up to the final response.
func (x *exchange) run(ctx context.Context) (*Response, error) {
	x.at = x.first
	for {
		x.status = 0
		if err := x.check(ctx); err != nil {
			return nil, err
		}
		response, err := x.hop(ctx)
		if err != nil {
			return nil, err
		}
		next, err := x.next(response)
		if err != nil {
			return nil, err
		}
		if next == nil {
			response.URL, response.FinalURL = Address{url: x.first}, Address{url: x.at}
			response.Redirects, response.Proxied = x.passed, x.proxied
			response.Warnings = append(response.Warnings, x.warnings...)
			return response, nil
		}
		x.passed = append(x.passed, x.at.String())
		if x.at.Scheme == "https" && next.Scheme == "http" {
			x.warnings = append(x.warnings, fault.T("%s redirects from https to http", x.at.Hostname()))
		}
		if next.Host != x.first.Host {
			x.leave(next)
		}
		x.at = next
	}
}

// check asks the policy and the guard about the host at hand. Its address is
// checked when it is dialled or, if a proxy will dial it, by a look-up here.
func (x *exchange) check(ctx context.Context) error {
	host := x.at.Hostname()
	if x.atBase() {
		return nil
	}
	if policy := x.client.opt.Host; policy != nil {
		if err := policy(host, host == x.first.Hostname()); err != nil {
			return err
		}
	}
	if x.inside {
		return x.stayInside()
	}
	if err := x.client.guard.checkName(host); err != nil {
		return err
	}
	proxy, err := x.proxy()
	if err != nil || proxy == nil {
		return err
	}
	return x.client.lookup(ctx, x.client.guard, host)
}

// atBase reports whether the exchange is at an address that the person configured,
// and not at one that this address redirects to.
func (x *exchange) atBase() bool { return x.request.Base && x.at.Host == x.first.Host }

// proxy returns the proxy for the address at hand, nil for none.
func (x *exchange) proxy() (*url.URL, error) {
	if x.client.opt.Proxy == nil || x.inside {
		return nil, nil
	}
	proxy, err := x.client.opt.Proxy(x.at)
	if err != nil {
		return nil, badProxy(x.at.Hostname(), err)
	}
	return proxy, nil
}

// follows reports whether a response is a redirect that is followed.
func (x *exchange) follows(status int, h http.Header) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return h.Get("Location") != "" && !x.request.direct()
	}
	return false
}

// next returns where a response redirects to, nil if it is the final one.
func (x *exchange) next(r *Response) (*url.URL, error) {
	if !x.follows(r.Status, r.Header) {
		return nil, nil
	}
	if len(x.passed) == maxRedirects {
		return nil, tooManyRedirects(x.first.String(), append(x.passed, x.at.String()))
	}
	location := r.Header.Get("Location")
	next, err := x.at.Parse(location)
	if len(location) > MaxURL {
		err = errLong
	}
	if err == nil {
		next.User = nil // credentials from a redirect are not sent
		next.Fragment, next.RawFragment = cmp.Or(next.Fragment, x.at.Fragment), ""
		err = normalise(next)
	}
	if fault.Is(err, fault.UnsupportedScheme) {
		return nil, err
	}
	if err != nil {
		return nil, badRedirect(x.at.Hostname(), err)
	}
	return next, nil
}

// send sends the request to one server once, with this header, and returns the
// address that it connected to.
func (x *exchange) send(ctx context.Context, header http.Header) (*http.Response, netip.Addr, error) {
	var peer netip.Addr
	x.status = 0
	x.phase.Store(connecting)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { x.phase.Store(naming) },
		DNSDone: func(info httptrace.DNSDoneInfo) {
			if info.Err == nil {
				x.phase.CompareAndSwap(naming, connecting)
			}
		},
		GotConn: func(info httptrace.GotConnInfo) {
			x.phase.Store(connected)
			if tcp, ok := info.Conn.RemoteAddr().(*net.TCPAddr); ok {
				peer = tcp.AddrPort().Addr().Unmap()
			}
		},
	})
	method := http.MethodGet
	var body io.Reader
	if x.request.Body != nil {
		method, body = http.MethodPost, bytes.NewReader(x.request.Body)
	}
	q, err := http.NewRequestWithContext(ctx, method, x.page(), body)
	if err != nil {
		return nil, peer, badURL(fault.T("is not an address")).Because(err)
	}
	q.Header = header.Clone()
	if x.request.Body != nil {
		q.Header.Set("Content-Type", x.request.ContentType)
	}
	for name, value := range x.request.Secret {
		q.Header.Set(name, value)
	}
	own := x.personal()
	for name, values := range own {
		q.Header[http.CanonicalHeaderKey(name)] = values
	}
	if x.cookies != nil {
		for _, c := range x.cookies.Cookies(x.at) {
			q.AddCookie(c)
		}
	}
	proxy, err := x.proxy()
	if err != nil {
		return nil, peer, err
	}
	var transport *http.Transport
	switch {
	case proxy != nil:
		transport, x.proxied = x.client.proxied(), true
	case x.atBase():
		transport = x.client.base()
	case x.inside:
		transport = x.client.own()
	default:
		transport = x.client.direct()
	}
	response, err := transport.RoundTrip(q)
	if err != nil {
		return nil, peer, err
	}
	x.status = response.StatusCode
	if proxy != nil {
		peer = netip.Addr{} // it is the address of the proxy
		if response.StatusCode == http.StatusProxyAuthRequired {
			return nil, peer, errors.Join(proxyRefused(proxy, response.StatusCode), response.Body.Close())
		}
	}
	if set := response.Cookies(); len(set) > 0 && x.request.Secret == nil {
		if x.cookies == nil {
			x.cookies, _ = cookiejar.New(nil) // cannot fail
		}
		x.cookies.SetCookies(x.at, set)
	}
	return response, peer, nil
}

// page returns the address that is requested, without the fragment.
func (x *exchange) page() string {
	bare := *x.at
	bare.Fragment, bare.RawFragment = "", ""
	return bare.String()
}

// header returns the headers that every request has.
func (x *exchange) header() http.Header {
	h := http.Header{
		"User-Agent":      {x.client.opt.Agent},
		"Accept":          {x.request.Accept},
		"Accept-Encoding": {"gzip, br"},
	}
	if x.request.AcceptLanguage != "" {
		h.Set("Accept-Language", x.request.AcceptLanguage)
	}
	return h
}
