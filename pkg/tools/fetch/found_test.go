package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/reading"
	"github.com/helve-dev/helve/pkg/web"
)

// finder is a call of another tool that found pages of a server.
func finder(t *testing.T, rules ...policy.Rule) (*tool.Call, string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := 3
		switch r.URL.Path {
		case "/missing":
			http.NotFound(w, r)
			return
		case "/away":
			http.Redirect(w, r, strings.Replace("http://"+r.Host+"/short", "127.0.0.1", "localhost", 1), http.StatusFound)
			return
		case "/long":
			n = 400
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<title>Page %s</title><main><h1>Page</h1>%s</main>", r.URL.Path,
			strings.Repeat("<p>These are some plain words about the handles of tools, which are called helves.</p>\n", n))
	}))
	t.Cleanup(s.Close)
	var given []policy.Given
	for _, r := range rules {
		given = append(given, policy.Given{Rule: r, From: "test"})
	}
	p, err := policy.New(given, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := web.New(web.Options{AllowPrivate: true, Host: p.Reach})
	env := &tool.Env{Session: "test", Policy: p}
	tool.Provide(env, func() (*web.Client, error) { return client, nil })
	return tool.NewCall(env, &tool.Tool{Spec: tool.Spec{Name: "websearch"}}, nil), s.URL
}

// Pages that were found share a budget: what short ones leave goes to longer ones. A
// page that cannot be read has its own error.
func TestFound(t *testing.T) {
	call, at := finder(t)
	got, err := Found(t.Context(), call, []string{at + "/short", at + "/missing", at + "/long?1", at + "/long?2", at + "/short"}, reading.Budget{Chars: 4000})
	if err != nil || len(got) != 5 {
		t.Fatalf("%+v, %v", got, err)
	}
	sum := 0
	for _, p := range got {
		sum += utf8.RuneCountInString(p.Content)
	}
	short, missing, long, again := got[0], got[1], got[2], got[4]
	if short.NextStart != 0 || short.Title != "Page /short" || !short.Untrusted || long.NextStart == 0 || utf8.RuneCountInString(long.Content) < 1500 || sum > 4000 || sum < 3500 {
		t.Errorf("%d characters: %+v", sum, got)
	}
	if missing.Error == nil || missing.Error.Code != fault.HTTPStatus || missing.Error.Hint == "" || missing.Content != "" {
		t.Errorf("%+v", missing)
	}
	if again != (reading.Page{URL: at + "/short", SameAs: at + "/short"}) {
		t.Errorf("%+v", again)
	}
	// None can be read: each says why.
	got, err = Found(t.Context(), call, []string{at + "/missing", "http://%zz/", "file:///etc/passwd"}, reading.Budget{Chars: 4000})
	if err != nil || len(got) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, p := range got {
		if p.Error == nil || p.Error.Message == "" || p.Content != "" {
			t.Errorf("%+v", p)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err = Found(canceled, call, []string{at + "/short"}, reading.Budget{Chars: 4000}); err == nil || got != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// The policy holds for each page that was found as it does for one that is fetched.
// Whoever allowed the search has not seen the address.
func TestFoundPolicy(t *testing.T) {
	for name, tt := range map[string]struct {
		rule policy.Rule
		path string
		want fault.Code // "" is read
	}{
		"no rule about it":          {policy.Rule{Host: "example.org", Decision: policy.Deny}, "/short", ""},
		"the host is denied":        {policy.Rule{Host: "127.0.0.1", Decision: policy.Deny}, "/short", fault.Denied},
		"to fetch alone":            {policy.Rule{Tool: "fetch", Host: "127.0.0.1", Decision: policy.Deny}, "/short", fault.Denied},
		"to websearch alone":        {policy.Rule{Tool: "websearch", Host: "127.0.0.1", Decision: policy.Deny}, "/short", fault.Denied},
		"the host is asked about":   {policy.Rule{Host: "127.0.0.1", Decision: policy.Ask}, "/short", fault.Denied},
		"fetch is asked about":      {policy.Rule{Tool: "fetch", Decision: policy.Ask}, "/short", fault.Denied},
		"fetch is denied":           {policy.Rule{Tool: "fetch", Decision: policy.Deny}, "/short", fault.Denied},
		"websearch is asked about":  {policy.Rule{Tool: "websearch", Decision: policy.Ask}, "/short", ""},
		"a redirect to one denied":  {policy.Rule{Host: "localhost", Decision: policy.Deny}, "/away", fault.Denied},
		"a redirect to one to ask":  {policy.Rule{Host: "localhost", Decision: policy.Ask}, "/away", fault.Denied},
		"a redirect to one allowed": {policy.Rule{Host: "example.org", Decision: policy.Deny}, "/away", ""},
	} {
		call, at := finder(t, tt.rule)
		got, err := Found(t.Context(), call, []string{at + tt.path}, reading.Budget{Chars: 1000})
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		if p := got[0]; tt.want == "" && (p.Error != nil || p.Content == "") || tt.want != "" && (p.Error == nil || p.Error.Code != tt.want || p.Error.Hint == "" || p.Content != "") {
			t.Errorf("%s: %+v %+v", name, p, p.Error)
		}
	}
}
