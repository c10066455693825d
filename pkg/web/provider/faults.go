package provider

import (
	"errors"
	"net/http"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// misread returns the fault for a response that could not be read.
func misread(p provider, err error) *fault.Error {
	if known, ok := errors.AsType[*fault.Error](err); ok && known.Code != fault.InvalidArguments {
		return known
	}
	return fault.New(fault.Unavailable, fault.T("%s sent a response without search results", "%s 返回的内容不是搜索结果", p.name())).
		WithHint(fault.T("try another provider; the login page of a network may have answered instead", "请换一个 provider；也可能是网络登录页代为应答")).Because(err)
}

// failure returns the fault for a response that is not a success, nil for one that
// is.
func failure(p provider, r *web.Response, secrets []string) *fault.Error {
	if own := p.refuse(r); own != nil {
		return own
	}
	if r.Status >= 200 && r.Status < 300 {
		return nil
	}
	said := saying(r, secrets)
	switch {
	case r.Status == http.StatusUnauthorized, r.Status == http.StatusForbidden:
		return badKey(p, r.Status, said)
	case r.Status == http.StatusTooManyRequests, r.Status == http.StatusPaymentRequired:
		f := fault.As(r.Err())
		hint := tryAnother()
		if d, ok := f.Details.(web.Failure); ok && d.RetryAfter > 0 {
			hint = fault.T("call again in %d seconds, or with another provider", "请在 %d 秒后重试，或换一个 provider", d.RetryAfter)
		}
		return fault.New(fault.RateLimited, fault.T("%s accepts no more searches for now (HTTP %d)%s", "%s 暂不接受更多搜索（HTTP %d）%s", p.name(), r.Status, said)).WithHint(hint)
	case r.Status >= 300 && r.Status < 400:
		return fault.New(fault.NotConfigured, fault.T("%s is no longer at this address (HTTP %d)", "%s 已不在此地址（HTTP %d）", p.name(), r.Status)).
			WithHint(fault.T("ask the person to correct web.search.%s.url, or use another provider", "请用户修正 web.search.%s.url，或换一个 provider", p.name()))
	case r.Status >= 500:
		return fault.New(fault.Unavailable, fault.T("%s has a problem (HTTP %d)%s", "%s 出现故障（HTTP %d）%s", p.name(), r.Status, said)).WithHint(tryAnother())
	}
	return fault.New(fault.HTTPStatus, fault.T("%s refused the search (HTTP %d)%s", "%s 拒绝了此次搜索（HTTP %d）%s", p.name(), r.Status, said)).
		WithHint(fault.T("simplify the query, or use another provider", "请简化查询，或换一个 provider"))
}

// notConfigured is the fault of a search engine without an account.
func notConfigured(p provider) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("%s is not configured", "%s 尚未配置", p.name())).WithHint(p.lacks())
}

// unknown is the fault of a name that is not one of a search engine.
func unknown(name string) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("there is no search engine %q", "没有搜索引擎 %q", name)).
		WithHint(fault.T("the search engines are: %s", "可用的搜索引擎：%s", strings.Join(names(), ", ")))
}

// badBase is the fault of a configured address that cannot be used.
func badBase(p provider, err error) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("the address of %s is not an http or https address", "%s 的地址不是 http 或 https 地址", p.name())).
		WithHint(fault.T("ask the person to correct web.search.%s.url", "请用户修正 web.search.%s.url", p.name())).Because(err)
}

// unreachable is the fault of a search engine that cannot be reached.
func unreachable(p provider, cause *fault.Error) *fault.Error {
	return fault.New(cause.Code, fault.T("%s cannot be reached: %s", "无法访问 %s：%s", p.name(), cause.Message)).
		WithHint(fault.T("try another provider; if none can be reached, there is no network: continue without searching, and tell the person",
			"请换一个 provider；若都无法访问则没有网络：请不搜索继续，并告知用户")).Because(cause)
}

// badKey is the fault of a key that the search engine refuses.
func badKey(p provider, status int, said fault.Text) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("%s refuses the key (HTTP %d)%s", "%s 不接受该密钥（HTTP %d）%s", p.name(), status, said)).
		WithHint(p.lacks())
}

// tryAnother is the hint to use another search engine.
func tryAnother() fault.Text {
	return fault.T("try again later, or with another provider; the person can configure one: BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, SERPER_API_KEY, SEARXNG_URL",
		"请稍后重试，或换一个 provider；用户可以配置：BRAVE_API_KEY、TAVILY_API_KEY、EXA_API_KEY、SERPER_API_KEY、SEARXNG_URL")
}

// saying returns what a service says about its failure, without secrets; empty if
// it says nothing.
func saying(r *web.Response, secrets []string) fault.Text {
	words := hide(plain(message(r.Body)), secrets)
	if words == "" {
		return fault.Text{}
	}
	return fault.T(": %s", "：%s", web.Shorten(words, 200))
}
