package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/mcp/server"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

const token = "0123456789abcdefghijklmnopqrstuvwxyz"

// site is a server that listens.
type site struct {
	t       *testing.T
	url     string
	end     context.CancelFunc
	ended   chan error
	entered chan struct{} // gets one for each call of hang that began
	left    chan error    // gets why each ended
}

// listen serves the tools of a workspace, and two more: hang waits for the end of its call,
// session returns the name of the session.
func listen(t *testing.T, o server.HTTP) *site {
	t.Helper()
	s := &site{t: t, ended: make(chan error, 1), entered: make(chan struct{}, 1000), left: make(chan error, 1000)}
	hang := tool.New(tool.Def[struct{}, struct{}]{Name: "hang", Risk: policy.Read, Doc: "Wait.", Run: func(ctx context.Context, _ *tool.Call, _ struct{}) (struct{}, error) {
		s.entered <- struct{}{}
		<-ctx.Done()
		s.left <- context.Cause(ctx)
		return struct{}{}, context.Cause(ctx)
	}})
	session := tool.New(tool.Def[struct{}, string]{Name: "session", Risk: policy.Read, Doc: "Name the session.", Run: func(_ context.Context, c *tool.Call, _ struct{}) (string, error) {
		return c.Env.Session, nil
	}})
	a := newAsking(t, tools.Custom{Name: "hang", Tool: hang}, tools.Custom{Name: "session", Tool: session})
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	s.end, s.url = end, "http://"+l.Addr().String()+server.Path
	go func() { s.ended <- server.New(a.options).Listen(ctx, l, o) }()
	t.Cleanup(func() {
		end()
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

// bearer sends the token with each request.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

// client connects a client of a revision.
func (s *site) client(era string) *mcp.ClientSession {
	s.t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "judge", Version: "1"}, nil)
	session, err := c.Connect(s.t.Context(), &mcp.StreamableClientTransport{Endpoint: s.url, HTTPClient: &http.Client{Transport: bearer{}}}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return session
}

// called returns the text of a call's result.
func called(t *testing.T, c *mcp.ClientSession, name string) string {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
	if err != nil || r.IsError || len(r.Content) != 1 {
		t.Fatalf("%s: %v %+v", name, err, r)
	}
	return r.Content[0].(*mcp.TextContent).Text
}

// ask sends a request with headers, "NAME: VALUE" each, besides those that every client
// sends. A header without a value is not sent.
func (s *site) ask(method, body string, headers ...string) (status int, header http.Header, text string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		switch value = strings.TrimSpace(value); {
		case name == "Host":
			r.Host = value
		case name == "Path":
			r.URL.Path = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Add(name, value)
		}
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(b)
}

// request returns a request of the newer protocol, with the headers that belong to it.
func request(name, version string) (body string, headers []string) {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{}}}}`, name, version),
		[]string{"Mcp-Protocol-Version: " + version, "Mcp-Method: tools/call", "Mcp-Name: " + name}
}

// opening is the first request of an older protocol.
const opening = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"judge","version":"1"}}}`

