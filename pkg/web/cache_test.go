package web

import (
	"bytes"
	"maps"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state"
)

// clock is a clock that the test sets.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// caching returns a client with its own cache.
func caching(t *testing.T) (*Client, *clock, string) {
	t.Helper()
	base := t.TempDir()
	d, err := state.Open(base, t.TempDir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	now := &clock{now: time.Now()}
	return client(t, func(o *Options) {
		o.Now = now.Now
		o.Cache = func() (*state.Cache, error) { return d.Cache("web", 64<<20), nil }
	}), now, base
}

// counts says how many responses of a server had a body, and how many a 304.
type counts struct{ Whole, Unchanged int }

func TestRevalidation(t *testing.T) {
	for name, header := range map[string]http.Header{
		"entity tag":          {"Etag": {`"one"`}},
		"weak entity tag":     {"Etag": {`W/"one"`}},
		"last modified":       {"Last-Modified": {"Mon, 02 Jan 2006 15:04:05 GMT"}},
		"both":                {"Etag": {`"one"`}, "Last-Modified": {"Mon, 02 Jan 2006 15:04:05 GMT"}},
		"no-cache":            {"Etag": {`"one"`}, "Cache-Control": {"max-age=600, no-cache"}},
		"private":             {"Etag": {`"one"`}, "Cache-Control": {"private"}},
		"of the past":         {"Etag": {`"one"`}, "Expires": {"0"}},
		"pragma":              {"Etag": {`"one"`}, "Pragma": {"no-cache"}, "Expires": {"Mon, 02 Jan 2099 15:04:05 GMT"}},
		"must-revalidate":     {"Etag": {`"one"`}, "Cache-Control": {"max-age=0, must-revalidate"}},
		"depends on Accept":   {"Etag": {`"one"`}, "Vary": {"Accept, accept-encoding"}},
		"unreadable max-age":  {"Etag": {`"one"`}, "Cache-Control": {"max-age=soon"}},
		"depends on cookies":  {"Etag": {`"one"`}, "Vary": {"Cookie"}},
		"already of some age": {"Etag": {`"one"`}, "Cache-Control": {"max-age=100"}, "Age": {"200"}},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var seen counts
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				maps.Copy(w.Header(), header)
				if h := r.Header; h.Get("If-None-Match") == header.Get("Etag") && h.Get("If-Modified-Since") == header.Get("Last-Modified") {
					seen.Unchanged++
					w.WriteHeader(http.StatusNotModified)
					return
				}
				seen.Whole++
				w.Header().Set("Content-Type", "text/html; charset=gbk")
				_, _ = w.Write([]byte("\xc4\xe3\xba\xc3"))
			})
			c, _, _ := caching(t)
			first := get(t, c, Request{URL: At(s.URL + "/page#one")})
			second := get(t, c, Request{URL: At(s.URL + "/page#two")})
			if want := (counts{1, 1}); seen != want {
				t.Errorf("%+v", seen)
			}
			if first.Cached || !second.Cached || !second.Revalidated || second.Wire != 0 || second.Status != http.StatusOK {
				t.Errorf("%+v", second)
			}
			if a, b := first.Text(), second.Text(); a.Text != "你好" || a != b || second.MIME != "text/html" {
				t.Errorf("%+v, %+v", a, b)
			}
		})
	}
}

func TestFreshness(t *testing.T) {
	for name, tt := range map[string]struct {
		header http.Header
		fresh  time.Duration // and not a second longer
	}{
		"max-age":           {http.Header{"Cache-Control": {"public, max-age=60"}}, 60 * time.Second},
		"in quotes":         {http.Header{"Cache-Control": {`Max-Age="60"`}}, 60 * time.Second},
		"over Expires":      {http.Header{"Cache-Control": {"max-age=60"}, "Expires": {"0"}}, 60 * time.Second},
		"private":           {http.Header{"Cache-Control": {"private, max-age=60"}}, 60 * time.Second},
		"for years":         {http.Header{"Cache-Control": {"max-age=999999999999"}}, 24 * time.Hour},
		"s-maxage":          {http.Header{"Cache-Control": {"s-maxage=600, max-age=60"}}, 60 * time.Second}, // this cache is not shared
		"nothing":           {http.Header{}, 0},
		"no-store":          {http.Header{"Cache-Control": {"no-store, max-age=60"}}, -1},
		"depends on all":    {http.Header{"Cache-Control": {"max-age=60"}, "Vary": {"*"}}, -1},
		"depends on agents": {http.Header{"Cache-Control": {"max-age=60"}, "Vary": {"User-Agent"}}, 60 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			whole := 0
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				whole++
				maps.Copy(w.Header(), tt.header)
				_, _ = w.Write([]byte("page"))
			})
			c, now, _ := caching(t)
			want := 1
			check := func(cached bool) {
				t.Helper()
				if !cached {
					want++
				}
				r := get(t, c, Request{URL: At(s.URL)})
				if r.Cached != cached || r.Revalidated || whole != want || string(r.Body) != "page" {
					t.Errorf("cached %t, %d requests, want %d: %q", r.Cached, whole, want, r.Body)
				}
			}
			get(t, c, Request{URL: At(s.URL)})
			if tt.fresh > 0 {
				now.pass(tt.fresh - 2*time.Second) // the server's Date has whole seconds
				check(true)
				now.pass(3 * time.Second)
			}
			check(false)
			// The parts of one document come from one response, if it may be stored.
			r := get(t, c, Request{URL: At(s.URL), Reuse: time.Minute})
			if r.Cached != (tt.fresh >= 0) {
				t.Errorf("reused: %t", r.Cached)
			}
		})
	}
}

