package provider

import (
	"bytes"
	"net/http"
	"net/url"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// duckduckgo is DuckDuckGo, which has no API: its page for browsers without
// scripts is read, and an even plainer one if that page has changed.
type duckduckgo struct{}

func (duckduckgo) name() string       { return "duckduckgo" }
func (duckduckgo) ready(Account) bool { return true }
func (duckduckgo) lacks() fault.Text  { return tryAnother() }

func (duckduckgo) news() bool { return false }

// plan reads the pages from the first one on, each by the form of the one before.
func (d duckduckgo) plan(q Query) (plan, *fault.Error) {
	w := q.walking()
	switch region, exact := q.duck(); {
	case exact || q.Country == "" && q.Language == "":
	case region == "" && q.Country != "":
		w.warnings = append(w.warnings, noCountry(d, q.Country))
	case region == "":
		w.warnings = append(w.warnings, noLanguage(d, q.Language))
	default:
		w.warnings = append(w.warnings, fault.T("%s has regions, not languages: this is its region %s", d.name(), region))
	}
	return w, q.within(d, 50, 499, 0)
}

func (duckduckgo) ask(q Query, _ plan, a Account, _ time.Time) web.Request {
	return web.Request{URL: web.At(a.base("https://html.duckduckgo.com") + "/html/?" + q.form().Encode()), Accept: "text/html"}
}

// askLite returns the request of the plainer page.
func (duckduckgo) askLite(q Query, a Account) web.Request {
	return web.Request{URL: web.At(a.base("https://lite.duckduckgo.com") + "/lite/?" + q.form().Encode()), Accept: "text/html"}
}

// form returns the parameters of both pages.
func (q Query) form() url.Values {
	v := url.Values{"q": {q.operators()}}
	if q.Freshness != "" {
		v.Set("df", q.Freshness[:1])
	}
	if region, _ := q.duck(); region != "" {
		v.Set("kl", region)
	}
	return v
}

// more returns the request for the next page that a page has a form for. Without the
// form's values, vqd above all, DuckDuckGo sends a puzzle.
func (duckduckgo) more(f found, a Account) web.Request {
	at := a.base("https://html.duckduckgo.com") + "/html/"
	if f.lite {
		at = a.base("https://lite.duckduckgo.com") + "/lite/"
	}
	return web.Request{URL: web.At(at), Accept: "text/html", Body: []byte(f.next.Encode()), ContentType: "application/x-www-form-urlencoded"}
}

// refuse recognises the test for humans, which may come with status 200, and the
// page that asks to report an error. A result may speak of either.
func (d duckduckgo) refuse(r *web.Response) *fault.Error {
	puzzle := r.Status == http.StatusAccepted || r.Status == http.StatusForbidden
	if _, err := d.read(r); err != nil && !puzzle {
		for _, sign := range []string{"anomaly-modal", "anomaly.js", "challenge-form", "error-lite@duckduckgo.com", "ops@duckduckgo.com"} {
			puzzle = puzzle || bytes.Contains(r.Body, []byte(sign))
		}
	}
	if !puzzle {
		return nil
	}
	return fault.New(fault.RateLimited, fault.T("duckduckgo returned a test for humans instead of results")).
		WithHint(fault.T("do not retry at once; wait ten minutes, fetch a page you know, or ask the person to configure a search engine: BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, SERPER_API_KEY or SEARXNG_URL"))
}
