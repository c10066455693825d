package provider

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// searxng is an instance of SearXNG, https://docs.searxng.org/dev/search_api.html.
type searxng struct{}

func (searxng) name() string         { return "searxng" }
func (searxng) ready(a Account) bool { return a.URL != "" }

func (searxng) lacks() fault.Text {
	return fault.T("ask the person to set SEARXNG_URL in the environment, or the url in their own configuration")
}

func (searxng) news() bool { return true }

// plan reads the pages of the instance from the first one on: their length depends on its
// engines.
func (p searxng) plan(q Query) (plan, *fault.Error) {
	w := q.walking()
	if q.Country != "" && q.Language == "" { // it has countries as variants of a language
		w.warnings = append(w.warnings, noCountry(p, q.Country))
	}
	return w, q.within(p, 50, 0, 0)
}

func (searxng) ask(q Query, w plan, a Account, _ time.Time) web.Request {
	v := url.Values{"q": {q.operators()}, "format": {"json"}}
	if q.News {
		v.Set("categories", "news")
	}
	if w.page > 1 {
		v.Set("pageno", strconv.Itoa(w.page))
	}
	if q.Language != "" {
		language := q.Language
		if q.Country != "" {
			language += "-" + q.Country
		}
		v.Set("language", language)
	}
	if q.Freshness != "" {
		v.Set("time_range", q.Freshness)
	}
	return web.Request{URL: web.At(a.base("") + "/search?" + v.Encode()), Accept: "application/json"}
}

func (searxng) read(r *web.Response) (found, error) {
	type item struct {
		Title, URL, Content string
		Published           string `json:"publishedDate"`
	}
	f, err := list(r, func(one item) Result {
		return Result{Title: one.Title, URL: one.URL, Description: one.Content, Age: one.Published}
	})
	if err != nil {
		return f, err
	}
	var body struct {
		Silent      []json.RawMessage `json:"unresponsive_engines"`
		Answers     []json.RawMessage
		Corrections []json.RawMessage
		Infoboxes   []struct {
			Infobox, Content, ID string
			URLs                 []struct{ URL string }
		}
	}
	if err := decode(r, &body); err != nil {
		return found{}, err
	}
	for _, one := range body.Silent {
		f.silent = append(f.silent, silent(one))
	}
	for _, one := range body.Corrections {
		if json.Unmarshal(one, &f.corrected) == nil && f.corrected != "" {
			break
		}
	}
	for _, one := range body.Answers {
		if f.direct = cmp.Or(f.direct, searxngAnswer(one)); f.direct != nil {
			return f, nil
		}
	}
	for _, one := range body.Infoboxes {
		source := one.ID // often the address of an article
		if len(one.URLs) > 0 {
			source = one.URLs[0].URL
		}
		f.direct = cmp.Or(f.direct, directly(one.Infobox, one.Content, source))
	}
	return f, nil
}

// searxngAnswer reads an answer: a text of old, an object since 2025.
func searxngAnswer(body json.RawMessage) *Direct {
	var text string
	if json.Unmarshal(body, &text) == nil {
		return directly("", text, "")
	}
	var one struct{ Answer, URL string }
	if json.Unmarshal(body, &one) != nil {
		return nil
	}
	return directly("", one.Answer, one.URL)
}

// silent reads an engine that did not answer: its name, why, and whether it is
// suspended.
func silent(one json.RawMessage) string {
	var pair []any
	if json.Unmarshal(one, &pair) != nil {
		return ""
	}
	var words []string
	for _, part := range pair {
		if text, ok := part.(string); ok && text != "" {
			words = append(words, text)
		}
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return words[0] + " (" + words[1] + ")"
}

// refuse recognises that JSON is off, as it is by default: SearXNG sends 403. So may
// what limits or guards the instance.
func (searxng) refuse(r *web.Response) *fault.Error {
	if r.Status != http.StatusForbidden || isWall(r) {
		return nil
	}
	return fault.New(fault.NotConfigured, fault.T("searxng refuses to send JSON (HTTP %d): the instance has that off by default", r.Status)).
		WithHint(fault.T("ask the person to add json to search.formats in the settings.yml of the searxng instance and to restart it, or, where it is there, to exempt this machine from its limiter or proxy"))
}
