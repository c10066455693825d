package desk_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/cmd/desk"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// world is a desk that runs, with a workspace where changes of SOUL.md need a person.
type world struct {
	*host.Host
	t     *testing.T
	dir   string // the workspace
	url   string // of the server, without a path
	token string
	desk  *desk.Desk
	ended chan error
	end   context.CancelFunc
}

func open(t *testing.T, change func(*desk.Options)) *world {
	t.Helper()
	place := cmdtest.New(t)
	dir := place.Root
	put(t, place.Dirs.UserConfig, `{"rules":[{"path":"SOUL.md","write":"ask","edit":"ask"}]}`)
	put(t, filepath.Join(dir, "SOUL.md"), "old\n")
	h := place.Host(t, fault.English)
	h.NoInput = true
	options := desk.Options{
		Lang: fault.English, Version: "test", Current: h, Known: h.Workspaces, Log: slog.New(slog.DiscardHandler),
		Open: func(root string) desk.World {
			other := h.At(root)
			t.Cleanup(other.Close)
			return other
		},
	}
	if change != nil {
		change(&options)
	}
	d, err := desk.New(options)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url, token, _ := strings.Cut(d.Address(l), "/#token=")
	w := &world{Host: h, t: t, dir: dir, url: url, token: token, desk: d, ended: make(chan error, 1)}
	var ctx context.Context
	ctx, w.end = context.WithCancel(context.Background())
	go func() { w.ended <- d.Serve(ctx, l) }()
	t.Cleanup(func() {
		w.end()
		if err := <-w.ended; err != nil {
			t.Error(err)
		}
	})
	return w
}

func put(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// answer is a document of the server.
type answer struct {
	OK    bool            `json:"ok"`
	Data  json.RawMessage `json:"data"`
	Error struct {
		Code    fault.Code `json:"code"`
		Message string     `json:"message"`
	} `json:"error"`
}

// response is what a server says before the document.
type response struct {
	StatusCode int
	Status     string
	Header     http.Header
}

// request makes a request with the token, changed by change.
func (w *world) request(method, path, body string, change func(*http.Request)) (response, answer) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	if change != nil {
		change(r)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var a answer
	if got.Header.Get("Content-Type") == "application/json" {
		if err := json.Unmarshal(raw, &a); err != nil {
			w.t.Fatalf("%s %s: %v: %s", method, path, err, raw)
		}
	}
	return response{got.StatusCode, got.Status, got.Header}, a
}

// get asks for a document and stores its data.
func (w *world) get(path string, data any) {
	w.t.Helper()
	r, a := w.request("GET", path, "", nil)
	if !a.OK || r.StatusCode != http.StatusOK {
		w.t.Fatalf("%s: %s %+v", path, r.Status, a.Error)
	}
	if err := json.Unmarshal(a.Data, data); err != nil {
		w.t.Fatalf("%s: %v: %s", path, err, a.Data)
	}
}

// call makes a call of a tool as an agent does.
func (w *world) call(name, args string) guard.Outcome {
	w.t.Helper()
	env, catalog, err := w.Env()
	if err != nil {
		w.t.Fatal(err)
	}
	t, err := catalog.Find(name)
	if err != nil {
		w.t.Fatal(err)
	}
	return guard.Run(w.t.Context(), env, t, []byte(args))
}

// change is a call that needs a person.
const change = `{"path":"SOUL.md","old_text":"old","new_text":"new"}`

// ask makes a call that waits for a person, and returns the id of its request.
func (w *world) ask() string {
	w.t.Helper()
	if o := w.call("edit", change); o.Err == nil || o.Err.Code != fault.ApprovalRequired {
		w.t.Fatalf("%+v", o)
	}
	var all struct{ Approvals []approval.Request }
	w.get("/api/approvals", &all)
	return all.Approvals[0].ID
}

func (w *world) soul() string {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join(w.dir, "SOUL.md"))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(raw)
}

