package provider

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/helve-dev/helve/pkg/fault"
)

// refused is a response by which a service refuses.
type refused struct {
	provider, about string
	status          int
	code            fault.Code
	body            []byte
}

// refusals reads testdata/refusals.
func refusals(t testing.TB) []refused {
	t.Helper()
	var all []refused
	for _, p := range providers() {
		data, err := os.ReadFile(filepath.Join("testdata", "refusals", p.name()+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		table := txtar.Parse(data)
		if !strings.Contains(string(table.Comment), "Shapes:") && !strings.Contains(string(table.Comment), "report") {
			t.Errorf("%s names no source", p.name())
		}
		for _, f := range table.Files {
			status, rest, _ := strings.Cut(f.Name, " ")
			code, about, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(status)
			if err != nil || about == "" {
				t.Fatalf("%s: %q", p.name(), f.Name)
			}
			all = append(all, refused{p.name(), about, n, fault.Code(code), f.Data})
		}
	}
	return all
}

// Every refusal has its code, names the service and says what to do; none is "no
// results". The next search engine is asked, except where the key is refused or the
// caller has to correct the call.
func TestRefusals(t *testing.T) {
	for _, tt := range refusals(t) {
		t.Run(tt.provider+"/"+tt.about, func(t *testing.T) {
			s := recorded(t, func(w http.ResponseWriter, r *http.Request) {
				if tt.provider != "duckduckgo" && strings.HasPrefix(r.URL.Path, "/html/") {
					_, _ = w.Write(file(t, "duckduckgo.html"))
					return
				}
				w.WriteHeader(tt.status)
				_, _ = w.Write(tt.body)
			})
			got, err := engineOf(s.URL, tt.provider).Search(t.Context(), Query{Text: "x", Limit: 5}, tt.provider)
			f := fault.As(err)
			if !fault.Is(err, tt.code) || f.Hint.IsZero() {
				t.Fatalf("%+v, %v, want %s", got, err, tt.code)
			}
			for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
				if said := f.Message.In(lang); !strings.Contains(said, tt.provider) || strings.Contains(said, "sesame") || strings.Contains(said, "<") {
					t.Error(said)
				}
			}
			if tt.provider == "duckduckgo" { // the last one
				return
			}
			got, err = engineOf(s.URL, tt.provider, "duckduckgo").Search(t.Context(), Query{Text: "x", Limit: 5}, "")
			elsewhere := tt.about == "another address" || tt.provider == "searxng" && tt.status == http.StatusForbidden
			if tt.code == fault.HTTPStatus || tt.code == fault.NotConfigured && !elsewhere {
				if !fault.Is(err, tt.code) {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err != nil || got.Provider != "duckduckgo" || len(got.Results) != 3 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].In(fault.English), tt.provider+" failed") {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// If no search engine answers, the fault says of each what was wrong and what to do,
// once.
func TestNoneAnswers(t *testing.T) {
	s := recorded(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/html/"):
			w.WriteHeader(http.StatusAccepted)
		case r.URL.Query().Get("format") == "json":
			w.WriteHeader(http.StatusForbidden)
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	_, err := engineOf(s.URL, "brave", "tavily", "searxng", "duckduckgo").Search(t.Context(), Query{Text: "x", Limit: 5}, "")
	f := fault.As(err)
	if !fault.Is(err, fault.Unavailable) {
		t.Fatal(err)
	}
	for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
		message, hint := f.Message.In(lang), f.Hint.In(lang)
		for _, part := range []string{"brave", "tavily", "searxng", "duckduckgo", "503", "403"} {
			if !strings.Contains(message, part) {
				t.Errorf("the message has no %s: %s", part, message)
			}
		}
		if !strings.Contains(hint, "search.formats") || strings.Count(hint, tryAnother().In(lang)) != 1 {
			t.Error(hint)
		}
	}
	_, err = engineOf(s.URL, "searxng").Search(t.Context(), Query{Text: "x", Limit: 5}, "searxng")
	if f = fault.As(err); f.Code != fault.NotConfigured || !strings.Contains(f.Hint.String(), "settings.yml") {
		t.Errorf("%v: %s", err, f.Hint)
	}
}

// A query about the signs of a refusal is a query like any other.
func TestSignsInResults(t *testing.T) {
	for provider, body := range map[string]string{
		"tavily":     `{"query":"captcha","results":[],"answer":null}`,
		"brave":      `{"type":"search","query":{"original":"rate limit exceeded, unauthorized, captcha"}}`,
		"searxng":    `{"query":"quota","results":[],"unresponsive_engines":[]}`,
		"duckduckgo": `<html><title>captcha at DuckDuckGo</title><div class="no-results">No results for anomaly.js captcha.</div></html>`,
	} {
		s := recorded(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		if got, err := engineOf(s.URL, provider).Search(t.Context(), Query{Text: "x", Limit: 5}, provider); err != nil || len(got.Results) != 0 {
			t.Errorf("%s: %+v, %v", provider, got, err)
		}
	}
	s := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<a class="result__a" href="https://example.org/">Why anomaly-modal?</a><a class="result__snippet">It loads anomaly.js into #challenge-form.</a>`)
	})
	if got, err := engineOf(s.URL, "duckduckgo").Search(t.Context(), Query{Text: "x", Limit: 5}, ""); err != nil || len(got.Results) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
