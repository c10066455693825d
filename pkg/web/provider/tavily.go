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

func (tavily) news() bool { return true }

// plan asks for the pages before, too: Tavily has none, but up to 20 results.
func (p tavily) plan(q Query) (plan, *fault.Error) {
	w := q.ahead()
	if q.Country != "" && (q.News || q.tavily() == "") { // it has countries for general searches only
		w.warnings = append(w.warnings, noCountry(p, q.Country))
	}
	if q.Language != "" {
		w.warnings = append(w.warnings, noLanguage(p, q.Language))
	}
	return w, q.within(p, 20, 400, 0)
}

func (tavily) ask(q Query, w plan, a Account, _ time.Time) web.Request {
	topic, country := "", q.tavily()
	if q.News {
		topic, country = "news", ""
	}
	return post(a.base("https://api.tavily.com")+"/search", struct {
		Query   string   `json:"query"`
		Max     int      `json:"max_results"`
		Topic   string   `json:"topic,omitempty"`
		Country string   `json:"country,omitempty"`
		Range   string   `json:"time_range,omitempty"`
		Domains []string `json:"include_domains,omitempty"`
	}{q.Text, w.count, topic, country, q.Freshness, q.host()}, map[string]string{"Authorization": "Bearer " + a.Key})
}

// read reads the answer, too, which an account may be set up to get.
func (tavily) read(r *web.Response) (found, error) {
	type item struct {
		Title, URL, Content string
		Published           string `json:"published_date"`
	}
	f, err := list(r, func(one item) Result {
		return Result{Title: one.Title, URL: one.URL, Description: one.Content, Age: one.Published}
	})
	var body struct{ Answer string }
	if err == nil && decode(r, &body) == nil {
		f.direct = directly("", body.Answer, "")
	}
	return f, err
}

func (tavily) refuse(*web.Response) *fault.Error { return nil }
