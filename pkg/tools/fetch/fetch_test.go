package fetch

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is an environment with a workspace, a cache and a server of the test's own.
type world struct {
	env      *tool.Env
	url      string
	warnings []string
	root     *workspace.Root
}

func newWorld(t *testing.T, handler http.HandlerFunc) *world {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	root, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	dir, err := state.Open(t.TempDir(), root.Dir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := web.New(web.Options{AllowPrivate: true, Cache: func() (*state.Cache, error) { return dir.Cache("web", 64<<20), nil }})
	w := &world{url: s.URL, root: root}
	w.env = &tool.Env{Session: "test", Root: func() (*workspace.Root, error) { return root, nil }}
	tool.Provide(w.env, func() (*web.Client, error) { return client, nil })
	return w
}

// fetch calls the tool with the defaults that the schema gives.
func (w *world) fetch(change func(*Args)) (Result, error) {
	w.warnings = nil
	var a Args
	if _, err := Tool.Decode([]byte(`{"url":"`+w.url+`"}`), &a); err != nil {
		return Result{}, err
	}
	if change != nil {
		change(&a)
	}
	call := tool.NewCall(w.env, Tool, nil)
	r, err := run(context.Background(), call, a)
	if err != nil {
		r.Page = &Page{} // so that a test that goes on does not crash
	}
	for _, text := range call.Warnings() {
		w.warnings = append(w.warnings, text.In(fault.English))
	}
	return r, err
}

func send(status int, mime, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mime)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

const article = `<!doctype html><html lang=en><title>Kettles | Notes</title><meta name=author content="Ida"><body><nav><a href=/>Home</a></nav><main>
<p>A kettle is a pot with a spout, a lid and a handle, and it is the one thing in the kitchen that says when it is done.</p>
<p>It does so by whistling, which is <a href="/steam">steam</a> in a hurry, and no louder than it has to be. <img src=k.png alt="A kettle"></p></main>`

func TestPage(t *testing.T) {
	w := newWorld(t, send(200, "text/html; charset=utf-8", article))
	r, err := w.fetch(func(a *Args) { a.Links, a.Images = true, true })
	if err != nil {
		t.Fatal(err)
	}
	want := Page{
		URL: w.url + "/", FinalURL: w.url + "/", Status: 200, MIME: "text/html", Title: "Kettles | Notes", Byline: "Ida", Language: "en", Untrusted: true,
		Excerpt:   "A kettle is a pot with a spout, a lid and a handle, and it is the one thing in the kitchen that says when it is done.",
		Content:   "A kettle is a pot with a spout, a lid and a handle, and it is the one thing in the kitchen that says when it is done.\n\nIt does so by whistling, which is [steam](" + w.url + "/steam) in a hurry, and no louder than it has to be. ![A kettle](" + w.url + "/k.png)\n",
		Format:    page.Markdown,
		Extractor: "readability", Kept: 0.98,
		Links:  []page.Link{{Text: "steam", URL: w.url + "/steam"}},
		Images: []page.Image{{Alt: "A kettle", URL: w.url + "/k.png"}},
	}
	want.SHA, want.TotalChars = r.SHA, len(want.Content)
	if diff := cmp.Diff(Result{Page: &want}, r); diff != "" || len(r.SHA) != 16 || len(w.warnings) != 0 {
		t.Errorf("(- want, + got):\n%s%v", diff, w.warnings)
	}
	if r, err := w.fetch(func(a *Args) { a.Main = false }); err != nil || !strings.Contains(r.Content, "Home") || r.Extractor != "full" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := w.fetch(func(a *Args) { a.Format = "raw" }); err != nil || r.Content != article || r.Format != page.Raw {
		t.Errorf("%+v, %v", r, err)
	}
}

// The parts of a page are those of the same bytes, whatever the server says next.
func TestParts(t *testing.T) {
	var requests atomic.Int32
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		n := requests.Add(1)
		var b strings.Builder
		for i := range 400 {
			fmt.Fprintf(&b, "<h2>Chapter %d of %d</h2><p>Wörter über Wörter, and what they mean, at some length and with a comma.</p><pre>code(%d)</pre><ul><li>one<li>two</ul>", i, n, i)
		}
		send(200, "text/html; charset=utf-8", "<title>Book</title><main>"+b.String())(w, r)
	})
	all, err := w.fetch(func(a *Args) { a.MaxChars = 400_000 })
	if err != nil || all.Truncated || all.NextStart != 0 {
		t.Fatal(err, all.Truncated)
	}
	var joined strings.Builder
	start, parts := 0, 0
	for {
		r, err := w.fetch(func(a *Args) { a.Start, a.MaxChars = start, 3000 })
		if err != nil {
			t.Fatal(err)
		}
		if start == 0 { // which may be asked for anew
			all = r
		}
		if r.SHA != all.SHA || r.Start != start || r.Truncated != (r.NextStart > 0) {
			t.Fatalf("part %d is of another document: %+v", parts, r)
		}
		joined.WriteString(r.Content)
		parts++
		if r.NextStart == 0 {
			break
		}
		start = r.NextStart
		if !strings.HasPrefix(r.Content, "## Chapter") && !strings.HasPrefix(r.Content, "```") && !strings.HasPrefix(r.Content, "- ") && !strings.HasPrefix(r.Content, "W") {
			t.Errorf("part %d begins inside a block: %.40q", parts, r.Content)
		}
	}
	before := requests.Load()
	whole, err := w.fetch(func(a *Args) { a.Start, a.MaxChars = 1, 400_000 }) // from the cache
	if err != nil || requests.Load() != before {
		t.Fatal(err, requests.Load())
	}
	if joined.String()[1:] != whole.Content || parts < 5 {
		t.Errorf("%d parts are not the whole", parts)
	}
	if _, err := w.fetch(func(a *Args) { a.Start = 1 << 30 }); !fault.Is(err, fault.OutOfRange) {
		t.Errorf("a start behind the end: %v", err)
	}
}

