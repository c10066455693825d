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
// results". The next search engine is asked, except about what the person or the
// caller has to correct.
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
			if stays := tt.code == fault.NotConfigured || tt.code == fault.HTTPStatus; stays {
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
