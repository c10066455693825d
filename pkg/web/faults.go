package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// errSlow is the cause of the end of an exchange that takes too long.
var errSlow = errors.New("the exchange takes too long")

func unavailable(message fault.Text) *fault.Error {
	return fault.New(fault.Unavailable, message)
}

// badURL is the fault of an address that cannot be used.
func badURL(why fault.Text) *fault.Error {
	return schema.Invalid("/url", why).
		WithHint(fault.T("use an address such as https://example.org/page"))
}

// blocked is the fault of a host or address that the guard refuses.
func blocked(message fault.Text) *fault.Error {
	return fault.New(fault.BlockedAddress, message).
		WithHint(fault.T("use a public address; only the person can allow private ones, with web.allow_private or web.allow_addresses in the person's configuration"))
}

// badProxy is the fault of a proxy setting that cannot be used.
func badProxy(host string, err error) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("the proxy for %s cannot be used", host)).
		WithHint(fault.T("ask the person to correct HTTP_PROXY, HTTPS_PROXY or web.proxy")).
		Because(err)
}

// tooManyRedirects is the fault of an address that redirects through all of these.
func tooManyRedirects(first string, passed []string) *fault.Error {
	return fault.New(fault.TooManyRedirects, fault.T("%s redirects more than %d times", first, maxRedirects)).
		WithHint(fault.T("the site may require cookies or a login; try another address of the site")).
		WithDetails(struct {
			Redirects []string `json:"redirects"`
		}{passed})
}

// badRedirect is the fault of a redirect to something that is not an address.
func badRedirect(host string, err error) *fault.Error {
	return unavailable(fault.T("%s redirects to an invalid address", host)).
		WithHint(fault.T("the site is at fault; try another address of the site")).Because(err)
}

// cannotDecompress is the fault of a body in an unknown or broken coding.
func cannotDecompress(host, coding string) *fault.Error {
	return fault.New(fault.UnsupportedContent, fault.T("%s sent a body that cannot be decompressed (%s)", host, coding)).
		WithHint(fault.T("the server is at fault; try another source"))
}

// decompressionBomb is the fault of a small body that decompresses to a huge one.
func decompressionBomb(host string, sent, most int64) *fault.Error {
	return fault.New(fault.TooLarge, fault.T("%s sent %d bytes that decompress to more than %d", host, sent, most)).
		WithHint(hintAvoid())
}

// endlessBody is the fault of a large body that decompresses to almost nothing.
func endlessBody(host string, most int64) *fault.Error {
	return fault.New(fault.TooLarge, fault.T("%s sent more than %d bytes that decompress to almost nothing", host, most)).
		WithHint(hintAvoid())
}

// Attempt are the details of a fault of the network: what was asked for, how long, and how
// far it came.
type Attempt struct {
	URL    string  `json:"url"`             // of the server at fault, without secrets
	Status int     `json:"status,omitzero"` // of its response, if that began
	Waited float64 `json:"waited"`          // seconds, to a tenth
}

// fault returns the fault for the error that ended an exchange. It names the address, the
// time and the status. Of requests with credentials or to a configured address it names the
// server only: such an address may be a secret as a whole.
func (x *exchange) fault(ctx context.Context, err error) error {
	found := x.reason(ctx, err)
	known, ok := errors.AsType[*fault.Error](found)
	if !ok || x.request.direct() || x.request.Base {
		return found
	}
	switch known.Code {
	case fault.Timeout, fault.Unavailable, fault.TooLarge, fault.UnsupportedContent, fault.BlockedAddress, fault.UnsupportedScheme, fault.NotConfigured:
	default:
		return found // of the policy or the caller; or it names the address already
	}
	waited := x.waited()
	about := []fault.Text{fault.T("%s", Shown(x.at))}
	if len(x.passed) > 0 {
		about = append(about, fault.T("redirected from %s", Shown(x.first)))
	}
	if x.status > 0 {
		about = append(about, fault.T("HTTP %d", x.status))
	}
	if waited >= noticed {
		about = append(about, fault.T("after %s", seconds(waited)))
	}
	named := fault.New(known.Code, fault.T("%s (%s)", known.Message, fault.Join(about, ", "))).WithHint(known.Hint).Because(found)
	if known.Details == nil {
		return named.WithDetails(Attempt{Shown(x.at), x.status, math.Round(waited.Seconds()*10) / 10})
	}
	return named.WithDetails(known.Details)
}

// noticed is the shortest time that a message names.
const noticed = 100 * time.Millisecond

// waited returns how long the exchange has taken.
func (x *exchange) waited() time.Duration { return max(x.client.opt.Now().Sub(x.began), 0) }

// seconds writes a time for people.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s" }

