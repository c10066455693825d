package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// errSlow ends an exchange that takes too long.
var errSlow = errors.New("the exchange takes too long")

func unavailable(message fault.Text) *fault.Error {
	return fault.New(fault.Unavailable, message)
}

// fault words the error that an exchange ended with. Addresses in it are those
// of hosts alone: a query may hold what is nobody's business.
func (x *exchange) fault(ctx context.Context, err error) error {
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return known
	}
	host := x.first.Hostname()
	if x.at != nil {
		host = x.at.Hostname()
	}
	if errors.Is(context.Cause(ctx), errSlow) || ctx.Err() == nil && isTimeout(err) {
		return x.late(host, err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "proxyconnect" {
		if proxy, _ := x.proxy(); proxy != nil {
			return unavailable(fault.T("the proxy %s cannot be used: %s", "代理 %s 无法使用：%s", proxy.Host, broken(proxy.Hostname(), op.Err).Message)).
				WithHint(fault.T("ask the person to look at the proxy, or to set web.proxy to direct", "请用户检查代理，或将 web.proxy 设为 direct")).Because(err)
		}
	}
	return broken(host, err)
}

// late words what was still to be done when time ran out.
func (x *exchange) late(host string, err error) *fault.Error {
	phase := x.phase.Load()
	if x.proxied { // whose phases are those of the proxy
		phase = connected
	}
	switch phase {
	case naming:
		return unnamed(fault.Timeout, host, err)
	case connecting:
		return fault.New(fault.Timeout, fault.T("no connection to %s came about in time", "未能及时连接到 %s", host)).
			WithHint(fault.T("check the address, or try again later; if no host can be reached, go on without the web and tell the person", "请检查地址或稍后重试；若所有主机都无法访问，请不使用网络继续并告知用户")).Because(err)
	}
	return fault.New(fault.Timeout, fault.T("%s did not answer in full within %v", "%s 未在 %v 内完整应答", host, x.request.Timeout)).
		WithHint(fault.T("try again later, or with a longer timeout", "请稍后重试，或加大 timeout")).Because(err)
}

// unnamed is the fault of a name that nobody looks up.
func unnamed(code fault.Code, host string, err error) *fault.Error {
	return fault.New(code, fault.T("the name %s could not be looked up: the network or its DNS does not answer", "无法解析名称 %s：网络或 DNS 没有响应", host)).
		WithHint(offline()).Because(err)
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// broken words an error of the network.
func broken(host string, err error) *fault.Error {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return unavailable(fault.T("there is no host %s, or no network to find it", "找不到主机 %s，或网络不可用", host)).
				WithHint(fault.T("check the spelling; if other hosts cannot be found either, tell the person that there is no network", "请检查拼写；若其他主机也找不到，请告知用户网络不可用")).Because(err)
		}
		return unnamed(fault.Unavailable, host, err)
	}
	if why, ok := certificate(err); ok {
		return unavailable(fault.T("the certificate of %s cannot be trusted: %s", "%s 的证书不可信：%s", host, why)).
			WithHint(fault.T("use another source; the check cannot be turned off", "请使用其他来源；此检查无法关闭")).Because(err)
	}
	switch {
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETDOWN):
		return unavailable(fault.T("there is no network that leads to %s", "没有通往 %s 的网络", host)).WithHint(offline()).Because(err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return unavailable(fault.T("%s refuses connections", "%s 拒绝连接", host)).
			WithHint(fault.T("check the port, or try again later", "请检查端口，或稍后重试")).Because(err)
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return fault.New(fault.TooLarge, fault.T("the header that %s sends does not end", "%s 发送的响应头过长", host)).
			WithHint(fault.T("this is no ordinary page; leave it alone", "这不是普通网页；请放弃")).Because(err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE):
		return unavailable(fault.T("%s broke the connection off", "%s 中断了连接", host)).WithHint(again()).Because(err)
	}
	return unavailable(fault.T("%s did not answer as a web server does", "%s 的应答不符合 HTTP 协议", host)).
		WithHint(fault.T("check scheme and port, or try again later", "请检查协议与端口，或稍后重试")).Because(err)
}

