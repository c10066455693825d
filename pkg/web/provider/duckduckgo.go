package provider

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/web/parse"
)

// duckduckgo is DuckDuckGo, which has no API: its page for browsers without
// scripts is read, and an even plainer one if that page has changed.
type duckduckgo struct{}

func (duckduckgo) name() string       { return "duckduckgo" }
func (duckduckgo) ready(Account) bool { return true }
func (duckduckgo) lacks() fault.Text  { return tryAnother() }

func (duckduckgo) ask(q Query, a Account, _ time.Time) web.Request {
	return web.Request{URL: a.base("https://html.duckduckgo.com") + "/html/?" + q.duck().Encode(), Accept: "text/html"}
}

// askLite returns the request of the plainer page.
func (duckduckgo) askLite(q Query, a Account) web.Request {
	return web.Request{URL: a.base("https://lite.duckduckgo.com") + "/lite/?" + q.duck().Encode(), Accept: "text/html"}
}

// duck returns the parameters of both pages.
func (q Query) duck() url.Values {
	v := url.Values{"q": {q.operators()}}
	if q.Freshness != "" {
		v.Set("df", q.Freshness[:1])
	}
	return v
}

// refuse recognises the test for humans, which may come with status 200.
func (duckduckgo) refuse(r *web.Response) *fault.Error {
	puzzle := r.Status == http.StatusAccepted
	for _, sign := range []string{"anomaly-modal", "anomaly.js", "challenge-form"} {
		puzzle = puzzle || bytes.Contains(r.Body, []byte(sign))
	}
	if !puzzle && r.Status != http.StatusForbidden {
		return nil
	}
	return fault.New(fault.RateLimited, fault.T("duckduckgo returned a test for humans instead of results", "duckduckgo 返回了人机验证，没有给出结果")).
		WithHint(fault.T("do not retry at once; wait ten minutes, fetch a page you know, or ask the person to configure a search engine: BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, SERPER_API_KEY or SEARXNG_URL",
			"请勿立即重试；可等待十分钟、直接 fetch 已知网页，或请用户配置搜索引擎：BRAVE_API_KEY、TAVILY_API_KEY、EXA_API_KEY、SERPER_API_KEY 或 SEARXNG_URL"))
}

// read returns the results on either page. Each begins with a link of the class
// result__a or result-link; its description follows in the class result__snippet
// or result-snippet.
func (duckduckgo) read(r *web.Response) ([]Result, error) {
	var found []Result
	var into *strings.Builder // takes the text of the element at hand
	var title, description strings.Builder
	inside, depth := "", 0 // the name of that element, and how deep it is nested in itself
	none, advertised := false, false
	finish := func() {
		if len(found) > 0 {
			last := &found[len(found)-1]
			last.Title, last.Description = title.String(), description.String()
		}
		title.Reset()
		description.Reset()
	}
	for t := range parse.Tokens(r.Text().Text) {
		if t.Kind == parse.Text && into != nil {
			into.WriteString(t.Raw) // plain decodes it
		}
		if t.Kind != parse.StartTag && t.Kind != parse.EndTag {
			continue
		}
		switch {
		case into == nil || t.Data != inside:
		case t.Kind == parse.StartTag:
			depth++
		default:
			if depth--; depth == 0 {
				into = nil
			}
		}
		if t.Kind == parse.EndTag {
			continue
		}
		class, href := attributes(t)
		switch {
		case t.Atom == atom.Tr: // on the plainer page
			advertised = has(class, "result-sponsored")
		case has(class, "no-results"):
			none = true
		case has(class, "result--ad"):
			advertised = true
		case has(class, "result"):
			advertised = false
		case t.Atom == atom.A && (has(class, "result__a") || has(class, "result-link")):
			finish()
			if advertised {
				href = ""
			}
			found = append(found, Result{URL: href})
			into, inside, depth = &title, t.Data, 1
		case len(found) > 0 && (has(class, "result__snippet") || has(class, "result-snippet")):
			into, inside, depth = &description, t.Data, 1
		}
	}
	finish()
	if len(found) == 0 && !none {
		return nil, errForeign
	}
	return found, nil
}

// attributes returns the classes and the target of a tag.
func attributes(t *parse.Token) (class, href string) {
	for _, a := range t.Attr {
		switch a.Key {
		case "class":
			class = a.Val
		case "href":
			href = a.Val
		}
	}
	return class, href
}

func has(classes, class string) bool { return slices.Contains(strings.Fields(classes), class) }