// Responses to different headers are stored separately. Truncated and failed
// responses and those to secrets are not stored.
func TestWhatIsKept(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.Method+" "+r.URL.Path+" "+r.Header.Get("Accept")]++
		w.Header().Set("Cache-Control", "max-age=600")
		switch r.URL.Path {
		case "/fails":
			w.WriteHeader(http.StatusNotFound)
		case "/cookie":
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "sesame"})
		case "/welcome":
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "sesame"})
			http.Redirect(w, r, "/cookies", http.StatusFound)
		}
		_, _ = w.Write([]byte(strings.Repeat(r.Header.Get("Accept"), 100)))
	})
	c, _, base := caching(t)
	for range 2 {
		get(t, c, Request{URL: At(s.URL + "/kept"), Accept: "text/html"})
		get(t, c, Request{URL: At(s.URL + "/kept"), Accept: "text/markdown"})
		get(t, c, Request{URL: At(s.URL + "/cut"), MaxBytes: 10})
		get(t, c, Request{URL: At(s.URL + "/fails")})
		get(t, c, Request{URL: At(s.URL + "/cookie")})
		get(t, c, Request{URL: At(s.URL + "/welcome")})
		get(t, c, Request{URL: At(s.URL + "/apart"), NoStore: true})
		get(t, c, Request{URL: At(s.URL + "/key"), Secret: map[string]string{"X-Key": "open"}})
		get(t, c, Request{URL: At(s.URL + "/search"), Body: []byte("{}"), ContentType: "application/json"})
	}
	want := map[string]int{
		"GET /kept text/html": 1, "GET /kept text/markdown": 1, "GET /cut */*": 2, "GET /fails */*": 2, "GET /cookie */*": 1,
		"GET /welcome */*": 2, "GET /cookies */*": 2, "GET /apart */*": 2, "GET /key */*": 2, "POST /search */*": 2,
	}
	if d := cmp.Diff(want, asked); d != "" {
		t.Error(d)
	}
	files := 0
	err := filepath.WalkDir(base, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
			t.Errorf("%s: %v", path, info.Mode())
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), "sesame") {
			t.Errorf("a cookie is in %s", path)
		}
		files++
		return err
	})
	if err != nil || files < 3 {
		t.Errorf("%d files, %v", files, err)
	}
}