// TestGate sends requests that were not meant for the server, or not sent by somebody who
// may, and those that are.
func TestGate(t *testing.T) {
	s := listen(t, server.HTTP{Token: token, Hosts: []string{"tools.example"}, Origins: []string{"https://page.example/"}})
	port := s.url[strings.LastIndex(s.url, ":")+1 : strings.LastIndex(s.url, "/")]
	body, modernHeaders := request("session", modern)
	for _, c := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"token", nil, 200},
		{"scheme in capitals", []string{"Authorization:", "Authorization: BEARER " + token}, 200},
		{"no token", []string{"Authorization:"}, 401},
		{"another token", []string{"Authorization:", "Authorization: Bearer " + strings.ToUpper(token)}, 401},
		{"begin of the token", []string{"Authorization:", "Authorization: Bearer " + token[:20]}, 401},
		{"more than the token", []string{"Authorization:", "Authorization: Bearer " + token + "0"}, 401},
		{"empty token", []string{"Authorization:", "Authorization: Bearer"}, 401},
		{"another scheme", []string{"Authorization:", "Authorization: Basic " + token}, 401},
		{"two tokens", []string{"Authorization: Bearer " + token}, 401},
		{"token in the address", []string{"Authorization:", "Path: /mcp?access_token=" + token}, 404},

		{"localhost", []string{"Host: localhost:" + port}, 200},
		{"IPv6", []string{"Host: [::1]:" + port}, 200},
		{"another port, as of a proxy", []string{"Host: 127.0.0.1:1"}, 200},
		{"allowed host", []string{"Host: Tools.example"}, 200},
		{"foreign host", []string{"Host: evil.example:" + port}, 403},
		{"host that begins like one of this machine", []string{"Host: localhost.evil.example"}, 403},
		{"host that begins like an address", []string{"Host: 127.0.0.1.evil.example"}, 403},
		{"address of another machine", []string{"Host: 192.0.2.1:" + port}, 403},
		{"any address", []string{"Host: 0.0.0.0:" + port}, 403},

		{"page of this machine", []string{"Origin: http://localhost:3000"}, 200},
		{"allowed page", []string{"Origin: https://page.example"}, 200},
		{"foreign page", []string{"Origin: https://evil.example"}, 403},
		{"page of another scheme", []string{"Origin: http://page.example"}, 403},
		{"page without an origin", []string{"Origin: null"}, 403},
		{"file", []string{"Origin: file://"}, 403},
		{"name of this machine before another", []string{"Origin: http://localhost@evil.example"}, 403},
		{"two origins", []string{"Origin: http://localhost", "Origin: https://evil.example"}, 403},
		{"another path", []string{"Path: /"}, 404},
		{"below the path", []string{"Path: /mcp/"}, 404},
		{"text", []string{"Content-Type:", "Content-Type: text/plain"}, 415},
		{"form", []string{"Content-Type:", "Content-Type: application/x-www-form-urlencoded"}, 415},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, header, text := s.ask("POST", body, append(c.headers, modernHeaders...)...)
			if status != c.status || status == 200 != strings.Contains(text, `"result"`) || strings.Contains(text, token) {
				t.Errorf("%d, want %d: %s", status, c.status, text)
			}
			if (status == 401) != strings.HasPrefix(header.Get("WWW-Authenticate"), "Bearer ") {
				t.Errorf("%d: %v", status, header)
			}
			if status == 403 && header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("a refused page may read: %v", header)
			}
		})
	}
}

// TestMethods sends what is no call.
func TestMethods(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	for _, c := range []struct {
		method, body string
		headers      []string
		status       int
	}{
		{"GET", "", []string{"Mcp-Protocol-Version: " + modern}, 405},
		{"GET", "", nil, 400},
		{"DELETE", "", []string{"Mcp-Protocol-Version: " + modern}, 405},
		{"DELETE", "", []string{"Mcp-Session-Id: NOSUCHSESSION"}, 404},
		{"PUT", opening, nil, 405},
		{"PATCH", opening, nil, 405},
		{"OPTIONS", "", nil, 405},
		{"OPTIONS", "", []string{"Authorization:", "Origin: http://localhost:3000", "Access-Control-Request-Method: POST"}, 204},
		{"OPTIONS", "", []string{"Authorization:", "Origin: https://evil.example", "Access-Control-Request-Method: POST"}, 403},
		{"OPTIONS", "", []string{"Authorization:"}, 401},
		{"POST", "", nil, 400},
		{"POST", "{", nil, 400},
		{"POST", "[]", nil, 400},
		{"POST", "null", nil, 400},
		{"POST", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, 400},
		{"POST", "\xff\xfe", nil, 400},
		{"POST", strings.Repeat("[", 1<<20), nil, 400},
		{"POST", strings.Repeat(`{"a":`, 1<<16), []string{"Mcp-Protocol-Version: " + modern}, 400},
		{"POST", opening, []string{"Mcp-Protocol-Version: 1999-01-01"}, 400},
		{"POST", opening, []string{"Mcp-Session-Id: NOSUCHSESSION"}, 404},
	} {
		if status, _, text := s.ask(c.method, c.body, c.headers...); status != c.status {
			t.Errorf("%s %.60s %v: %d, want %d: %s", c.method, c.body, c.headers, status, c.status, text)
		}
	}
}

