package provider

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// google is Google's Custom Search JSON API,
// https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list.
type google struct{}

func (google) name() string         { return "google" }
func (google) ready(a Account) bool { return a.Key != "" && a.Engine != "" }

func (google) lacks() fault.Text {
	return fault.T("ask the person to set GOOGLE_CSE_KEY and GOOGLE_CSE_ID in the environment, or key and engine in their own configuration",
		"请用户设置环境变量 GOOGLE_CSE_KEY 与 GOOGLE_CSE_ID，或在自己的配置中填写 key 与 engine")
}

// ask puts the key into a header, so that it is in no log of addresses.
func (google) ask(q Query, a Account, _ time.Time) web.Request {
	v := url.Values{"cx": {a.Engine}, "q": {q.Text}, "num": {strconv.Itoa(q.Limit)}}
	if q.Freshness != "" {
		v.Set("dateRestrict", q.Freshness[:1]+"1")
	}
	if q.Site != "" {
		v.Set("siteSearch", q.Site)
		v.Set("siteSearchFilter", "i")
	}
	return web.Request{
		URL: a.base("https://customsearch.googleapis.com") + "/customsearch/v1?" + v.Encode(), Accept: "application/json",
		Secret: map[string]string{"X-Goog-Api-Key": a.Key},
	}
}

func (google) read(r *web.Response) ([]Result, error) {
	var body struct {
		Kind  string
		Items []struct {
			Title, Link, Snippet string
			Map                  struct {
				Tags []struct {
					Published string `json:"article:published_time"`
				} `json:"metatags"`
			} `json:"pagemap"`
		}
	}
	if err := decode(r, &body); err != nil {
		return nil, err
	}
	if body.Kind != "customsearch#search" {
		return nil, errForeign
	}
	var found []Result
	for _, one := range body.Items {
		result := Result{Title: one.Title, URL: one.Link, Description: one.Snippet}
		if len(one.Map.Tags) > 0 {
			result.Age = one.Map.Tags[0].Published
		}
		found = append(found, result)
	}
	return found, nil
}

// refuse distinguishes a wrong key from a used-up quota, which share their statuses.
func (p google) refuse(r *web.Response) *fault.Error {
	switch {
	case r.Status == http.StatusBadRequest && bytes.Contains(r.Body, []byte("API_KEY_INVALID")):
		return badKey(p, r.Status, fault.Text{})
	case r.Status == http.StatusForbidden && (bytes.Contains(r.Body, []byte("LimitExceeded")) || bytes.Contains(r.Body, []byte("RESOURCE_EXHAUSTED"))):
		return fault.New(fault.RateLimited, fault.T("google accepts no more searches today (HTTP %d)", "google 今天不再接受搜索（HTTP %d）", r.Status)).WithHint(tryAnother())
	}
	return nil
}
