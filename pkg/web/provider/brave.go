package provider

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// brave is the Brave Search API, https://api-dashboard.search.brave.com/app/documentation.
type brave struct{}

func (brave) name() string         { return "brave" }
func (brave) ready(a Account) bool { return a.Key != "" }
func (brave) lacks() fault.Text    { return keyIn("BRAVE_API_KEY") }

func (brave) ask(q Query, a Account, _ time.Time) web.Request {
	v := url.Values{"q": {q.operators()}, "count": {strconv.Itoa(q.Limit)}, "result_filter": {"web"}}
	if q.Freshness != "" {
		v.Set("freshness", "p"+q.Freshness[:1])
	}
	return web.Request{
		URL: a.base("https://api.search.brave.com") + "/res/v1/web/search?" + v.Encode(), Accept: "application/json",
		Secret: map[string]string{"X-Subscription-Token": a.Key},
	}
}

func (brave) read(r *web.Response) ([]Result, error) {
	var body struct {
		Type string `json:"type"`
		Web  struct {
			Results []struct {
				Title, URL, Description, Age string
				PageAge                      string   `json:"page_age"`
				Extra                        []string `json:"extra_snippets"`
			} `json:"results"`
		} `json:"web"`
	}
	if err := decode(r, &body); err != nil {
		return nil, err
	}
	if body.Type != "search" && body.Web.Results == nil {
		return nil, errForeign
	}
	var found []Result
	for _, one := range body.Web.Results {
		found = append(found, Result{Title: one.Title, URL: one.URL, Description: one.Description, Age: cmp.Or(one.PageAge, one.Age)})
	}
	return found, nil
}

// refuse recognises a bad key, for which Brave sends 422.
func (p brave) refuse(r *web.Response) *fault.Error {
	if r.Status == http.StatusUnprocessableEntity && bytes.Contains(r.Body, []byte("SUBSCRIPTION_TOKEN_INVALID")) {
		return badKey(p, r.Status, fault.Text{})
	}
	return nil
}