// Whoever is not the person's own page is refused, each for its own reason.
func TestRefusals(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, c := range map[string]struct {
		path   string
		change func(*http.Request)
		status int
		says   string
	}{
		"no token":           {"/api/approvals", func(r *http.Request) { r.Header.Del("Authorization") }, 401, "token"},
		"wrong token":        {"/api/approvals", header("Authorization", "Bearer "+strings.Repeat("A", 52)), 401, "token"},
		"token in the query": {"/api/approvals?token=" + w.token, func(r *http.Request) { r.Header.Del("Authorization") }, 401, "token"},
		"another scheme":     {"/api/approvals", header("Authorization", "Basic "+w.token), 401, "token"},
		"two tokens":         {"/api/approvals", func(r *http.Request) { r.Header.Add("Authorization", "Bearer x") }, 401, "token"},
		"events, no token":   {"/api/events", func(r *http.Request) { r.Header.Del("Authorization") }, 401, "token"},
		"unknown, no token":  {"/api/nothing", func(r *http.Request) { r.Header.Del("Authorization") }, 401, "token"},
		"foreign origin":     {"/api/approvals", header("Origin", "https://example.com"), 403, "example.com"},
		"another port":       {"/api/approvals", header("Origin", "http://127.0.0.1:1"), 403, "127.0.0.1:1"},
		"null origin":        {"/api/approvals", header("Origin", "null"), 403, "null"},
		"rebinding":          {"/", func(r *http.Request) { r.Host = "rebound.example" }, 403, "rebound.example"},
		"rebinding, api":     {"/api/approvals", func(r *http.Request) { r.Host = "rebound.example:80" }, 403, "rebound.example"},
		"a name that looks":  {"/", func(r *http.Request) { r.Host = "127.0.0.1.example" }, 403, "127.0.0.1.example"},
		"in a frame":         {"/", header("Sec-Fetch-Dest", "iframe"), 403, "no other page"},
		"embedded":           {"/", header("Sec-Fetch-Dest", "object"), 403, "no other page"},
		"of another site":    {"/api/approvals", header("Sec-Fetch-Site", "cross-site"), 403, "other pages"},
		"of the same site":   {"/api/approvals", header("Sec-Fetch-Site", "same-site"), 403, "other pages"},
	} {
		r, a := w.request("GET", c.path, "", c.change)
		if r.StatusCode != c.status || a.OK || a.Error.Code != fault.Denied || !strings.Contains(a.Error.Message, c.says) {
			t.Errorf("%s: %s %+v", name, r.Status, a.Error)
		}
	}
	own := func(r *http.Request) {
		r.Header.Set("Origin", w.url)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if r, a := w.request("GET", "/api/approvals", "", own); r.StatusCode != http.StatusOK || !a.OK {
		t.Errorf("the page itself: %s %+v", r.Status, a.Error)
	}
}

// The page can be shown by no other page, loads nothing from elsewhere, and is kept nowhere.
func TestHeaders(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	for _, path := range []string{"/", "/app.js", "/style.css", "/nothing", "/api/approvals"} {
		r, _ := w.request("GET", path, "", nil)
		policy := r.Header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: %q lacks %s", path, policy, part)
			}
		}
		for name, want := range map[string]string{
			"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin",
			"Access-Control-Allow-Origin": "",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s: %q, want %q", path, name, got, want)
			}
		}
	}
}

// The page asks for nothing that is not in the binary.
func TestAssets(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("assets/*")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	w := open(t, nil)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, foreign := range []string{"https://", "http://", "//cdn", "innerHTML", "eval(", "style=\""} {
			if bytes.Contains(bytes.ReplaceAll(raw, []byte("http://www.w3.org/2000/svg"), nil), []byte(foreign)) {
				t.Errorf("%s has %s", file, foreign)
			}
		}
		if r, _ := w.request("GET", "/"+filepath.Base(file), "", nil); r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", file, r.Status)
		}
	}
	if r, _ := w.request("GET", "/../desk.go", "", nil); r.StatusCode != http.StatusNotFound {
		t.Errorf("outside: %s", r.Status)
	}
}