// reason returns the fault for the error that ended an exchange, which names the host.
func (x *exchange) reason(ctx context.Context, err error) error {
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return x.aboutServers(known)
	}
	host := x.at.Hostname()
	if errors.Is(context.Cause(ctx), errSlow) || ctx.Err() == nil && isTimeout(err) {
		return x.timedOut(host, err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "proxyconnect" {
		if proxy, _ := x.proxy(); proxy != nil {
			return unavailable(fault.T("the proxy %s cannot be used: %s", proxy.Host, networkFault(proxy.Hostname(), op.Err).Message)).
				WithHint(fault.T("ask the person to check the proxy, or to set web.proxy to direct")).Because(err)
		}
	}
	if x.inside && errors.Is(err, syscall.ECONNREFUSED) {
		return x.client.nothingListens(x.at, err)
	}
	return networkFault(host, err)
}

// timedOut returns the fault for what was still to be done when time ran out.
func (x *exchange) timedOut(host string, err error) *fault.Error {
	phase := x.phase.Load()
	if x.proxied { // the phases are those of the proxy
		phase = connected
	}
	switch phase {
	case naming:
		return notResolved(fault.Timeout, host, err)
	case connecting:
		return fault.New(fault.Timeout, fault.T("connecting to %s took too long", host)).
			WithHint(fault.T("check the address, or try again later; if no host can be reached, continue without the web and tell the person")).Because(err)
	}
	return fault.New(fault.Timeout, fault.T("%s did not send the whole response within %s", host, seconds(x.waited()))).
		WithHint(fault.T("try again later, or with a longer timeout")).Because(err)
}

// notResolved is the fault of a name that could not be looked up.
func notResolved(code fault.Code, host string, err error) *fault.Error {
	return fault.New(code, fault.T("the name %s could not be looked up: the network or its DNS does not respond", host)).
		WithHint(hintOffline()).Because(err)
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// networkFault returns the fault for an error of the network.
func networkFault(host string, err error) *fault.Error {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return unavailable(fault.T("the host %s was not found", host)).
				WithHint(fault.T("check the spelling; if other hosts are not found either, tell the person that there is no network")).Because(err)
		}
		return notResolved(fault.Unavailable, host, err)
	}
	if why, ok := certificate(err); ok {
		return unavailable(fault.T("the certificate of %s cannot be trusted: %s", host, why)).
			WithHint(fault.T("use another source; this check cannot be turned off")).Because(err)
	}
	switch {
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETDOWN):
		return unavailable(fault.T("there is no route to %s", host)).WithHint(hintOffline()).Because(err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return unavailable(fault.T("%s refuses connections", host)).
			WithHint(fault.T("check the port, or try again later")).Because(err)
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return fault.New(fault.TooLarge, fault.T("%s sent a response header that is too large", host)).
			WithHint(hintAvoid()).Because(err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE):
		return unavailable(fault.T("%s closed the connection", host)).WithHint(hintAgain()).Because(err)
	}
	return unavailable(fault.T("%s did not respond in HTTP", host)).
		WithHint(fault.T("check the scheme and the port, or try again later")).Because(err)
}

func hintOffline() fault.Text {
	return fault.T("try again; if no host can be reached, continue without the web and tell the person")
}

func hintAgain() fault.Text { return fault.T("try again later") }

func hintAvoid() fault.Text {
	return fault.T("this is not an ordinary page; do not fetch it again")
}

// certificate returns what is wrong with a certificate, if that is the error.
func certificate(err error) (fault.Text, bool) {
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
		return fault.T("it has expired or is not valid yet"), true
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return fault.T("no trusted authority has signed it"), true
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return fault.T("it is for another host"), true
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fault.T("it is not valid"), true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return fault.T("the server does not speak TLS"), true
	}
	if _, ok := errors.AsType[tls.AlertError](err); ok {
		return fault.T("the server refused the handshake"), true
	}
	return fault.Text{}, false
}

// proxyRefused returns the fault of a proxy that does not connect to a host; nil
// if it does.
func proxyRefused(proxy *url.URL, status int) error {
	if status == http.StatusOK {
		return nil
	}
	if status == http.StatusProxyAuthRequired {
		return fault.New(fault.NotConfigured, fault.T("the proxy %s requires a user name and a password", proxy.Host)).
			WithHint(fault.T("ask the person to put them into the address of the proxy"))
	}
	return unavailable(fault.T("the proxy %s refuses to connect to this host (HTTP %d)", proxy.Host, status)).
		WithHint(fault.T("this network blocks the host; use another source"))
}

// Lasting reports whether a fault is one that the same request would meet again: there is no
// such host, or its certificate cannot be trusted.
func Lasting(err error) bool {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.IsNotFound
	}
	_, bad := certificate(err)
	return bad
}