func offline() fault.Text {
	return fault.T("try again; if no host can be reached, go on without the web and tell the person", "请重试；若所有主机都无法访问，请不使用网络继续并告知用户")
}

func again() fault.Text { return fault.T("try again later", "请稍后重试") }

// certificate says what is wrong with one.
func certificate(err error) (fault.Text, bool) {
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
		return fault.T("it is not valid at this time", "不在有效期内"), true
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return fault.T("nobody who is trusted here has signed it", "未经受信任的机构签发"), true
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

// refusedBy is the fault of a proxy that does not connect; nil where it does.
func refusedBy(proxy *url.URL, status int) error {
	if status == http.StatusOK {
		return nil
	}
	if status == http.StatusProxyAuthRequired {
		return fault.New(fault.NotConfigured, fault.T("the proxy %s wants a user name and a password", "代理 %s 需要用户名和密码", proxy.Host)).
			WithHint(fault.T("ask the person to put them into the proxy's address", "请用户将其写入代理地址"))
	}
	return unavailable(fault.T("the proxy %s does not connect to this host (%d)", "代理 %s 未连接到该主机（%d）", proxy.Host, status)).
		WithHint(fault.T("the network here does not let this host be reached; use another source", "此网络不允许访问该主机；请使用其他来源"))
}

// Failure is the details of the fault of a status.
type Failure struct {
	Status     int    `json:"status"`
	URL        string `json:"url"`
	RetryAfter int    `json:"retry_after,omitzero"` // seconds, as the server asks for
}

// Err is the fault of a status that is not one of success: rate_limited for 429,
// else http_status. It is nil for 200 to 299.
func (r *Response) Err() error {
	if r.Status >= 200 && r.Status < 300 {
		return nil
	}
	details := Failure{Status: r.Status, URL: r.FinalURL}
	if after, ok := retryAfter(r.Header, r.Date); ok {
		details.RetryAfter = int(after.Round(time.Second) / time.Second)
	}
	if r.Status == http.StatusTooManyRequests {
		e := fault.New(fault.RateLimited, fault.T("the server asks for fewer requests (HTTP 429)", "服务器要求减少请求（HTTP 429）")).WithDetails(details)
		if details.RetryAfter > 0 {
			return e.WithHint(fault.T("call again in %d seconds", "请在 %d 秒后重试", details.RetryAfter))
		}
		return e.WithHint(fault.T("call again in a minute", "请一分钟后重试"))
	}
	hint := statusHint(r.Status)
	if r.Status < 400 && r.Header.Get("Location") == "" {
		hint = fault.T("the server is at fault, as it says no address to go on to; use another source", "服务器有误，未给出后续地址；请使用其他来源")
	}
	return fault.New(fault.HTTPStatus, fault.T("HTTP %d %s", "HTTP %d %s", r.Status, http.StatusText(r.Status))).
		WithHint(hint).WithDetails(details)
}

func statusHint(status int) fault.Text {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fault.T("the page is not open to everybody; use another source", "该页面不对所有人开放；请使用其他来源")
	case status == http.StatusNotFound, status == http.StatusGone:
		return fault.T("the page is not there; check the address, or find it with websearch", "页面不存在；请检查地址，或用 websearch 查找")
	case status >= 500:
		return fault.T("the server has a problem; try again later, or use another source", "服务器出现问题；请稍后重试，或使用其他来源")
	case status >= 300 && status < 400:
		return fault.T("the redirect was not followed; fetch the address it names", "未跟随重定向；请直接获取其指向的地址")
	}
	return fault.T("mend the address, or use another source", "请修正地址，或使用其他来源")
}

// retryAfter reads how long a server asks to be left alone, in seconds or until
// a date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if n, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(n, 0), 1<<30)) * time.Second, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(0, at.Sub(now)), true
}
