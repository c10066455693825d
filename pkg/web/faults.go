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
		WithHint(fault.T("use an address such as https://example.org/page", "请给出形如 https://example.org/page 的地址"))
}

// blocked is the fault of a host or address that the guard refuses.
func blocked(message fault.Text) *fault.Error {
	return fault.New(fault.BlockedAddress, message).
		WithHint(fault.T("use a public address; only the person can allow private ones, with web.allow_private or web.allow_addresses in the person's configuration",
			"请使用公网地址；只有用户能在自己的配置中用 web.allow_private 或 web.allow_addresses 开放私有地址"))
}

// badProxy is the fault of a proxy setting that cannot be used.
func badProxy(host string, err error) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("the proxy for %s cannot be used", "%s 的代理无法使用", host)).
		WithHint(fault.T("ask the person to correct HTTP_PROXY, HTTPS_PROXY or web.proxy", "请用户修正 HTTP_PROXY、HTTPS_PROXY 或 web.proxy")).
		Because(err)
}

// tooManyRedirects is the fault of an address that redirects through all of these.
func tooManyRedirects(first string, passed []string) *fault.Error {
	return fault.New(fault.TooManyRedirects, fault.T("%s redirects more than %d times", "%s 的重定向超过 %d 次", first, maxRedirects)).
		WithHint(fault.T("the site may require cookies or a login; try another address of the site", "该站点可能需要 Cookie 或登录；请尝试该站点的其他地址")).
		WithDetails(struct {
			Redirects []string `json:"redirects"`
		}{passed})
}

// badRedirect is the fault of a redirect to something that is not an address.
func badRedirect(host string, err error) *fault.Error {
	return unavailable(fault.T("%s redirects to an invalid address", "%s 重定向到无效的地址", host)).
		WithHint(fault.T("the site is at fault; try another address of the site", "该站点有误；请尝试该站点的其他地址")).Because(err)
}

// cannotDecompress is the fault of a body in an unknown or broken coding.
func cannotDecompress(host, coding string) *fault.Error {
	return fault.New(fault.UnsupportedContent, fault.T("%s sent a body that cannot be decompressed (%s)", "%s 发送的内容无法解压（%s）", host, coding)).
		WithHint(fault.T("the server is at fault; try another source", "服务器有误；请尝试其他来源"))
}

// decompressionBomb is the fault of a small body that decompresses to a huge one.
func decompressionBomb(host string, sent, most int64) *fault.Error {
	return fault.New(fault.TooLarge, fault.T("%s sent %d bytes that decompress to more than %d", "%s 发送的 %d 字节解压后超过 %d 字节", host, sent, most)).
		WithHint(hintAvoid())
}

// endlessBody is the fault of a large body that decompresses to almost nothing.
func endlessBody(host string, most int64) *fault.Error {
	return fault.New(fault.TooLarge, fault.T("%s sent more than %d bytes that decompress to almost nothing", "%s 发送的内容超过 %d 字节，却几乎解不出数据", host, most)).
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
	about := []fault.Text{fault.T("%s", "%s", Shown(x.at))}
	if len(x.passed) > 0 {
		about = append(about, fault.T("redirected from %s", "由 %s 重定向而来", Shown(x.first)))
	}
	if x.status > 0 {
		about = append(about, fault.T("HTTP %d", "HTTP %d", x.status))
	}
	if waited >= noticed {
		about = append(about, fault.T("after %s", "用时 %s", seconds(waited)))
	}
	named := fault.New(known.Code, fault.T("%s (%s)", "%s（%s）", known.Message, fault.Join(about, ", ", "，"))).WithHint(known.Hint).Because(found)
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
		return known
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
			return unavailable(fault.T("the proxy %s cannot be used: %s", "代理 %s 无法使用：%s", proxy.Host, networkFault(proxy.Hostname(), op.Err).Message)).
				WithHint(fault.T("ask the person to check the proxy, or to set web.proxy to direct", "请用户检查代理，或将 web.proxy 设为 direct")).Because(err)
		}
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
		return fault.New(fault.Timeout, fault.T("connecting to %s took too long", "未能及时连接到 %s", host)).
			WithHint(fault.T("check the address, or try again later; if no host can be reached, continue without the web and tell the person", "请检查地址或稍后重试；若所有主机都无法访问，请不使用网络继续并告知用户")).Because(err)
	}
	return fault.New(fault.Timeout, fault.T("%s did not send the whole response within %s", "%s 未在 %s 内发送完整响应", host, seconds(x.waited()))).
		WithHint(fault.T("try again later, or with a longer timeout", "请稍后重试，或加大 timeout")).Because(err)
}