func picture(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 7, 5))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestImages(t *testing.T) {
	data := picture(t)
	w := newWorld(t, send(200, "application/octet-stream", data))
	r, err := w.fetch(nil)
	if err != nil || len(r.Media) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	m := r.Media[0]
	if m.MIME != "image/png" || m.Bytes != int64(len(data)) || m.Width != 7 || m.Height != 5 || !strings.HasPrefix(m.Path, ".helve/artifacts/test/") || !strings.HasSuffix(m.Path, ".png") {
		t.Errorf("%+v", m)
	}
	kept, err := os.ReadFile(filepath.Join(w.root.Dir(), filepath.FromSlash(m.Path)))
	if err != nil || string(kept) != data {
		t.Errorf("%d bytes were kept, %v", len(kept), err)
	}
	w.env.ReadOnly = true
	if r, err := w.fetch(nil); err != nil || r.Media[0].Path != "" || r.Media[0].Width != 7 || len(w.warnings) != 1 {
		t.Errorf("%+v, %v, %v", r.Media, err, w.warnings)
	}
}

func TestWhatIsNoPage(t *testing.T) {
	for _, c := range []struct{ mime, body, told string }{
		{"text/html", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "video/mp4"},
		{"text/plain", "Rar!\x1a\x07\x01\x00\x00\x01", "application/vnd.rar"},
		{"application/x-thing", "\x00\x00\x01\x02\x03\xff\x00\xfe", "application/x-thing"},
		{"", "\x7fELF\x02\x01\x01\x00\x00", "ELF"},
	} {
		w := newWorld(t, send(200, c.mime, c.body))
		for _, format := range []string{"markdown", "raw"} {
			_, err := w.fetch(func(a *Args) { a.Format = format })
			if err == nil {
				t.Fatalf("%s as %s was read", c.told, format)
			}
			e := fault.As(err)
			details, _ := e.Details.(map[string]any)
			if e.Code != fault.UnsupportedContent || details["bytes"] != int64(len(c.body)) || c.told != "ELF" && details["mime"] != c.told {
				t.Errorf("%s as %s: %v %v", c.told, format, err, details)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ mime, body, want, extractor string }{
		{"text/html; charset=windows-1252", "<p>caf\xe9", "café\n", "readability"},
		{"text/html", `<meta charset=shift_jis><p>` + "\x93\xfa\x96\x7b", "日本\n", "readability"},
		{"application/json", `{"a":1.0}`, "{\n  \"a\": 1.0\n}\n", "none"},
		{"text/csv", "a,b\n1,2\n", "a,b\n1,2\n", "none"},
		{"application/octet-stream", "plain text", "plain text", "none"},
		{"image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<svg xmlns='http://www.w3.org/2000/svg'/>", "none"},
		{"text/html", "", "", "full"},
	} {
		w := newWorld(t, send(200, c.mime, c.body))
		r, err := w.fetch(nil)
		if err != nil || r.Content != c.want || c.body != "" && r.Extractor != c.extractor {
			t.Errorf("%s: %q by %s, %v", c.mime, r.Content, r.Extractor, err)
		}
		if (c.body == "") != (len(w.warnings) == 1) {
			t.Errorf("%s %q: %v", c.mime, c.body, w.warnings)
		}
	}
}

// A part of a page that may have changed since the part before says so.
func TestPartsOfWhatIsNotKept(t *testing.T) {
	for control, warned := range map[string]bool{"no-store": true, "no-cache": false, "": false} {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", control)
			send(200, "text/html", "<title>Long</title><main>"+strings.Repeat("<p>Many words of one paragraph.", 100))(w, r)
		})
		first, err := w.fetch(func(a *Args) { a.MaxChars = 500 })
		if err != nil || first.NextStart == 0 || len(w.warnings) > 0 {
			t.Fatalf("%s: %d, %v, %v", control, first.NextStart, w.warnings, err)
		}
		second, err := w.fetch(func(a *Args) { a.MaxChars, a.Start = 500, first.NextStart })
		if err != nil || second.SHA != first.SHA || second.Cached == warned || (len(w.warnings) == 1) != warned {
			t.Errorf("%s: %v, %v", control, w.warnings, err)
		}
	}
}

// A missing page with a status of success is a result with a warning; with the status
// that is meant for it, it is a fault.
func TestSuccessThatIsNone(t *testing.T) {
	const gone = "<title>Page not found | Shop</title><h1>Page not found</h1><p>Perhaps it was sold.</p>"
	w := newWorld(t, send(200, "text/html", gone))
	r, err := w.fetch(nil)
	if err != nil || !strings.Contains(r.Content, "Perhaps it was sold") || len(w.warnings) != 1 || !strings.Contains(w.warnings[0], "does not exist") {
		t.Errorf("%+v, %v, %q", r, err, w.warnings)
	}
	w = newWorld(t, send(404, "text/html", gone))
	if _, err := w.fetch(nil); fault.As(err).Code != fault.HTTPStatus || len(w.warnings) != 0 {
		t.Errorf("%v, %q", err, w.warnings)
	}
}
