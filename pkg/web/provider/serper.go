package provider

import (
	"encoding/json"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// serper is Serper, https://serper.dev/playground.
type serper struct{}

func (serper) name() string         { return "serper" }
func (serper) ready(a Account) bool { return a.Key != "" }
func (serper) lacks() fault.Text    { return keyIn("SERPER_API_KEY") }

func (serper) ask(q Query, a Account, _ time.Time) web.Request {
	within := ""
	if q.Freshness != "" {
		within = "qdr:" + q.Freshness[:1]
	}
	return post(a.base("https://google.serper.dev")+"/search", struct {
		Query  string `json:"q"`
		Number int    `json:"num"`
		Within string `json:"tbs,omitempty"`
	}{q.operators(), q.Limit, within}, map[string]string{"X-Api-Key": a.Key})
}

func (serper) read(r *web.Response) ([]Result, error) {
	var body struct {
		Parameters json.RawMessage `json:"searchParameters"`
		Organic    *[]struct{ Title, Link, Snippet, Date string }
	}
	if err := decode(r, &body); err != nil {
		return nil, err
	}
	if body.Organic == nil {
		if body.Parameters == nil {
			return nil, errForeign
		}
		return nil, nil
	}
	var found []Result
	for _, one := range *body.Organic {
		found = append(found, Result{Title: one.Title, URL: one.Link, Description: one.Snippet, Age: one.Date})
	}
	return found, nil
}

func (serper) refuse(*web.Response) *fault.Error { return nil }