// A ticket lets in once, and not later.
func TestTicket(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	w := open(t, func(o *desk.Options) { o.Now = func() time.Time { return now } })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	exchange := func(ticket string) (int, string) {
		r, a := w.request("POST", "/api/ticket", `{"ticket":"`+ticket+`"}`, func(r *http.Request) { r.Header.Del("Authorization") })
		var got struct{ Token string }
		_ = json.Unmarshal(a.Data, &got) // there is none with an error
		return r.StatusCode, got.Token
	}
	_, ticket, _ := strings.Cut(w.desk.Ticket(l), "#ticket=")
	if strings.Contains(w.desk.Ticket(l), w.token) {
		t.Error("the ticket is the token")
	}
	if status, token := exchange(ticket); status != http.StatusOK || token != w.token {
		t.Errorf("%d %q", status, token)
	}
	for name, ticket := range map[string]string{"again": ticket, "none": "", "a wrong one": "x"} {
		if status, token := exchange(ticket); status != http.StatusForbidden || token != "" {
			t.Errorf("%s: %d %q", name, status, token)
		}
	}
	_, ticket, _ = strings.Cut(w.desk.Ticket(l), "#ticket=")
	now = now.Add(2 * time.Minute)
	if status, token := exchange(ticket); status != http.StatusForbidden || token != "" {
		t.Errorf("later: %d %q", status, token)
	}
}

// A page learns of what happens, in every workspace.
func TestEvents(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/api/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	events := bufio.NewScanner(stream.Body)
	until := func(topic string) {
		t.Helper()
		for events.Scan() {
			if events.Text() == "event: "+topic {
				return
			}
		}
		t.Fatalf("the stream ended before %s: %v", topic, events.Err())
	}
	until("ready")
	w.call("write", `{"path":"SOUL.md","content":"new\n"}`)
	until("approvals")
	w.call("write", `{"path":"a.txt","content":"one\n"}`)
	until("history")
	other := w.At(t.TempDir())
	defer other.Close()
	if _, err := other.Workspace().State(); err != nil {
		t.Fatal(err)
	}
	if env, catalog, err := other.Env(); err != nil {
		t.Fatal(err)
	} else if tool, err := catalog.Find("write"); err != nil || guard.Run(t.Context(), env, tool, []byte(`{"path":"b","content":"c"}`)).Err != nil {
		t.Fatal(err)
	}
	until("workspaces")
	var all struct {
		Workspaces []struct {
			ID      string
			Current bool
		}
	}
	if w.get("/api/workspaces", &all); len(all.Workspaces) != 2 || !all.Workspaces[0].Current {
		t.Fatalf("%+v", all)
	}
	var page struct{ Total int }
	if w.get("/api/audit?workspace="+all.Workspaces[1].ID, &page); page.Total == 0 {
		t.Error("nothing is known of the other workspace")
	}
}

// A desk ends by itself once nobody has looked for so long.
func TestIdle(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *desk.Options) { o.Idle = 50 * time.Millisecond })
	err := <-w.ended
	if w.ended <- err; err != nil {
		t.Error(err)
	}
}

// A connection of which it cannot be said whose it is, or that helve has, gets nothing.
func TestPeer(t *testing.T) {
	t.Parallel()
	why := fault.T("a process that helve started")
	w := open(t, func(o *desk.Options) { o.Peer = func(net.Conn) fault.Text { return why } })
	for _, path := range []string{"/", "/app.js", "/api/approvals", "/api/events"} {
		if r, a := w.request("GET", path, "", nil); r.StatusCode != http.StatusForbidden || a.Error.Code != fault.Denied || !strings.Contains(a.Error.Message, "helve started") {
			t.Errorf("%s: %s %+v", path, r.Status, a.Error)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	if r, _ := w.request("POST", "/api/approvals/x/deny", strings.Repeat(" ", 65<<10), nil); r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %s", r.Status)
	}
	if r, _ := w.request("DELETE", "/api/approvals", "", nil); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("another method: %s", r.Status)
	}
	if r, _ := w.request("GET", "/api/approvals/x/approve", "", nil); r.StatusCode != http.StatusNotFound {
		t.Errorf("approving by GET: %s", r.Status)
	}
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for !so() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("never: %s", what)
		}
	}
}
