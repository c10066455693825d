package provider

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// errForeign says that an answer is none of the service's.
var errForeign = errors.New("not the answer of this service")

// decode reads the JSON of an answer.
func decode(r *web.Response, into any) error {
	if json.Unmarshal(r.Body, into) != nil {
		return errForeign
	}
	return nil
}

// list reads an answer that is an object with a list named results, which may be
// empty.
func list[T any](r *web.Response, result func(T) Result) ([]Result, error) {
	var body struct {
		Results *[]T `json:"results"`
	}
	if err := decode(r, &body); err != nil {
		return nil, err
	}
	if body.Results == nil {
		return nil, errForeign
	}
	var found []Result
	for _, one := range *body.Results {
		found = append(found, result(one))
	}
	return found, nil
}

// misread words what reading an answer failed with.
func misread(p provider, err error) *fault.Error {
	if known, ok := errors.AsType[*fault.Error](err); ok && known.Code != fault.InvalidArguments {
		return known
	}
	return fault.New(fault.Unavailable, fault.T("%s sent something else than results", "%s 返回的内容不是搜索结果", p.name())).
		WithHint(fault.T("try another provider; a portal of the network may stand in between", "请换一个 provider；也可能被网络登录页拦截")).Because(err)
}

// failure is the fault of a status of failure, nil for success.
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
		hint := otherwise()
		if d, ok := f.Details.(web.Failure); ok && d.RetryAfter > 0 {
			hint = fault.T("call again in %d seconds, or with another provider", "请在 %d 秒后重试，或换一个 provider", d.RetryAfter)
		}
		return fault.New(fault.RateLimited, fault.T("%s answers no more searches for now (HTTP %d)%s", "%s 暂不接受更多搜索（HTTP %d）%s", p.name(), r.Status, said)).WithHint(hint)
	case r.Status >= 300 && r.Status < 400:
		return fault.New(fault.NotConfigured, fault.T("%s is no longer at this address (HTTP %d)", "%s 已不在此地址（HTTP %d）", p.name(), r.Status)).
			WithHint(fault.T("ask the person to mend web.search.%s.url, or use another provider", "请用户修正 web.search.%s.url，或换一个 provider", p.name()))
	case r.Status >= 500:
		return fault.New(fault.Unavailable, fault.T("%s is out of order (HTTP %d)%s", "%s 出现故障（HTTP %d）%s", p.name(), r.Status, said)).WithHint(otherwise())
	}
	return fault.New(fault.HTTPStatus, fault.T("%s refused the search (HTTP %d)%s", "%s 拒绝了此次搜索（HTTP %d）%s", p.name(), r.Status, said)).
		WithHint(fault.T("put the query more simply, or use another provider", "请简化查询，或换一个 provider"))
}

// badKey is the fault of a key that is not accepted.
func badKey(p provider, status int, said fault.Text) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("%s does not accept the key (HTTP %d)%s", "%s 不接受该密钥（HTTP %d）%s", p.name(), status, said)).
		WithHint(p.lacks())
}

func otherwise() fault.Text {
	return fault.T("try again later, or with another provider; the person can set up one: BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, SERPER_API_KEY, SEARXNG_URL",
		"请稍后重试，或换一个 provider；用户可以配置：BRAVE_API_KEY、TAVILY_API_KEY、EXA_API_KEY、SERPER_API_KEY、SEARXNG_URL")
}

// saying is what a service says of its failure, in brackets and without
// secrets; empty if it says nothing that is known to be words.
func saying(r *web.Response, secrets []string) fault.Text {
	words := hide(plain(message(r.Body)), secrets)
	if words == "" {
		return fault.Text{}
	}
	return fault.T(": %s", "：%s", web.Shorten(words, 200))
}

// message finds the words in the JSON of a failure, where the services put them.
func message(body []byte) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(body, &all) != nil {
		return ""
	}
	for _, name := range []string{"error", "detail", "message", "description"} {
		var words string
		if json.Unmarshal(all[name], &words) == nil && words != "" {
			return words
		}
		if inner := message(all[name]); inner != "" {
			return inner
		}
	}
	return ""
}

// secrets are the spellings of what must never be shown.
func (a Account) secrets() []string {
	shown := []string{a.Key}
	if password, ok := a.login.Password(); ok {
		shown = append(shown, a.credentials(), password)
	}
	var all []string
	for _, secret := range shown {
		for _, s := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			if s != "" && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// credentials are the login as RFC 7617 has it in a header.
func (a Account) credentials() string {
	password, _ := a.login.Password()
	return base64.StdEncoding.EncodeToString([]byte(a.login.Username() + ":" + password))
}

// hide takes secrets out of a text that somebody else wrote.
func hide(text string, secrets []string) string {
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, "***")
	}
	return text
}
