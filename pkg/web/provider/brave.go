package provider

import (
	"cmp"
	"encoding/json"
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

func (brave) news() bool { return true }

// plan pages by numbers of pages, up to 10, as its offset goes up to 9.
func (p brave) plan(q Query) (plan, *fault.Error) {
	w := q.straight()
	if country, language := q.brave(); country == "" && q.Country != "" {
		w.warnings = append(w.warnings, noCountry(p, q.Country))
	} else if language == "" && q.Language != "" {
		w.warnings = append(w.warnings, noLanguage(p, q.Language))
	}
	return w, q.within(p, 10*q.Limit, 400, 50)
}

func (brave) ask(q Query, w plan, a Account, _ time.Time) web.Request {
	v := url.Values{"q": {q.operators()}, "count": {strconv.Itoa(w.count)}}
	path := "/res/v1/news/search?"
	if !q.News {
		path = "/res/v1/web/search?"
		v.Set("result_filter", "web,query,infobox")
	}
	if w.page > 1 {
		v.Set("offset", strconv.Itoa(w.page-1))
	}
	if q.Freshness != "" {
		v.Set("freshness", "p"+q.Freshness[:1])
	}
	country, language := q.brave()
	if country != "" {
		v.Set("country", country)
	}
	if language != "" {
		v.Set("search_lang", language)
	}
	return web.Request{
		URL: web.At(a.base("https://api.search.brave.com") + path + v.Encode()), Accept: "application/json",
		Secret: map[string]string{"X-Subscription-Token": a.Key},
	}
}

// braveItem is a result, of the web or of news.
type braveItem struct {
	Title, URL, Description, Age string
	PageAge                      string `json:"page_age"`
}

func (brave) read(r *web.Response) (found, error) {
	var body struct {
		Type  string `json:"type"`
		Query struct {
			Altered string `json:"altered"`
		} `json:"query"`
		Web struct {
			Results []braveItem `json:"results"`
		} `json:"web"`
		Infobox struct {
			Results json.RawMessage `json:"results"` // one or several
		} `json:"infobox"`
		News []braveItem `json:"results"` // of a search for news
	}
	if err := decode(r, &body); err != nil {
		return found{}, err
	}
	if body.Type != "search" && body.Type != "news" && body.Web.Results == nil {
		return found{}, errForeign
	}
	f := found{corrected: body.Query.Altered, direct: braveInfobox(body.Infobox.Results)}
	items := body.Web.Results
	if body.Type == "news" {
		items = body.News
	}
	for _, one := range items {
		f.results = append(f.results, Result{Title: one.Title, URL: one.URL, Description: one.Description, Age: cmp.Or(one.PageAge, one.Age)})
	}
	return f, nil
}

// braveInfobox reads what Brave knows of the subject.
func braveInfobox(body json.RawMessage) *Direct {
	type box struct {
		Title, URL, Description string
		Long                    string `json:"long_desc"`
		Site                    string `json:"website_url"`
	}
	var all []box
	if json.Unmarshal(body, &all) != nil {
		all = make([]box, 1)
		if json.Unmarshal(body, &all[0]) != nil {
			return nil
		}
	}
	for _, one := range all {
		if d := directly(one.Title, cmp.Or(one.Long, one.Description), cmp.Or(one.URL, one.Site)); d != nil {
			return d
		}
	}
	return nil
}

func (brave) refuse(*web.Response) *fault.Error { return nil }