// TestRevisions has clients of all revisions speak with one server.
func TestRevisions(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	seen := map[string]string{}
	for _, era := range []string{"2025-06-18", legacy, legacy, modern} {
		c := s.client(era)
		listed, err := c.ListTools(t.Context(), nil)
		if err != nil || len(listed.Tools) < 5 || c.InitializeResult().ProtocolVersion != era {
			t.Fatalf("%s: %v, %+v", era, err, c.InitializeResult())
		}
		name := called(t, c, "session")
		if called(t, c, "session") != name {
			t.Errorf("%s: the session is another at the next call", era)
		}
		if other, known := seen[name]; known {
			t.Errorf("clients of %s and %s are in one session %s", era, other, name)
		}
		if id := c.ID(); era != modern && (id == "" || strings.Contains(name, id)) || era == modern && name != `"s"` && name != "s" {
			t.Errorf("%s: session %s of client %s", era, name, id)
		}
		seen[name] = era
	}
}

// TestVersions contradicts a request by its headers.
func TestVersions(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	for _, c := range []struct {
		name, header, body string
		status             int
		code               string
	}{
		{"newer", modern, modern, 200, "result"},
		{"newer in the body only", legacy, modern, 400, "-32022"},
		{"newer in the header only", modern, legacy, 400, "-32020"},
		{"unknown", "2999-01-01", "2999-01-01", 400, "-32022"},
		{"not a date", "zzz", "zzz", 400, "-32022"},
	} {
		body, headers := request("session", c.body)
		headers[0] = "Mcp-Protocol-Version: " + c.header
		if status, _, text := s.ask("POST", body, headers...); status != c.status || !strings.Contains(text, c.code) {
			t.Errorf("%s: %d, want %d %s: %s", c.name, status, c.status, c.code, text)
		}
	}
}

// TestManyRequests answers all of many requests at the same time.
func TestManyRequests(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	clients := []*mcp.ClientSession{s.client(legacy), s.client(modern)}
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			r, err := clients[i%2].CallTool(t.Context(), &mcp.CallToolParams{Name: "session", Arguments: map[string]any{}})
			if err != nil || r.IsError {
				t.Errorf("%v %+v", err, r)
			}
		})
	}
	all.Wait()
}

// TestEnd ends the server while calls run: they end, and are answered.
func TestEnd(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	answers := make(chan string, 2)
	for _, era := range []string{legacy, modern} {
		c := s.client(era)
		go func() {
			r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: "hang", Arguments: map[string]any{}})
			if err != nil {
				answers <- era + ": " + err.Error()
				return
			}
			answers <- r.Content[0].(*mcp.TextContent).Text
		}()
		<-s.entered
	}
	s.end()
	for range 2 {
		if text := <-answers; !strings.Contains(text, "canceled") {
			t.Error(text)
		}
	}
}

// TestVanishedClient drops the connection of a call that runs. Without sessions, the call
// ends with it.
func TestVanishedClient(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	ctx, vanish := context.WithCancel(t.Context())
	body, headers := request("hang", modern)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	go func() {
		<-s.entered
		vanish()
	}()
	if res, err := http.DefaultTransport.RoundTrip(r); err == nil {
		_ = res.Body.Close()
	}
	<-s.left
}

// blanks is a body that does not end.
type blanks struct{}

func (blanks) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// TestLargeRequests sends more than a request may have: announced, and not.
func TestLargeRequests(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	for name, length := range map[string]int64{"announced": 100 << 20, "endless": -1} {
		for shown, want := range map[string]int{token: 413, "no" + token: 401} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, blanks{})
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = length
			r.Header = http.Header{"Authorization": {"Bearer " + shown}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Expect": {"100-continue"}}
			res, err := (&http.Transport{ExpectContinueTimeout: time.Minute}).RoundTrip(r)
			if err != nil {
				// The server closed the connection: then its answer may be lost.
				if name == "announced" {
					t.Error(err)
				}
				continue
			}
			_ = res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("%s: %d, want %d", name, res.StatusCode, want)
			}
		}
	}
	if name := called(t, s.client(modern), "session"); name == "" {
		t.Error("the server does not answer any more")
	}
}

// event is one of a stream.
type event struct{ id, data string }

