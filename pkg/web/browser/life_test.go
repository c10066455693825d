package browser

import (
	"context"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/web"
)

// Who closes the browser ends a call that is under way.
func TestCloseDuring(t *testing.T) {
	arrived := make(chan struct{}, 8)
	s := serve(t, map[string]http.HandlerFunc{"/": func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	}})
	f := browse(t, nil)
	failed := make(chan error, 2)
	for range 2 { // the second waits for its turn
		go func() {
			_, err := f.Open(context.Background(), Request{URL: web.At(s.URL), Timeout: 10 * time.Minute})
			failed <- err
		}()
	}
	<-arrived
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-failed; !fault.Is(err, fault.Canceled) {
			t.Errorf("%v", err)
		}
	}
	if _, err := f.Open(t.Context(), Request{URL: web.At(s.URL)}); !fault.Is(err, fault.Canceled) {
		t.Errorf("%v", err)
	}
}

// A call that is canceled leaves a browser that shows the next page.
func TestCancel(t *testing.T) {
	arrived := make(chan struct{}, 8)
	s := serve(t, map[string]http.HandlerFunc{
		"/":     func(_ http.ResponseWriter, r *http.Request) { arrived <- struct{}{}; <-r.Context().Done() },
		"/rest": shell(`<script>app.textContent = "at rest"</script>`),
	})
	f := browse(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if _, err := f.Open(ctx, Request{URL: web.At(s.URL), Timeout: 10 * time.Minute}); !fault.Is(err, fault.Canceled) {
		t.Errorf("%v", err)
	}
	if p := f.see(t, s.URL+"/rest"); !strings.Contains(p.HTML, "at rest") {
		t.Errorf("%s", p.HTML)
	}
	if _, err := f.Open(t.Context(), Request{URL: web.At(s.URL), Timeout: 2 * time.Second}); !fault.Is(err, fault.Timeout) {
		t.Errorf("%v", err)
	}
}

// A browser that ends while it shows a page is a fault, and the next page gets another.
func TestKilledBrowser(t *testing.T) {
	arrived := make(chan struct{}, 8)
	s := serve(t, map[string]http.HandlerFunc{
		"/":     func(_ http.ResponseWriter, r *http.Request) { arrived <- struct{}{}; <-r.Context().Done() },
		"/rest": shell(`<script>app.textContent = "at rest"</script>`),
	})
	f := browse(t, nil)
	failed := make(chan error, 1)
	go func() {
		_, err := f.Open(context.Background(), Request{URL: web.At(s.URL), Timeout: 10 * time.Minute})
		failed <- err
	}()
	<-arrived
	f.mu.Lock()
	f.process.kill()
	f.mu.Unlock()
	if err := <-failed; !fault.Is(err, fault.Unavailable) {
		t.Errorf("%v", err)
	}
	if p := f.see(t, s.URL+"/rest"); !strings.Contains(p.HTML, "at rest") {
		t.Errorf("%s", p.HTML)
	}
}

// What does not start, or is no browser, is a fault that says what it said.
func TestNoBrowser(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		program string
		code    fault.Code
		says    string
	}{
		{"", fault.NotConfigured, "helve config set web.browser auto"},
		{"chromium", fault.NotConfigured, "no absolute path"},
		{filepath.Join(dir, "none"), fault.Unavailable, "did not start"},
		{script("ends", "echo >&2 broken; exit 3"), fault.Unavailable, "broken"},
		{script("mute", "exec >&- 4>&-; sleep 600"), fault.Unavailable, "did not start"},
		{script("noise", `head -c 1000000 /dev/zero | tr '\0' x >&4; printf '\0{\0[]\0null\0' >&4; exit 1`), fault.Unavailable, "did not start"},
		{script("flood", `head -c 70000000 /dev/zero | tr '\0' x >&4; sleep 600`), fault.Unavailable, "too large"},
	} {
		f := browse(t, func(o *Options, _ *web.Options) { o.Program = c.program })
		_, err := f.Open(t.Context(), Request{URL: web.At("http://" + open + "/"), Timeout: 2 * time.Minute})
		if e := fault.As(err); !fault.Is(err, c.code) || !strings.Contains(e.Error()+e.Hint.String(), c.says) {
			t.Errorf("%s: %v; %v", c.program, err, e.Hint)
		}
	}
	f := browse(t, nil)
	for _, url := range []string{"file:///etc/passwd", "chrome://version", "about:blank", "data:text/html,x", "javascript:1", ""} {
		if _, err := f.Open(t.Context(), Request{URL: web.At(url)}); err == nil || !isFault(err) {
			t.Errorf("%q: %v", url, err)
		}
	}
	if f.process != nil {
		t.Error("a browser was started for nothing")
	}
}

