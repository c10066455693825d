package fetch

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/web/browser"
)

// shell is a page that is empty without its script.
const shell = `<!doctype html><html><head><title>Shell</title></head><body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>
<script>document.getElementById("root").innerHTML = "<main><h1>Greeting</h1><p>" + ["What", "a", "script", "wrote."].join(" ") + "</p></main>"</script></body></html>`

func serveShell(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = io.WriteString(w, shell)
}

// browse provides a browser to a world: that of the machine, or none.
func (w *world) browse(t *testing.T, program string) {
	t.Helper()
	dir, err := state.Open(t.TempDir(), w.root.Dir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := tool.Service[*web.Client](w.env)
	if err != nil {
		t.Fatal(err)
	}
	b := browser.New(browser.Options{
		Program: program, Client: client, Environ: os.Environ(), State: func() (*state.Dir, error) { return dir, nil },
		Support: func() sandbox.Support { return native.Probe(sandbox.Cache{}) },
	})
	t.Cleanup(func() { _ = b.Close() })
	tool.Provide(w.env, func() (*browser.Browser, error) { return b, nil })
}

func TestRenderBrowserless(t *testing.T) {
	w := newWorld(t, serveShell)
	w.browse(t, "")
	r, err := w.fetch(nil)
	if err != nil || r.Rendered || !strings.Contains(strings.Join(w.warnings, "\n"), "helve config set web.browser auto") {
		t.Errorf("%+v, %v, %q", r, err, w.warnings)
	}
	if len(w.warnings) != 2 || !strings.Contains(w.warnings[0], "the page is empty until its scripts run") {
		t.Errorf("what the page lacks is not said first: %q", w.warnings)
	}
	if r, err = w.fetch(func(a *Args) { a.Render = "never" }); err != nil || r.Rendered || strings.Contains(strings.Join(w.warnings, "\n"), "helve config set") {
		t.Errorf("%+v, %v, %q", r, err, w.warnings)
	}
	for _, change := range []func(*Args){func(a *Args) { a.Render = "always" }, func(a *Args) { a.Screenshot = true }} {
		if _, err = w.fetch(change); !fault.Is(err, fault.NotConfigured) || fault.As(err).Hint.IsZero() {
			t.Errorf("%v", err)
		}
	}
	w.browse(t, "/nonexistent/chromium")
	if r, err = w.fetch(nil); err != nil || r.Rendered || len(w.warnings) < 2 {
		t.Errorf("%+v, %v, %q", r, err, w.warnings)
	}
	if _, err = w.fetch(func(a *Args) { a.Render = "always" }); err == nil {
		t.Error("there is a browser that is not there")
	}
}

func TestRenderBrowser(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no chromium here")
	}
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/text" {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, "plain")
			return
		}
		w.Header().Set("Cache-Control", "max-age=3600")
		serveShell(w, r)
	})
	w.browse(t, browser.Auto)
	r, err := w.fetch(func(a *Args) { a.Timeout = 120 })
	if err != nil || !r.Rendered || r.Title != "Shell" || !strings.Contains(r.Content, "What a script wrote.") || r.Cached || r.Media != nil {
		t.Fatalf("%+v, %v, %q", r, err, w.warnings)
	}
	sum := r.SHA
	if r, err = w.fetch(func(a *Args) { a.Render = "never" }); err != nil || r.Rendered || r.SHA == sum || strings.Contains(r.Content, "What a script wrote.") {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = w.fetch(func(a *Args) { a.Screenshot, a.Timeout = true, 120 }); err != nil || !r.Rendered || len(r.Media) != 1 || r.SHA != sum {
		t.Fatalf("%+v, %v", r, err)
	}
	if m := r.Media[0]; m.Path == "" || m.MIME != "image/png" || m.Width != 1280 || m.Height != 900 {
		t.Errorf("%+v", m)
	}
	w.url += "/text"
	if r, err = w.fetch(func(a *Args) { a.Render = "always" }); err != nil || r.Rendered || r.Content != "plain" || len(w.warnings) != 1 {
		t.Errorf("%+v, %v, %q", r, err, w.warnings)
	}
}
