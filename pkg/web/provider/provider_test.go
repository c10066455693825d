package provider

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// sesame is the key of every account.
const sesame = "open/sesame+please"

// asked is a request as a service received it.
type asked struct {
	Method, Path, Query, Key, Type string
	Body                           map[string]any
}

// service is a search engine on this machine.
type service struct {
	*httptest.Server
	mu   sync.Mutex
	seen []asked
}

// recorded starts a service that records its requests.
func recorded(t testing.TB, answer func(w http.ResponseWriter, r *http.Request)) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := asked{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Type: r.Header.Get("Content-Type")}
		for _, name := range []string{"X-Subscription-Token", "Authorization", "X-Api-Key", "X-Goog-Api-Key"} {
			if value := r.Header.Get(name); value != "" {
				a.Key += name + ": " + value
			}
		}
		body, err := io.ReadAll(r.Body)
		switch {
		case err != nil:
			t.Error(err)
		case a.Type == "application/x-www-form-urlencoded":
			a.Query = string(body)
		case len(body) > 0 && json.Unmarshal(body, &a.Body) != nil:
			t.Errorf("%q", body)
		}
		s.mu.Lock()
		s.seen = append(s.seen, a)
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// engineOf returns an engine with accounts for the named services, all at one
// address.
func engineOf(at string, names ...string) *Engine {
	client := web.New(web.Options{Wait: func(context.Context, time.Duration) error { return nil }})
	return New(Options{
		Client: func() (*web.Client, error) { return client, nil },
		Now:    func() time.Time { return time.Date(2024, 5, 31, 12, 0, 0, 0, time.UTC) },
		Account: func(name string) Account {
			if !slices.Contains(names, name) {
				return Account{}
			}
			a := Account{URL: at + "/", Key: sesame, Engine: "cx1"}
			return a
		},
	})
}

// recordings are the requests to each service, and the results of its response.
var recordings = []struct {
	name, file  string
	plain, full asked // without and with site and freshness
	want        []Result
}{
	{
		"brave", "brave.json",
		asked{Method: "GET", Path: "/res/v1/web/search", Query: "count=5&q=helve+handle&result_filter=web%2Cquery%2Cinfobox", Key: "X-Subscription-Token: " + sesame},
		asked{Method: "GET", Path: "/res/v1/web/search", Query: "count=5&freshness=pm&q=helve+handle+site%3Aexample.org%2Fhelve&result_filter=web%2Cquery%2Cinfobox", Key: "X-Subscription-Token: " + sesame},
		[]Result{
			{"Helve — the handle of a tool", "https://www.example.org/helve/?id=7#grip", `A helve is the handle of an axe, "adze" & pick.`, "2024-05-01", "example.org"},
			{"std::vector<int> explained", "https://docs.example.com/vector", "Use vector<int>.", "3 days ago", "docs.example.com"},
		},
	},
	{
		"tavily", "tavily.json",
		asked{Method: "POST", Path: "/search", Key: "Authorization: Bearer " + sesame, Type: "application/json", Body: map[string]any{"query": "helve handle", "max_results": 5.0}},
		asked{Method: "POST", Path: "/search", Key: "Authorization: Bearer " + sesame, Type: "application/json", Body: map[string]any{"query": "helve handle", "max_results": 5.0, "time_range": "month", "include_domains": []any{"example.org"}}},
		[]Result{
			{"Helve", "https://example.org/helve", "A helve is the handle of an axe. It is made of ash.", "2024-05-01", "example.org"},
			{"Handles", "https://example.com/handles", "All about handles.", "", "example.com"},
		},
	},
	{
		"exa", "exa.json",
		asked{Method: "POST", Path: "/search", Key: "X-Api-Key: " + sesame, Type: "application/json", Body: map[string]any{"query": "helve handle", "numResults": 5.0, "contents": map[string]any{"highlights": true}}},
		asked{Method: "POST", Path: "/search", Key: "X-Api-Key: " + sesame, Type: "application/json", Body: map[string]any{"query": "helve handle", "numResults": 5.0, "contents": map[string]any{"highlights": true}, "startPublishedDate": "2024-05-01T12:00:00.000Z", "includeDomains": []any{"example.org"}}},
		[]Result{
			{"Helve", "https://example.org/helve", "A helve is the handle of an axe. … It is made of ash.", "2024-05-01", "example.org"},
			{"example.com", "https://example.com/handles", "All about handles.", "", "example.com"},
		},
	},
	{
		"serper", "serper.json",
		asked{Method: "POST", Path: "/search", Key: "X-Api-Key: " + sesame, Type: "application/json", Body: map[string]any{"q": "helve handle", "num": 5.0}},
		asked{Method: "POST", Path: "/search", Key: "X-Api-Key: " + sesame, Type: "application/json", Body: map[string]any{"q": "helve handle site:example.org/helve", "num": 5.0, "tbs": "qdr:m"}},
		[]Result{
			{"Helve - Example", "https://example.org/helve", "A helve is the handle of an axe ...", "May 1, 2024", "example.org"},
			{"Handles", "https://example.com/handles?a=1", "All about handles.", "", "example.com"},
		},
	},
	{
		"google", "google.json",
		asked{Method: "GET", Path: "/customsearch/v1", Query: "cx=cx1&num=5&q=helve+handle", Key: "X-Goog-Api-Key: " + sesame},
		asked{Method: "GET", Path: "/customsearch/v1", Query: "cx=cx1&dateRestrict=m1&num=5&q=helve+handle&siteSearch=example.org%2Fhelve&siteSearchFilter=i", Key: "X-Goog-Api-Key: " + sesame},
		[]Result{
			{"Helve", "https://example.org/helve", "A helve is the handle of an axe.", "2024-05-01", "example.org"},
			{"Handles", "https://example.com/handles", "All about handles.", "", "example.com"},
		},
	},
	{
		"searxng", "searxng.json",
		asked{Method: "GET", Path: "/search", Query: "format=json&q=helve+handle"},
		asked{Method: "GET", Path: "/search", Query: "format=json&q=helve+handle+site%3Aexample.org%2Fhelve&time_range=month"},
		[]Result{
			{"Helve", "https://example.org/helve", "A helve is the handle of an axe.", "2024-05-01", "example.org"},
			{"Handles", "https://example.com/handles", "", "", "example.com"},
		},
	},
	{
		"duckduckgo", "duckduckgo.html",
		asked{Method: "GET", Path: "/html/", Query: "q=helve+handle"},
		asked{Method: "GET", Path: "/html/", Query: "df=m&q=helve+handle+site%3Aexample.org%2Fhelve"},
		[]Result{
			{"Helve & handle – Example", "https://www.example.org/helve?id=7", `A helve is the handle of an axe, "adze" or pick.`, "", "example.org"},
			{"Handles", "https://example.com/handles", "All about handles.", "", "example.com"},
			{"A page of no words", "https://example.net/silent", "", "", "example.net"},
		},
	},
}

