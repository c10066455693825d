package provider

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// Each failure has its code, and never contains the key.
func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		provider string
		status   int
		body     string
		want     fault.Code
	}{
		{"brave", 401, `{"type":"ErrorResponse","error":{"id":"x","status":401,"code":"UNAUTHORIZED","detail":"bad token ` + sesame + `"}}`, fault.NotConfigured},
		{"brave", 422, `{"type":"ErrorResponse","error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription token is invalid."}}`, fault.NotConfigured},
		{"brave", 422, `{"type":"ErrorResponse","error":{"code":"VALIDATION","detail":"Unable to validate request parameter(s)"}}`, fault.HTTPStatus},
		{"brave", 429, `{"type":"ErrorResponse","error":{"code":"RATE_LIMITED","detail":"Request rate limit exceeded for plan."}}`, fault.RateLimited},
		{"brave", 500, `oops`, fault.Unavailable},
		{"brave", 200, `<html>Log in to the hotel's network</html>`, fault.Unavailable},
		{"brave", 200, `{"unexpected":true}`, fault.Unavailable},
		{"brave", 200, `{"type":"search","query":{}}`, ""},
		{"tavily", 401, `{"detail":{"error":"Unauthorized: missing or invalid API key ` + url.QueryEscape(sesame) + `."}}`, fault.NotConfigured},
		{"tavily", 432, `{"detail":{"error":"This request exceeds your plan's set usage limit."}}`, fault.RateLimited},
		{"tavily", 433, `{}`, fault.RateLimited},
		{"tavily", 200, `[]`, fault.Unavailable},
		{"exa", 402, `{"error":"out of credits"}`, fault.RateLimited},
		{"exa", 200, `{"results":[]}`, ""},
		{"exa", 200, `{}`, fault.Unavailable},
		{"serper", 403, `{"message":"Unauthorized.","statusCode":403}`, fault.NotConfigured},
		{"serper", 200, `{"searchParameters":{"q":"x"}}`, ""},
		{"serper", 200, `{}`, fault.Unavailable},
		{"google", 400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`, fault.NotConfigured},
		{"google", 403, `{"error":{"code":403,"errors":[{"reason":"dailyLimitExceeded"}],"message":"Daily Limit Exceeded"}}`, fault.RateLimited},
		{"google", 403, `{"error":{"code":403,"message":"The caller does not have permission"}}`, fault.NotConfigured},
		{"google", 429, `{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED"}}`, fault.RateLimited},
		{"google", 200, `{"kind":"customsearch#search"}`, ""},
		{"searxng", 403, `<html>Forbidden</html>`, fault.NotConfigured},
		{"searxng", 200, `<html>results</html>`, fault.Unavailable},
		{"searxng", 301, ``, fault.NotConfigured},
		{"exa", 400, `{"error":"bad query"}`, fault.HTTPStatus},
	} {
		s := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tt.status)
			_, _ = io.WriteString(w, tt.body)
		})
		got, err := engineOf(s.URL, tt.provider).Search(t.Context(), Query{Text: "x", Limit: 5}, tt.provider)
		if tt.want == "" {
			if err != nil || got.Results == nil || len(got.Results) > 0 {
				t.Errorf("%s, %d, %s: %+v, %v", tt.provider, tt.status, tt.body, got, err)
			}
			continue
		}
		if !fault.Is(err, tt.want) || fault.As(err).Hint.IsZero() {
			t.Errorf("%s, %d, %s: %v, want %s", tt.provider, tt.status, tt.body, err, tt.want)
			continue
		}
		f := fault.As(err)
		all := f.Message.In(fault.English) + f.Message.In(fault.Chinese) + f.Hint.In(fault.English)
		if strings.Contains(all, "sesame") || strings.Contains(all, s.URL) {
			t.Errorf("%s: %s", tt.provider, all)
		}
		if !strings.Contains(all, tt.provider) {
			t.Errorf("it does not say who: %s", all)
		}
	}
}

// A response is read up to 4 MiB.
func TestLongResponses(t *testing.T) {
	for length, want := range map[int]fault.Code{4<<20 - 100: "", 4<<20 + 100: fault.Unavailable} {
		s := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"type":"search","x":"`+strings.Repeat("x", length)+`"}`)
		})
		_, err := engineOf(s.URL, "brave").Search(t.Context(), Query{Text: "x", Limit: 1}, "brave")
		if want == "" && err != nil || want != "" && !fault.Is(err, want) {
			t.Errorf("%d bytes: %v", length, err)
		}
	}
}

// A key that a service echoes in its results is not shown.
func TestEchoes(t *testing.T) {
	s := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"results": []any{map[string]any{
			"title": "you sent " + sesame, "content": "and " + url.QueryEscape(sesame), "url": "https://example.org/?k=" + url.QueryEscape(sesame),
		}}})
	})
	got, err := engineOf(s.URL, "tavily").Search(t.Context(), Query{Text: "x", Limit: 5}, "tavily")
	if err != nil {
		t.Fatal(err)
	}
	want := []Result{{"you sent [secret]", "https://example.org/?k=[secret]", "and [secret]", "", "example.org"}}
	if d := cmp.Diff(want, got.Results); d != "" {
		t.Error(d)
	}
}

// A short key takes no results apart: it is hidden as a word, and one that is no secret
// at all is not.
func TestShortKeys(t *testing.T) {
	s := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"type":"search","web":{"results":[{"title":"a word, words and key word","url":"https://example.org/words","description":"a"}]}}`)
	})
	for key, want := range map[string]string{"a": "a word, words and key word", "word": "a [secret], words and key [secret]"} {
		engine := New(Options{Client: engineOf(s.URL, "brave").opt.Client, Now: time.Now, Account: func(string) Account { return Account{Key: key, URL: s.URL} }})
		got, err := engine.Search(t.Context(), Query{Text: "x", Limit: 5}, "brave")
		if err != nil || len(got.Results) != 1 || got.Results[0].Title != want || got.Results[0].URL != "https://example.org/words" {
			t.Errorf("%q: %+v, %v", key, got, err)
		}
	}
}

// A response that breaks off is no answer; the next engine is asked.
func TestBrokenOff(t *testing.T) {
	s := recorded(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/html/") {
			_, _ = w.Write(file(t, "duckduckgo.html"))
			return
		}
		w.Header().Set("Content-Length", "100000")
		_, _ = io.WriteString(w, `{"type":"search","web":{"results":[{"title":"One","url":"https://example.org/"},{"ti`)
	})
	if got, err := engineOf(s.URL, "brave").Search(t.Context(), Query{Text: "x", Limit: 5}, "brave"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err := engineOf(s.URL, "brave", "duckduckgo").Search(t.Context(), Query{Text: "x", Limit: 5}, "")
	if err != nil || got.Provider != "duckduckgo" || len(got.Results) != 3 || len(got.Warnings) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
