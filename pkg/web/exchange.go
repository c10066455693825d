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
	"slices"
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxRedirects is how many redirects are followed.
const maxRedirects = 5

var errLong = errors.New("the address is too long")

// exchange is one request on its way, through redirects and retries.
type exchange struct {
	client   *Client
	request  *Request
	first    *url.URL
	at       *url.URL // where it is now
	passed   []string // where it has been
	cookies  http.CookieJar
	warnings []fault.Text
	proxied  bool
	phase    atomic.Int32 // of the request under way
}

// The phases of a request.
const (
	naming     = iota + 1 // the name is looked up
	connecting            // nobody has been reached
	connected
)

// run follows redirects until there is an answer.
func (x *exchange) run(ctx context.Context) (*Response, error) {
	x.at = x.first
	for {
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
			response.URL, response.FinalURL = x.first.String(), x.at.String()
			response.Redirects, response.Proxied = x.passed, x.proxied
			response.Warnings = append(response.Warnings, x.warnings...)
			return response, nil
		}
		x.passed = append(x.passed, x.at.String())
		if x.at.Scheme == "https" && next.Scheme == "http" {
			x.warnings = append(x.warnings, fault.T("%s redirects to an address without encryption", "%s 重定向到了未加密的地址", x.at.Hostname()))
		}
		x.at = next
	}
}

// check asks the guard about the host. The address it leads to is checked when
// it is dialled or, for a proxy that will do that, as far as it is known here.
func (x *exchange) check(ctx context.Context) error {
	host := x.at.Hostname()
	if x.own() {
		return nil
	}
	if about := x.client.opt.Host; about != nil {
		if err := about(host, host == x.first.Hostname()); err != nil {
			return err
		}
	}
	if err := x.client.guard.name(host); err != nil {
		return err
	}
	proxy, err := x.proxy()
	if err != nil || proxy == nil {
		return err
	}
	return x.client.lookup(ctx, host)
}

// own reports whether the exchange is at the person's own service. Where that
// leads on to is not.
func (x *exchange) own() bool { return x.request.Base && x.at.Host == x.first.Host }

// proxy is the proxy for where the exchange is now, nil for none.
func (x *exchange) proxy() (*url.URL, error) {
	if x.client.opt.Proxy == nil {
		return nil, nil
	}
	proxy, err := x.client.opt.Proxy(x.at)
	if err != nil {
		return nil, fault.New(fault.NotConfigured, fault.T("the proxy for %s cannot be used", "%s 的代理无法使用", x.at.Hostname())).
			WithHint(fault.T("ask the person to mend HTTP_PROXY, HTTPS_PROXY or web.proxy", "请用户修正 HTTP_PROXY、HTTPS_PROXY 或 web.proxy")).
			Because(err)
	}
	return proxy, nil
}

// follows reports whether a response only leads on.
func (x *exchange) follows(status int, h http.Header) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return h.Get("Location") != "" && !x.request.direct()
	}
	return false
}

// next is where a response redirects to, nil where it is the answer.
func (x *exchange) next(r *Response) (*url.URL, error) {
	if !x.follows(r.Status, r.Header) {
		return nil, nil
	}
	if len(x.passed) == maxRedirects {
		return nil, fault.New(fault.TooManyRedirects, fault.T("%s redirects more than %d times", "%s 的重定向超过 %d 次", x.first.String(), maxRedirects)).
			WithHint(fault.T("the site may want cookies or a log-in; try another address of it", "该站点可能需要 Cookie 或登录；请尝试其他地址")).
			WithDetails(struct {
				Redirects []string `json:"redirects"`
			}{slices.Clone(append(x.passed, x.at.String()))})
	}
	location := r.Header.Get("Location")
	next, err := x.at.Parse(location)
	if len(location) > MaxURL { // which a result would have to show
		err = errLong
	}
	if err == nil {
		next.User = nil // nobody's credentials are sent anywhere
		next.Fragment, next.RawFragment = cmp.Or(next.Fragment, x.at.Fragment), ""
		err = normalise(next)
	}
	if fault.Is(err, fault.UnsupportedScheme) {
		return nil, err
	}
	if err != nil {
		return nil, unavailable(fault.T("%s redirects to what is no address", "%s 重定向到无效的地址", x.at.Hostname())).
			WithHint(fault.T("the site is at fault; try another address of it", "该站点有误；请尝试其他地址")).Because(err)
	}
	return next, nil
}

// send asks one server once. header adds to the usual headers.
func (x *exchange) send(ctx context.Context, header http.Header) (*http.Response, netip.Addr, error) {
	var peer netip.Addr
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
		return nil, peer, badURL(fault.T("it is not an address", "不是有效的地址")).Because(err)
	}
	q.Header = header.Clone()
	if x.request.Body != nil {
		q.Header.Set("Content-Type", x.request.ContentType)
	}
	for name, value := range x.request.Secret {
		q.Header.Set(name, value)
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
	case x.own():
		transport = x.client.base()
	default:
		transport = x.client.direct()
	}
	response, err := transport.RoundTrip(q)
	if err != nil {
		return nil, peer, err
	}
	if proxy != nil {
		peer = netip.Addr{} // that of the proxy says nothing
		if response.StatusCode == http.StatusProxyAuthRequired {
			return nil, peer, errors.Join(refusedBy(proxy, response.StatusCode), response.Body.Close())
		}
	}
	if set := response.Cookies(); len(set) > 0 && x.request.Secret == nil {
		if x.cookies == nil {
			x.cookies, _ = cookiejar.New(nil) // which cannot fail
		}
		x.cookies.SetCookies(x.at, set)
	}
	return response, peer, nil
}

// page is the address that is asked for: without the fragment, which is the
// reader's own.
func (x *exchange) page() string {
	bare := *x.at
	bare.Fragment, bare.RawFragment = "", ""
	return bare.String()
}

// header is what every request says of itself.
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