func TestRecordings(t *testing.T) {
	for _, tt := range recordings {
		t.Run(tt.name, func(t *testing.T) {
			s := recorded(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(file(t, tt.file)) })
			e := engineOf(s.URL, tt.name)
			got, err := e.Search(t.Context(), Query{Text: "helve handle", Limit: 5}, tt.name)
			if err != nil {
				t.Fatal(err)
			}
			warned(t, tt.name, got)
			if d := cmp.Diff(&Answer{Provider: tt.name, Results: tt.want}, got); d != "" {
				t.Error(d)
			}
			q := Query{Text: "helve handle", Limit: 5, Site: "example.org/helve", Freshness: "month"}
			if got, err = e.Search(t.Context(), q, ""); err != nil {
				t.Fatal(err)
			}
			warned(t, tt.name, got)
			if d := cmp.Diff(&Answer{Provider: tt.name, Results: tt.want[:1]}, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff([]asked{tt.plain, tt.full}, s.seen); d != "" {
				t.Error(d)
			}
			// There are more results than requested.
			if got, err = e.Search(t.Context(), Query{Text: "x", Limit: 1}, ""); err != nil || len(got.Results) != 1 {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	if len(recordings) != len(providers()) {
		t.Errorf("%d recordings of %d services", len(recordings), len(providers()))
	}
}

// warned checks the warnings of a recording, and takes them away.
func warned(t *testing.T, name string, a *Answer) {
	t.Helper()
	want := ""
	if name == "searxng" {
		want = "some engines of searxng did not answer: google (access denied)"
	}
	if got := said(a.Warnings); got != want {
		t.Errorf("warnings %q, want %q", got, want)
	}
	a.Warnings = nil
}

// said returns warnings in English.
func said(warnings []fault.Text) string { return fault.Join(warnings, "\n").In(fault.English) }

// Each service has its own names for spans of time.
func TestFreshness(t *testing.T) {
	now := time.Date(2024, 3, 31, 12, 0, 0, 0, time.UTC)
	want := map[string][4]string{
		"brave":      {"freshness=pd", "freshness=pw", "freshness=pm", "freshness=py"},
		"tavily":     {`"time_range":"day"`, `"time_range":"week"`, `"time_range":"month"`, `"time_range":"year"`},
		"exa":        {`"2024-03-30T12:00:00.000Z"`, `"2024-03-24T12:00:00.000Z"`, `"2024-03-02T12:00:00.000Z"`, `"2023-03-31T12:00:00.000Z"`},
		"serper":     {`"tbs":"qdr:d"`, `"tbs":"qdr:w"`, `"tbs":"qdr:m"`, `"tbs":"qdr:y"`},
		"google":     {"dateRestrict=d1", "dateRestrict=w1", "dateRestrict=m1", "dateRestrict=y1"},
		"searxng":    {"time_range=day", "time_range=week", "time_range=month", "time_range=year"},
		"duckduckgo": {"df=d", "df=w", "df=m", "df=y"},
	}
	for _, p := range providers() {
		for i, span := range []string{"day", "week", "month", "year"} {
			r := p.ask(Query{Text: "x", Limit: 1, Freshness: span}, plan{page: 1, count: 1}, Account{URL: "http://x"}, now)
			if !strings.Contains(r.URL.String()+string(r.Body), want[p.name()][i]) {
				t.Errorf("%s, %s: %s %s", p.name(), span, r.URL, r.Body)
			}
		}
	}
}

// Without a configured address, requests go to the services by https.
func TestUsualAddresses(t *testing.T) {
	hosts := map[string]string{
		"brave": "api.search.brave.com", "tavily": "api.tavily.com", "exa": "api.exa.ai", "serper": "google.serper.dev",
		"google": "customsearch.googleapis.com", "duckduckgo": "html.duckduckgo.com",
	}
	for _, p := range providers() {
		if p.name() == "searxng" { // it has no address of its own
			continue
		}
		u, err := url.Parse(p.ask(Query{Text: "x"}, plan{}, Account{}, time.Now()).URL.String())
		if err != nil || u.Scheme != "https" || u.Host != hosts[p.name()] {
			t.Errorf("%s: %v, %v", p.name(), u, err)
		}
	}
}

func TestDuckDuckGo(t *testing.T) {
	for name, tt := range map[string]struct {
		status     int
		html, lite string // files
		want       fault.Code
		results    int
		asked      int
	}{
		"nothing found":    {200, "duckduckgo-none.html", "", "", 0, 1},
		"a puzzle":         {200, "duckduckgo-puzzle.html", "", fault.RateLimited, 0, 1},
		"a puzzle by 202":  {202, "duckduckgo-none.html", "", fault.RateLimited, 0, 1},
		"refused":          {403, "duckduckgo-none.html", "", fault.RateLimited, 0, 1},
		"another page":     {200, "brave.json", "duckduckgo-lite.html", "", 2, 2},
		"only other pages": {200, "brave.json", "brave.json", fault.Unavailable, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := recorded(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=UTF-8")
				w.WriteHeader(tt.status)
				if r.URL.Path == "/html/" {
					_, _ = w.Write(file(t, tt.html))
					return
				}
				_, _ = w.Write(file(t, tt.lite))
			})
			got, err := engineOf(s.URL, "duckduckgo").Search(t.Context(), Query{Text: "helve", Limit: 5}, "")
			if tt.want != "" {
				if !fault.Is(err, tt.want) || fault.As(err).Hint.IsZero() {
					t.Errorf("%+v, %v", got, err)
				}
				if tt.want == fault.RateLimited && !strings.Contains(fault.As(err).Message.In(fault.English)+fault.As(err).Hint.In(fault.English), "BRAVE_API_KEY") {
					t.Error(err)
				}
			} else if err != nil || len(got.Results) != tt.results || got.Results == nil {
				t.Errorf("%+v, %v", got, err)
			}
			if len(s.seen) != tt.asked {
				t.Errorf("%+v", s.seen)
			}
			if got != nil && tt.lite != "" && got.Results[0] != (Result{"Helve", "https://example.org/helve", "A helve is the handle of an axe.", "", "example.org"}) {
				t.Errorf("%+v", got.Results)
			}
		})
	}
}

// The first configured engine is asked, the next one if it limits the rate, and
// only the named one if one is named.
func TestChoice(t *testing.T) {
	limited := map[string]bool{}
	s := recorded(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/html/":
			_, _ = w.Write(file(t, "duckduckgo.html"))
		case limited[r.URL.Path]:
			w.WriteHeader(http.StatusTooManyRequests)
		case r.URL.Path == "/res/v1/web/search":
			_, _ = w.Write(file(t, "brave.json"))
		default:
			_, _ = w.Write(file(t, "tavily.json"))
		}
	})
	var asked []string
	search := func(name string, accounts ...string) (string, int, error) {
		asked = nil
		q := Query{Text: "x", Limit: 5, Asking: func(name string) { asked = append(asked, name) }}
		got, err := engineOf(s.URL, accounts...).Search(t.Context(), q, name)
		if err != nil {
			return "", 0, err
		}
		return got.Provider, len(got.Warnings), nil
	}
	for _, tt := range []struct {
		name     string
		accounts []string
		limited  string
		want     string
		warnings int
		code     fault.Code
	}{
		{"", []string{"duckduckgo"}, "", "duckduckgo", 0, ""},
		{"auto", []string{"duckduckgo", "tavily"}, "", "tavily", 0, ""},
		{"", []string{"duckduckgo", "tavily", "brave"}, "", "brave", 0, ""},
		{"", []string{"duckduckgo", "tavily", "brave"}, "/res/v1/web/search", "tavily", 1, ""},
		{"", []string{"duckduckgo", "brave"}, "/res/v1/web/search", "duckduckgo", 1, ""},
		{"brave", []string{"duckduckgo", "tavily", "brave"}, "/res/v1/web/search", "", 0, fault.RateLimited},
		{"duckduckgo", []string{"duckduckgo", "brave"}, "", "duckduckgo", 0, ""},
		{"brave", []string{"duckduckgo"}, "", "", 0, fault.NotConfigured},
		{"yahoo", []string{"duckduckgo"}, "", "", 0, fault.NotConfigured},
	} {
		clear(limited)
		limited[tt.limited] = true
		got, warnings, err := search(tt.name, tt.accounts...)
		if got != tt.want || warnings != tt.warnings || tt.code == "" && err != nil || tt.code != "" && !fault.Is(err, tt.code) {
			t.Errorf("%+v: %s, %d warnings, %v", tt, got, warnings, err)
		}
		if tt.want != "" && (len(asked) != 1+warnings || asked[warnings] != tt.want) {
			t.Errorf("%+v: asking %q", tt, asked)
		}
	}
}

