package provider

import (
	"net/http"
	"net/url"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// searxng is an instance of SearXNG, https://docs.searxng.org/dev/search_api.html.
type searxng struct{}

func (searxng) name() string         { return "searxng" }
func (searxng) ready(a Account) bool { return a.URL != "" }

func (searxng) lacks() fault.Text {
	return fault.T("ask the person to set SEARXNG_URL in the environment, or the url in their own configuration",
		"请用户设置环境变量 SEARXNG_URL，或在自己的配置中填写 url")
}

func (searxng) ask(q Query, a Account, _ time.Time) web.Request {
	v := url.Values{"q": {q.operators()}, "format": {"json"}}
	if q.Freshness != "" {
		v.Set("time_range", q.Freshness)
	}
	return web.Request{URL: a.base("") + "/search?" + v.Encode(), Accept: "application/json"}
}

func (searxng) read(r *web.Response) ([]Result, error) {
	type item struct {
		Title, URL, Content string
		Published           string `json:"publishedDate"`
	}
	return list(r, func(one item) Result {
		return Result{Title: one.Title, URL: one.URL, Description: one.Content, Age: one.Published}
	})
}

// refuse recognises that JSON is off, as it is by default: SearXNG sends 403.
func (searxng) refuse(r *web.Response) *fault.Error {
	if r.Status != http.StatusForbidden {
		return nil
	}
	return fault.New(fault.NotConfigured, fault.T("this searxng instance does not return JSON (HTTP %d)", "该 searxng 实例未开启 JSON 输出（HTTP %d）", r.Status)).
		WithHint(fault.T("ask the person to add json to search.formats in its settings.yml, or use another provider", "请用户在其 settings.yml 的 search.formats 中加入 json，或换一个 provider"))
}
