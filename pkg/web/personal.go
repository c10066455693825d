package web

import (
	"bytes"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
)

// personal returns the headers that the person has set for the host at hand. They are not
// sent in the clear, except to this machine itself; not with a request that has credentials
// of its own; and not once the exchange has been elsewhere, because another site would then
// choose what is asked for with them.
func (x *exchange) personal() http.Header {
	if x.client.opt.Headers == nil || x.left || x.request.direct() || x.request.Base || x.at.Scheme != "https" && !x.isLocal() {
		return nil
	}
	return x.client.opt.Headers(x.at.Hostname())
}

// isLocal reports whether the address at hand is on this machine, and reached without a
// proxy.
func (x *exchange) isLocal() bool {
	proxy, err := x.proxy()
	if err != nil || proxy != nil {
		return false
	}
	host := x.at.Hostname()
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}

// leave notes that the exchange goes on at another server, without the person's headers.
func (x *exchange) leave(next *url.URL) {
	if len(x.personal()) > 0 {
		x.warnings = append(x.warnings, fault.T("%s redirects to %s; the headers that are set for it in web.headers were not sent there", x.at.Hostname(), next.Hostname()))
	}
	x.left = true
}

// unsay removes the person's headers from a response: a server may repeat them.
func (x *exchange) unsay(r *Response) {
	for _, values := range x.personal() {
		for _, value := range values {
			words := []string{value}
			if _, token, ok := strings.Cut(value, " "); ok { // as after Bearer
				words = append(words, token)
			}
			for _, word := range words {
				if len(word) >= secret.Least && bytes.Contains(r.Body, []byte(word)) {
					r.Body = bytes.ReplaceAll(r.Body, []byte(word), []byte(secret.Hidden))
				}
			}
		}
	}
}