// Without user namespaces the browser runs in its own sandbox, and as root, which that
// refuses, not at all.
func TestConfine(t *testing.T) {
	o := &Options{Environ: []string{"HOME=/home/x"}}
	dir := t.TempDir()
	for _, c := range []struct {
		support sandbox.Support
		user    int
		kind    sandbox.Kind
		own     bool
		network bool
		code    fault.Code
	}{
		{sandbox.Support{Namespaces: true, LandlockABI: 5, Seccomp: true}, 0, sandbox.Namespaces, false, true, ""},
		{sandbox.Support{Namespaces: true}, 1000, sandbox.Namespaces, false, true, ""},
		{sandbox.Support{LandlockABI: 5, Seccomp: true}, 1000, "", true, false, ""},
		{sandbox.Support{LandlockABI: 5, Seccomp: true}, 0, "", false, false, fault.SandboxUnavailable},
		{sandbox.Support{Reason: "because"}, 0, "", false, false, fault.SandboxUnavailable},
	} {
		got, err := confine(c.support, c.user, "/usr/bin/chromium", dir, o)
		if c.code != "" {
			if !fault.Is(err, c.code) || fault.As(err).Hint.IsZero() {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		kind := sandbox.Kind("")
		if got.sandbox != nil {
			kind = got.sandbox.Report().Kind
		}
		if err != nil || kind != c.kind || got.own != c.own || got.network != c.network {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}

// Profiles that a killed process left are removed with the next start, and those of others
// that live are not.
func TestSweep(t *testing.T) {
	kept, err := state.Open(t.TempDir(), t.TempDir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	living, err := newProfile(kept, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	dead, err := newProfile(kept, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dead.path, "cookie"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dead.release(); err != nil { // as the kernel does at its end
		t.Fatal(err)
	}
	third, err := newProfile(kept, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[*profile]bool{living: true, dead: false, third: true} {
		if _, err := os.Stat(p.path); (err == nil) != want {
			t.Errorf("%s: %v", p.path, err)
		}
	}
	living.remove()
	third.remove()
	if left, err := os.ReadDir(filepath.Dir(third.path)); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if left, err := kept.List(markers); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// A name that is public in one look-up and private in the next gains nothing.
func TestRebinding(t *testing.T) {
	c := newCanary(t, private)
	s := serve(t, map[string]http.HandlerFunc{
		"/": shell("%s", `<script type=module>await fetch("/moved"); for (let i = 0; i < 5; i++) await fetch("http://rebind.example:`+c.tcp+`/", { mode: "no-cors" }).catch(() => {}); app.textContent = "it " + "tried"</script>`),
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	look := newNames(t)
	s.Config.Handler.(*http.ServeMux).HandleFunc("/moved", func(http.ResponseWriter, *http.Request) { look.moved.Store(true) })
	f := browse(t, func(_ *Options, w *web.Options) {
		w.Resolver = look.resolver
		w.Allow = []netip.Prefix{netip.MustParsePrefix(open + "/32")}
	})
	p := f.see(t, "http://rebind.example:"+port+"/")
	if !strings.Contains(p.HTML, "it tried") || !look.moved.Load() || c.heard.Load() > 0 {
		t.Errorf("heard %d times: %v %s", c.heard.Load(), p.Warnings, p.HTML)
	}
}
