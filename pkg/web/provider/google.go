package provider

import (
	"net/url"
	"strconv"
	"strings"
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
	return fault.T("ask the person to set GOOGLE_CSE_KEY and GOOGLE_CSE_ID in the environment, or key and engine in their own configuration")
}

func (google) news() bool { return false }

// plan counts results from 1 to 100.
func (p google) plan(q Query) (plan, *fault.Error) {
	w := q.straight()
	if q.Language != "" && q.google() == "" {
		w.warnings = append(w.warnings, noLanguage(p, q.Language))
	}
	return w, q.within(p, 100, 0, 0)
}

// ask puts the key into a header, so that it is in no log of addresses.
func (google) ask(q Query, w plan, a Account, _ time.Time) web.Request {
	v := url.Values{"cx": {a.Engine}, "q": {q.Text}, "num": {strconv.Itoa(w.count)}}
	if w.page > 1 {
		v.Set("start", strconv.Itoa(q.start()+1))
	}
	if q.Country != "" {
		v.Set("gl", strings.ToLower(q.Country))
	}
	if language := q.google(); language != "" {
		v.Set("lr", "lang_"+language)
	}
	if q.Freshness != "" {
		v.Set("dateRestrict", q.Freshness[:1]+"1")
	}
	if q.Site != "" {
		v.Set("siteSearch", q.Site)
		v.Set("siteSearchFilter", "i")
	}
	return web.Request{
		URL: web.At(a.base("https://customsearch.googleapis.com") + "/customsearch/v1?" + v.Encode()), Accept: "application/json",
		Secret: map[string]string{"X-Goog-Api-Key": a.Key},
	}
}

func (google) read(r *web.Response) (found, error) {
	var body struct {
		Kind     string
		Spelling struct {
			Corrected string `json:"correctedQuery"`
		}
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
		return found{}, err
	}
	if body.Kind != "customsearch#search" {
		return found{}, errForeign
	}
	f := found{corrected: body.Spelling.Corrected}
	for _, one := range body.Items {
		result := Result{Title: one.Title, URL: one.Link, Description: one.Snippet}
		if len(one.Map.Tags) > 0 {
			result.Age = one.Map.Tags[0].Published
		}
		f.results = append(f.results, result)
	}
	return f, nil
}

func (google) refuse(*web.Response) *fault.Error { return nil }
