package fetch

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// Who asks for Markdown first may get it.
func TestNegotiation(t *testing.T) {
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept")
		if strings.HasPrefix(r.Header.Get("Accept"), "text/markdown") {
			send(200, "text/markdown; charset=utf-8", "# Kettles\n\nin Markdown\n")(w, r)
			return
		}
		send(200, "text/html", article)(w, r)
	})
	if r, err := w.fetch(nil); err != nil || r.Content != "# Kettles\n\nin Markdown\n" || r.Title != "Kettles" || r.MIME != "text/markdown" || r.Extractor != "none" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := w.fetch(func(a *Args) { a.Format = "html" }); err != nil || r.MIME != "text/html" || !strings.Contains(r.Content, "<p>A kettle") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		status     int
		mime, body string
		code       fault.Code
		told       string
	}{
		{404, "text/html", "<title>Not here</title><main><h1>Gone fishing</h1><p>The page has moved.</p>", fault.HTTPStatus, "Gone fishing"},
		{422, "application/json", `{"error":"q is missing"}`, fault.HTTPStatus, "q is missing"},
		{403, "text/plain", "no", fault.HTTPStatus, "no"},
		{429, "text/plain", "slow down", fault.RateLimited, "slow down"},
		{500, "text/html", strings.Repeat("<p>sorry, sorry, sorry, sorry</p>", 999), fault.HTTPStatus, strings.Repeat("sorry, sorry, sorry, sorry\n\n", 60)},
		{418, "application/octet-stream", "\x00\x01\x02", fault.HTTPStatus, ""},
	} {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "3600") // which nobody waits for
			send(c.status, c.mime, c.body)(w, r)
		})
		_, err := w.fetch(nil)
		details, ok := fault.As(err).Details.(failed)
		if !fault.Is(err, c.code) || !ok || details.Status != c.status || !strings.Contains(details.Body, c.told) || len(details.Body) > 2000 {
			t.Errorf("%d: %v, %+v", c.status, err, details)
		}
	}
	w := newWorld(t, send(503, "text/html", "<title>Just a moment...</title><p>Verify you are human</p>"))
	if _, err := w.fetch(func(a *Args) { a.Timeout = 5 }); !strings.Contains(fault.As(err).Hint.In(fault.English), "test for humans") {
		t.Errorf("the hint on a wall: %q", fault.As(err).Hint)
	}
}

// A page of failure that is sent as a success is told from one that speaks of
// failures.
func TestMissing(t *testing.T) {
	for title, want := range map[string]bool{
		"404 Not Found": true, "Page not found | Example Shop": true, "Seite nicht gefunden – Beispiel": true, "404": true, "页面不存在 - 示例网": true, "Oops! Error 404": true, "Not found (404) - x": true, "HTTP 404": true, "404: This page could not be found.": true, "Error": false, "Error | Page not found": true, "Module not found error in Python": false,
		"How to set up a custom page not found handler in nginx and Apache": false, "Kettles": false, "Peugeot 404 cabriolet, a car of the sixties": false, "": false, "Lost and found": false,
	} {
		w := newWorld(t, send(200, "text/html", "<html><head><title>"+title+"</title></head><body><main><p>Some words.</p></main></body></html>"))
		if _, err := w.fetch(nil); err != nil || (len(w.warnings) > 0) != want {
			t.Errorf("%s: %v, %v", title, w.warnings, err)
		}
	}
	w := newWorld(t, send(200, "text/html", "<title>Not Found</title><main><p>"+strings.Repeat("A novel of that name. ", 500)))
	if _, err := w.fetch(nil); err != nil || len(w.warnings) > 0 {
		t.Errorf("%v, %v", w.warnings, err)
	}
}

// An address that caught the end of a sentence leads to the page all the same.
func TestTrailingMarks(t *testing.T) {
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/kettles" {
			http.NotFound(w, r)
			return
		}
		send(200, "text/html", article)(w, r)
	})
	r, err := w.fetch(func(a *Args) { a.URL += "/kettles)." })
	if err != nil || r.Title != "Kettles | Notes" || len(w.warnings) != 1 {
		t.Errorf("%+v, %v, %v", r, err, w.warnings)
	}
	if _, err := w.fetch(func(a *Args) { a.URL += "/pots." }); !fault.Is(err, fault.HTTPStatus) {
		t.Errorf("%v", err)
	}
}

func TestSource(t *testing.T) {
	for from, want := range map[string]string{
		"https://github.com/o/r/blob/main/a/b%20c.go": "https://raw.githubusercontent.com/o/r/main/a/b%20c.go",
		"https://github.com/o/r/blob/main":            "",
		"https://github.com/o/r/tree/main/a":          "",
		"https://github.com/o/r/blob/main/x?plain=1":  "",
		"https://gitlab.com/g/s/r/-/blob/v1/x.md":     "https://gitlab.com/g/s/r/-/raw/v1/x.md",
		"https://codeberg.org/o/r/src/branch/main/x":  "https://codeberg.org/o/r/raw/branch/main/x",
		"https://example.org/o/r/blob/main/x":         "",
		"http://github.com/o/r/blob/main/x":           "",
	} {
		if got, ok := source(web.At(from)); ok != (want != "") || ok && got.String() != want {
			t.Errorf("%s: %v", from, got)
		}
	}
	if got := hosts(Args{URL: "https://github.com/o/r/blob/main/x"}); !cmp.Equal(got, []string{"github.com", "raw.githubusercontent.com"}) {
		t.Errorf("%v", got)
	}
}