// notResolved is the fault of a name that could not be looked up.
func notResolved(code fault.Code, host string, err error) *fault.Error {
	return fault.New(code, fault.T("the name %s could not be looked up: the network or its DNS does not respond", "无法解析名称 %s：网络或 DNS 没有响应", host)).
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
			return unavailable(fault.T("the host %s was not found", "找不到主机 %s", host)).
				WithHint(fault.T("check the spelling; if other hosts are not found either, tell the person that there is no network", "请检查拼写；若其他主机也找不到，请告知用户网络不可用")).Because(err)
		}
		return notResolved(fault.Unavailable, host, err)
	}
	if why, ok := certificate(err); ok {
		return unavailable(fault.T("the certificate of %s cannot be trusted: %s", "%s 的证书不可信：%s", host, why)).
			WithHint(fault.T("use another source; this check cannot be turned off", "请使用其他来源；此检查无法关闭")).Because(err)
	}
	switch {
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETDOWN):
		return unavailable(fault.T("there is no route to %s", "没有通往 %s 的路由", host)).WithHint(hintOffline()).Because(err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return unavailable(fault.T("%s refuses connections", "%s 拒绝连接", host)).
			WithHint(fault.T("check the port, or try again later", "请检查端口，或稍后重试")).Because(err)
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return fault.New(fault.TooLarge, fault.T("%s sent a response header that is too large", "%s 发送的响应头过大", host)).
			WithHint(hintAvoid()).Because(err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE):
		return unavailable(fault.T("%s closed the connection", "%s 中断了连接", host)).WithHint(hintAgain()).Because(err)
	}
	return unavailable(fault.T("%s did not respond in HTTP", "%s 的响应不符合 HTTP 协议", host)).
		WithHint(fault.T("check the scheme and the port, or try again later", "请检查协议与端口，或稍后重试")).Because(err)
}

func hintOffline() fault.Text {
	return fault.T("try again; if no host can be reached, continue without the web and tell the person", "请重试；若所有主机都无法访问，请不使用网络继续并告知用户")
}

func hintAgain() fault.Text { return fault.T("try again later", "请稍后重试") }

func hintAvoid() fault.Text {
	return fault.T("this is not an ordinary page; do not fetch it again", "这不是普通网页；请勿再次获取")
}

// certificate returns what is wrong with a certificate, if that is the error.
func certificate(err error) (fault.Text, bool) {
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
		return fault.T("it has expired or is not valid yet", "已过期或尚未生效"), true
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return fault.T("no trusted authority has signed it", "未经受信任的机构签发"), true
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return fault.T("it is for another host", "属于其他主机"), true
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fault.T("it is not valid", "无效"), true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return fault.T("the server does not speak TLS", "服务器未使用 TLS"), true
	}
	if _, ok := errors.AsType[tls.AlertError](err); ok {
		return fault.T("the server refused the handshake", "服务器拒绝了握手"), true
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
		return fault.New(fault.NotConfigured, fault.T("the proxy %s requires a user name and a password", "代理 %s 需要用户名和密码", proxy.Host)).
			WithHint(fault.T("ask the person to put them into the address of the proxy", "请用户将其写入代理地址"))
	}
	return unavailable(fault.T("the proxy %s refuses to connect to this host (HTTP %d)", "代理 %s 拒绝连接该主机（HTTP %d）", proxy.Host, status)).
		WithHint(fault.T("this network blocks the host; use another source", "此网络不允许访问该主机；请使用其他来源"))
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