// A stored response is not used if it is damaged, belongs to another address, or
// came from an address that is not allowed any more.
func TestSpoiledEntries(t *testing.T) {
	var mu sync.Mutex
	whole := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		whole++
		w.Header().Set("Cache-Control", "max-age=600")
		_, _ = w.Write([]byte("page " + r.URL.Path))
	})
	stored := func(base string) []string {
		found, err := filepath.Glob(filepath.Join(base, "*", "cache", "web", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"cut":         func(b []byte) []byte { return b[:len(b)-1] },
		"longer":      func(b []byte) []byte { return append(b, 'x') },
		"empty":       func([]byte) []byte { return nil },
		"noise":       func([]byte) []byte { return []byte("\x00\xff noise") },
		"another":     func(b []byte) []byte { return []byte(strings.Replace(string(b), "page /", "evil /", 1)) },
		"another URL": func(b []byte) []byte { return []byte(strings.Replace(string(b), `/page"`, `/evil"`, 1)) },
		"a version":   func(b []byte) []byte { return []byte(strings.Replace(string(b), "web 1", "web 2", 1)) },
		"no header":   func([]byte) []byte { return []byte(entryVersion + "{}\n") },
	} {
		c, _, base := caching(t)
		get(t, c, Request{URL: At(s.URL + "/page")})
		files := stored(base)
		if len(files) != 1 {
			t.Fatalf("%q", files)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[0], spoil(data), 0o600); err != nil {
			t.Fatal(err)
		}
		before := whole
		for i := range 2 {
			if r := get(t, c, Request{URL: At(s.URL + "/page")}); string(r.Body) != "page /page" || r.Cached != (i == 1) || whole != before+1 {
				t.Errorf("%s: %q, %t", name, r.Body, r.Cached)
			}
		}
	}

	// A response from a private address is not used once those are not allowed.
	c, _, _ := caching(t)
	get(t, c, Request{URL: At(s.URL + "/page")})
	closed := New(Options{Cache: c.opt.Cache})
	if _, err := closed.Get(t.Context(), Request{URL: At(s.URL + "/page")}); err == nil {
		t.Error("it came from the cache")
	}
	resolver := names(t, func(string) []string { return []string{open} })
	named := strings.Replace(s.URL, open, "site.example.org", 1) + "/page"
	c = client(t, func(o *Options) { o.Cache, o.Resolver = c.opt.Cache, resolver })
	get(t, c, Request{URL: At(named)})
	if r := get(t, c, Request{URL: At(named)}); !r.Cached {
		t.Error("it was not kept")
	}
	closed = New(Options{Cache: c.opt.Cache, Resolver: resolver})
	if _, err := closed.Get(t.Context(), Request{URL: At(named)}); err == nil {
		t.Error("it came from the cache")
	}

	// If the cache cannot be used, there is one warning and no error.
	base := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(base, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := state.Open(base, t.TempDir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c = client(t, func(o *Options) { o.Cache = func() (*state.Cache, error) { return d.Cache("web", 1<<20), nil } })
	if r := get(t, c, Request{URL: At(s.URL + "/page")}); len(r.Warnings) != 1 || string(r.Body) != "page /page" {
		t.Errorf("%+v", r)
	}
}

// A stored response is used during failures only as long as the server allows it.
func TestStaleIfError(t *testing.T) {
	var mu sync.Mutex
	down := false
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if down {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		if r.URL.Path == "/grace" {
			w.Header().Set("Cache-Control", "max-age=10, stale-if-error=100")
		}
		_, _ = w.Write([]byte("page"))
	})
	c, now, _ := caching(t)
	get(t, c, Request{URL: At(s.URL + "/grace")})
	get(t, c, Request{URL: At(s.URL + "/none")})
	mu.Lock()
	down = true
	mu.Unlock()
	now.pass(50 * time.Second)
	if r := get(t, c, Request{URL: At(s.URL + "/grace")}); !r.Cached || len(r.Warnings) != 1 || string(r.Body) != "page" {
		t.Errorf("%+v", r)
	}
	if r := get(t, c, Request{URL: At(s.URL + "/none")}); r.Cached || r.Status != http.StatusInternalServerError {
		t.Errorf("%+v", r)
	}
	now.pass(100 * time.Second)
	if r := get(t, c, Request{URL: At(s.URL + "/grace")}); r.Cached {
		t.Errorf("%+v", r)
	}
}

func FuzzEntry(f *testing.F) {
	e := &entry{URL: "https://example.org/", Status: 200, Header: http.Header{"Etag": {`"x"`}}, Vary: http.Header{"Accept": {"*/*"}}, Peer: netip.MustParseAddr("192.0.2.1"), body: []byte("body")}
	whole, err := e.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(entryVersion + "{}\n"))
	f.Add([]byte(entryVersion + `{"header":{"Age":["99999999999999999999"],"Cache-Control":["max-age"]},"status":200}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := decodeEntry(data, "https://example.org/", http.Header{"Accept": {"*/*"}})
		if e == nil {
			return
		}
		if e.URL != "https://example.org/" || e.Status != 200 && e.Status != 203 || !bytes.HasSuffix(data, e.body) {
			t.Fatalf("%+v", e)
		}
		now := time.Unix(1_700_000_000, 0)
		e.fresh(now)
		e.outlasts(now)
		e.condition(http.Header{})
		e.renew(http.Header{"Age": {"1"}}, now)
		again, err := e.encode()
		if err != nil {
			return // JSON cannot hold this time
		}
		if decodeEntry(again, e.URL, e.Vary) == nil {
			t.Fatalf("%q does not come back", again)
		}
	})
}