// Without a network, the fault says so and names the engine.
func TestNoNetwork(t *testing.T) {
	s := recorded(t, func(http.ResponseWriter, *http.Request) {})
	s.Close()
	_, err := engineOf(s.URL, "duckduckgo").Search(t.Context(), Query{Text: "x", Limit: 5}, "")
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "duckduckgo cannot be reached") || fault.As(err).Hint.IsZero() {
		t.Error(err)
	}
	// The configured address is invalid.
	_, err = engineOf("ftp://x", "searxng").Search(t.Context(), Query{Text: "x", Limit: 5}, "searxng")
	if !fault.Is(err, fault.NotConfigured) {
		t.Error(err)
	}
}

// The address of a service may contain a user name and a password, which are never
// shown.
func TestLogin(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); !ok || user != "ida" || password != "se/same" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":"not se/same or se%2Fsame, but ` + r.Header.Get("Authorization") + `"}`))
			return
		}
		if r.URL.Path == "/away/search" {
			http.Redirect(w, r, "/search", http.StatusFound)
			return
		}
		_, _ = w.Write([]byte(`{"results":[{"title":"se/same","url":"https://example.org/se%2Fsame","content":"opens"}]}`))
	}))
	t.Cleanup(s.Close)
	search := func(credentials, path string) (*Answer, error) {
		return engineOf(strings.Replace(s.URL, "://", "://"+credentials+"@", 1)+path, "searxng").Search(t.Context(), Query{Text: "x", Limit: 5}, "searxng")
	}
	got, err := search("ida:se%2Fsame", "")
	if d := cmp.Diff(&Answer{Provider: "searxng", Results: []Result{{"[secret]", "https://example.org/[secret]", "opens", "", "example.org"}}}, got); d != "" || err != nil {
		t.Error(err, d)
	}
	if _, err = search("ida:other", ""); !fault.Is(err, fault.NotConfigured) || strings.Contains(err.Error(), "other") || strings.Contains(err.Error(), "aWRhOm90aGVy") || !strings.Contains(err.Error(), "Basic [secret]") {
		t.Error(err)
	}
	if _, err = search("ida:se%2Fsame", "/away"); !fault.Is(err, fault.NotConfigured) || strings.Contains(err.Error(), "same") {
		t.Error(err)
	}
}
