package browser

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/web"
)

// open is the address that the pages of the tests are at, and that pages may reach;
// private is one that they may not.
const (
	open    = "127.83.1.1"
	private = "127.83.1.2"
)

var support = sync.OnceValue(func() sandbox.Support { return native.Probe(sandbox.Cache{}) })

// fixture is a browser with a state directory of its own.
type fixture struct {
	*Browser
	state *state.Dir
	path  string
}

// browse returns a browser, and checks at the end that nothing is left of it.
func browse(t *testing.T, change func(*Options, *web.Options)) *fixture {
	t.Helper()
	if _, err := find(Auto, os.Environ()); err != nil {
		t.Skip("no chromium here")
	}
	if _, err := confine(support(), os.Geteuid(), "/usr/bin/chromium", t.TempDir(), &Options{}); err != nil {
		t.Skip("no sandbox for a browser here: " + err.Error())
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	kept, err := state.Open(filepath.Join(dir, "state"), root, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := kept.Directory(profiles)
	if err != nil {
		t.Fatal(err)
	}
	w := web.Options{Allow: []netip.Prefix{netip.MustParsePrefix(open + "/32")}}
	o := Options{Program: Auto, State: func() (*state.Dir, error) { return kept, nil }, Support: support, Environ: os.Environ()}
	if change != nil {
		change(&o, &w)
	}
	o.Client = web.New(w)
	f := &fixture{New(o), kept, path}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		nothingLeft(t, path)
	})
	return f
}

// nothingLeft checks that no profile is left, and no process of one.
func nothingLeft(t *testing.T, path string) {
	t.Helper()
	left, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("the profile %s is left", e.Name())
	}
	if pids := using(t, path); len(pids) > 0 {
		t.Errorf("processes are left: %v", pids)
	}
}

// see shows a page.
func (f *fixture) see(t *testing.T, url string) *Page {
	t.Helper()
	p, err := f.Open(t.Context(), Request{URL: web.At(url), Timeout: 2 * time.Minute})
	if err != nil {
		t.Fatalf("%s: %v; %v", url, err, fault.As(err).Hint)
	}
	return p
}

// serve serves pages at the open address, by path.
func serve(t *testing.T, pages map[string]http.HandlerFunc) *httptest.Server {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", open+":0")
	if err != nil {
		t.Skipf("this system has no address %s", open)
	}
	mux := http.NewServeMux()
	for path, page := range pages {
		mux.HandleFunc(path, page)
	}
	s := httptest.NewUnstartedServer(mux)
	_ = s.Listener.Close()
	s.Listener = l
	ctx, cancel := context.WithCancel(context.Background())
	s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	s.Start()
	t.Cleanup(func() { cancel(); s.CloseClientConnections(); s.Close() })
	return s
}

// says returns what serves a text of a type.
func says(mime, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mime)
		_, _ = io.WriteString(w, text)
	}
}

// shell returns what serves a page that is empty without its scripts.
func shell(format string, a ...any) http.HandlerFunc {
	return says("text/html; charset=utf-8", "<!doctype html><title>Shell</title><div id=app></div>"+fmt.Sprintf(format, a...))
}
