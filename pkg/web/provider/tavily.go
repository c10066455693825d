package provider

import (
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// tavily is Tavily Search, https://docs.tavily.com/documentation/api-reference/endpoint/search.
type tavily struct{}

func (tavily) name() string         { return "tavily" }
func (tavily) ready(a Account) bool { return a.Key != "" }
func (tavily) lacks() fault.Text    { return keyIn("TAVILY_API_KEY") }

func (tavily) ask(q Query, a Account, _ time.Time) web.Request {
	return post(a.base("https://api.tavily.com")+"/search", struct {
		Query   string   `json:"query"`
		Max     int      `json:"max_results"`
		Range   string   `json:"time_range,omitempty"`
		Domains []string `json:"include_domains,omitempty"`
	}{q.Text, q.Limit, q.Freshness, q.host()}, map[string]string{"Authorization": "Bearer " + a.Key})
}

func (tavily) read(r *web.Response) ([]Result, error) {
	type item struct {
		Title, URL, Content string
		Published           string `json:"published_date"`
	}
	return list(r, func(one item) Result {
		return Result{Title: one.Title, URL: one.URL, Description: one.Content, Age: one.Published}
	})
}

// refuse recognises the statuses for a used-up plan.
func (p tavily) refuse(r *web.Response) *fault.Error {
	if r.Status == 432 || r.Status == 433 {
		return fault.New(fault.RateLimited, fault.T("the plan for tavily is used up (HTTP %d)", "tavily 套餐内的搜索次数已用完（HTTP %d）", r.Status)).WithHint(tryAnother())
	}
	return nil
}
