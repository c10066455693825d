package provider

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// serper is Serper, https://serper.dev/playground.
type serper struct{}

func (serper) name() string         { return "serper" }
func (serper) ready(a Account) bool { return a.Key != "" }
func (serper) lacks() fault.Text    { return keyIn("SERPER_API_KEY") }

func (serper) news() bool { return true }

// serperPage is the number of results on a page of Serper.
const serperPage = 10

// plan begins with the page of 10 that has the first result to return; that page may
// not have the last one.
func (p serper) plan(q Query) (plan, *fault.Error) {
	w := q.straight()
	if start := q.start(); start > 0 {
		w = plan{page: start/serperPage + 1, count: serperPage, skip: start % serperPage, walk: true}
	}
	return w, q.within(p, 100, 0, 0)
}

func (serper) ask(q Query, w plan, a Account, _ time.Time) web.Request {
	within, path := "", "/search"
	if q.Freshness != "" {
		within = "qdr:" + q.Freshness[:1]
	}
	if q.News {
		path = "/news"
	}
	number := 0
	if w.page > 1 {
		number = w.page
	}
	return post(a.base("https://google.serper.dev")+path, struct {
		Query    string `json:"q"`
		Number   int    `json:"num"`
		Page     int    `json:"page,omitempty"`
		Country  string `json:"gl,omitempty"`
		Language string `json:"hl,omitempty"`
		Within   string `json:"tbs,omitempty"`
	}{q.operators(), w.count, number, strings.ToLower(q.Country), q.Language, within}, map[string]string{"X-Api-Key": a.Key})
}

func (serper) read(r *web.Response) (found, error) {
	type item struct{ Title, Link, Snippet, Date string }
	var body struct {
		Parameters json.RawMessage `json:"searchParameters"`
		About      struct {
			Instead string `json:"showingResultsFor"`
			Meant   string `json:"didYouMean"`
		} `json:"searchInformation"`
		Box     struct{ Title, Answer, Snippet, Link string } `json:"answerBox"`
		Subject struct {
			Title, Description, Website string
			Source                      string `json:"descriptionLink"`
		} `json:"knowledgeGraph"`
		Organic, News *[]item
	}
	if err := decode(r, &body); err != nil {
		return found{}, err
	}
	items := cmp.Or(body.Organic, body.News)
	if items == nil {
		if body.Parameters == nil {
			return found{}, errForeign
		}
		items = new([]item)
	}
	f := found{corrected: cmp.Or(body.About.Instead, body.About.Meant)}
	f.direct = cmp.Or(directly(body.Box.Title, cmp.Or(body.Box.Answer, body.Box.Snippet), body.Box.Link),
		directly(body.Subject.Title, body.Subject.Description, cmp.Or(body.Subject.Source, body.Subject.Website)))
	for _, one := range *items {
		f.results = append(f.results, Result{Title: one.Title, URL: one.Link, Description: one.Snippet, Age: one.Date})
	}
	return f, nil
}

func (serper) refuse(*web.Response) *fault.Error { return nil }
