package provider

import (
	"cmp"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// exa is Exa Search, https://docs.exa.ai/reference/search.
type exa struct{}

func (exa) name() string         { return "exa" }
func (exa) ready(a Account) bool { return a.Key != "" }
func (exa) lacks() fault.Text    { return keyIn("EXA_API_KEY") }

func (exa) news() bool { return true }

// plan asks for the pages before, too: Exa has none, but up to 100 results.
func (p exa) plan(q Query) (plan, *fault.Error) {
	w := q.ahead()
	if q.Language != "" {
		w.warnings = append(w.warnings, noLanguage(p, q.Language))
	}
	return w, q.within(p, 100, 0, 0)
}

func (exa) ask(q Query, w plan, a Account, now time.Time) web.Request {
	type contents struct {
		Highlights bool `json:"highlights"`
	}
	since, category := "", ""
	if q.Freshness != "" {
		since = before(now, q.Freshness).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if q.News {
		category = "news"
	}
	return post(a.base("https://api.exa.ai")+"/search", struct {
		Query    string   `json:"query"`
		Number   int      `json:"numResults"`
		Category string   `json:"category,omitempty"`
		Country  string   `json:"userLocation,omitempty"`
		Since    string   `json:"startPublishedDate,omitempty"`
		Domains  []string `json:"includeDomains,omitempty"`
		Contents contents `json:"contents"`
	}{q.Text, w.count, category, q.Country, since, q.host(), contents{true}}, map[string]string{"X-Api-Key": a.Key})
}

// before returns the time a day, week, month or year before now.
func before(now time.Time, span string) time.Time {
	switch span {
	case "day":
		return now.AddDate(0, 0, -1)
	case "week":
		return now.AddDate(0, 0, -7)
	case "month":
		return now.AddDate(0, -1, 0)
	}
	return now.AddDate(-1, 0, 0)
}

func (exa) read(r *web.Response) (found, error) {
	type item struct {
		Title, URL, Text, Summary string
		Published                 string `json:"publishedDate"`
		Highlights                []string
	}
	return list(r, func(one item) Result {
		description := cmp.Or(strings.Join(one.Highlights, " … "), one.Summary, one.Text)
		return Result{Title: one.Title, URL: one.URL, Description: description, Age: one.Published}
	})
}

func (exa) refuse(*web.Response) *fault.Error { return nil }