// events returns those of a stream, until it ends or enough says so.
func events(t *testing.T, stream io.Reader, enough func(event) bool) (all []event) {
	t.Helper()
	lines := bufio.NewScanner(stream)
	var e event
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "data":
			e.data = value
		case "":
			all = append(all, e)
			if enough(e) {
				return all
			}
			e = event{}
		}
	}
	return all
}

// TestLostConnection drops the connection of a call that runs in a session. The call goes
// on, the client fetches the result, and a stranger does not.
func TestLostConnection(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	_, header, _ := s.ask("POST", opening)
	id := "Mcp-Session-Id: " + header.Get("Mcp-Session-Id")
	version := "Mcp-Protocol-Version: " + legacy
	if status, _, text := s.ask("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, id, version); status != 202 {
		t.Fatalf("%d %s", status, text)
	}
	ctx, lose := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"hang","arguments":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Session-Id": {header.Get("Mcp-Session-Id")}, "Mcp-Protocol-Version": {legacy}}
	res, err := bearer{}.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	first := events(t, res.Body, func(e event) bool { return e.id != "" })
	<-s.entered
	lose()
	_ = res.Body.Close()

	for _, foreign := range []string{"Mcp-Session-Id: NOSUCHSESSION", "Authorization:"} {
		headers := []string{version, "Last-Event-ID: " + first[0].id, foreign}
		if foreign == "Authorization:" {
			headers = append(headers, id)
		}
		if status, _, text := s.ask("GET", "", headers...); status != 404 && status != 401 {
			t.Errorf("%s: %d %s", foreign, status, text)
		}
	}
	if len(s.left) > 0 {
		t.Error("the call ended with its connection")
	}
	if status, _, text := s.ask("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, id, version); status != 202 {
		t.Fatalf("%d %s", status, text)
	}
	<-s.left
	// The stream may not be released yet by the connection that was lost.
	var status int
	var text string
	for status, _, text = s.ask("GET", "", id, version, "Last-Event-ID: "+first[0].id); status == 409; {
		status, _, text = s.ask("GET", "", id, version, "Last-Event-ID: "+first[0].id)
	}
	if got := events(t, strings.NewReader(text), func(event) bool { return false }); status != 200 || len(got) != 1 || !strings.Contains(got[0].data, `"id":7`) {
		t.Errorf("%d %s", status, text)
	}
}

// TestDeletedSession ends a session in which a call runs: the call ends, and the session
// answers nobody.
func TestDeletedSession(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	c := s.client(legacy)
	go func() {
		_, _ = c.CallTool(context.Background(), &mcp.CallToolParams{Name: "hang", Arguments: map[string]any{}}) // fails either way
	}()
	<-s.entered
	id := "Mcp-Session-Id: " + c.ID()
	if status, _, text := s.ask("DELETE", "", id); status != 204 {
		t.Errorf("%d %s", status, text)
	}
	<-s.left
	if status, _, _ := s.ask("POST", `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, id, "Mcp-Protocol-Version: "+legacy); status != 404 {
		t.Error(status)
	}
}

// TestSharedSession has two clients use one session with the same ids of requests.
func TestSharedSession(t *testing.T) {
	s := listen(t, server.HTTP{Token: token})
	c := s.client(legacy)
	headers := []string{"Mcp-Session-Id: " + c.ID(), "Mcp-Protocol-Version: " + legacy}
	ctx, lose := context.WithCancel(t.Context())
	defer lose()
	go func() {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(`{"jsonrpc":"2.0","id":"same","method":"tools/call","params":{"name":"hang","arguments":{}}}`))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Session-Id": {c.ID()}, "Mcp-Protocol-Version": {legacy}}
		if res, err := (bearer{}).RoundTrip(r); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
	}()
	<-s.entered
	if status, _, text := s.ask("POST", `{"jsonrpc":"2.0","id":"same","method":"tools/list"}`, headers...); status != 400 {
		t.Errorf("%d %s", status, text)
	}
	if status, _, text := s.ask("POST", `{"jsonrpc":"2.0","id":"another","method":"tools/list"}`, headers...); status != 200 || !strings.Contains(text, `"id":"another"`) {
		t.Errorf("%d %s", status, text)
	}
}
