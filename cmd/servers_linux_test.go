package cmd_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// server is a kind of server, which says "hello" to whom asks it by a command.
type server struct {
	name, needs string // a program, or a package of node
	command     string // that starts it
	asks        string
	url         string // that fetch reads, if it speaks HTTP
	port        int    // of TCP; 0 is none
}

// servers are those that this machine has programs for. Their files are put into a workspace.
func servers(t *testing.T, dir string) (all []server) {
	t.Helper()
	modules := os.Getenv("HELVE_NODE_MODULES")
	if modules != "" { // which may be in a temporary or a home directory, where commands see their own
		if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "config", "set", "exec.readable", cmdtest.JSON([]string{modules}))); !a.OK {
			t.Fatalf("%+v", a)
		}
	}
	put := func(name, content string) { cmdtest.Put(t, dir, name, content) }
	if err := os.Mkdir(filepath.Join(dir, "site"), 0o755); err != nil {
		t.Fatal(err)
	}
	put("site/index.html", "<p>hello</p>")
	put("streams.py", `import asyncio
async def main():
    async def hello(r, w):
        await r.read(100); w.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"); await w.drain(); w.close()
    async with await asyncio.start_server(hello, "localhost", 8002) as s: await s.serve_forever()
asyncio.run(main())`)
	put("database.py", `import socketserver, sqlite3
db = sqlite3.connect("data.db"); db.execute("create table if not exists t(v)"); db.execute("insert into t values('hello')")
class H(socketserver.StreamRequestHandler):
    def handle(self): self.wfile.write(db.execute(self.rfile.readline().decode()).fetchone()[0].encode())
socketserver.TCPServer(("127.0.0.1", 8003), H).serve_forever()`)
	put("query.py", `import socket
s = socket.create_connection(("127.0.0.1", 8003)); s.sendall(b"select v from t\n"); print(s.recv(99).decode())`)
	put("ping.py", `import socket
s = socket.create_connection(("127.0.0.1", 8012))
s.sendall(b"PING hello\r\n"); print(s.recv(99).decode())`)
	put("datagrams.py", `import socket
s = socket.socket(type=socket.SOCK_DGRAM); s.bind(("127.0.0.1", 8004))
while True: s.sendto(b"hello", s.recvfrom(99)[1])`)
	put("datagram.py", `import socket
s = socket.socket(type=socket.SOCK_DGRAM); s.settimeout(2); s.connect(("127.0.0.1", 8004)); s.send(b"?"); print(s.recv(99).decode())`)
	put("named.py", `import socket
s = socket.socket(socket.AF_UNIX); s.bind("database.sock"); s.listen()
while True: c, _ = s.accept(); c.sendall(b"hello"); c.close()`)
	put("name.py", `import socket
s = socket.socket(socket.AF_UNIX); s.connect("database.sock"); print(s.recv(99).decode())`)
	put("server.js", `require("http").createServer((q, a) => a.end("hello")).listen(8006, "localhost")`)
	put("client.js", `fetch("http://localhost:8006/").then(r => r.text()).then(console.log)`)
	put("express.js", `const app = require("`+modules+`/express")(); app.get("/", (q, a) => a.send("hello")); app.listen(8007)`)
	put("ws.js", `const { WebSocketServer } = require("`+modules+`/ws"); new WebSocketServer({ port: 8008 }).on("connection", s => s.send("hello"))`)
	put("wsclient.js", `const s = new (require("`+modules+`/ws"))("ws://localhost:8008"); s.on("message", m => { console.log(m + ""); s.close() })`)
	put("vite.config.mjs", `export default { server: { port: 8009, strictPort: true }, root: "site", cacheDir: "../vite" }`)
	put("hello.pl", `use IO::Socket::INET; my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:8010", Listen => 5, ReuseAddr => 1) or die;
while (my $c = $s->accept) { print $c "hello"; close $c }`)
	put("ask.pl", `use IO::Socket::INET; print readline(IO::Socket::INET->new("127.0.0.1:8010") or die "$@")`)
	put("hello.go", `package main
import ("fmt"; "net/http")
func main() { http.ListenAndServe("localhost:8011", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })) }`)
	if _, err := exec.LookPath("go"); err == nil {
		if out, err := cmdtest.In(dir, exec.Command("go", "build", "-o", "hello", "hello.go")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for _, s := range []server{
		{"http.server", "python3", "python3 -m http.server 8000 -d site", "curl -sS localhost:8000", "http://localhost:8000/", 8000},
		{"http.server on IPv6", "python3", "python3 -m http.server 8001 -d site --bind ::1", "curl -sS 'http://[::1]:8001'", "http://[::1]:8001/", 8001},
		{"asyncio", "python3", "python3 streams.py", "curl -sS http://localhost:8002/", "http://127.0.0.1:8002/", 8002},
		{"database", "python3", "python3 database.py", "python3 query.py", "", 8003},
		{"datagrams", "python3", "python3 datagrams.py", "python3 datagram.py", "", 0},
		{"socket with a path", "python3", "python3 named.py", "python3 name.py", "", 0},
		{"node", "node", "node server.js", "node client.js", "http://localhost:8006/", 8006},
		{"express", "express", "node express.js", "curl -sS localhost:8007", "http://localhost:8007/", 8007},
		{"WebSocket", "ws", "node ws.js", "node wsclient.js", "", 8008},
		{"vite", "vite", "node " + modules + "/vite/bin/vite.js", "curl -sS localhost:8009/index.html", "http://localhost:8009/", 8009},
		{"perl", "perl", "perl hello.pl", "perl ask.pl", "", 8010},
		{"redis", "redis-server", "redis-server --port 8012 --save '' --dir .", "python3 ping.py", "", 8012},
		{"go", "go", "./hello", "curl -sS localhost:8011", "http://localhost:8011/", 8011},
	} {
		_, err := exec.LookPath(s.needs)
		if modules != "" && err != nil {
			_, err = os.Stat(filepath.Join(modules, s.needs))
		}
		if err != nil {
			t.Logf("no %s here", s.needs)
			continue
		}
		all = append(all, s)
	}
	return all
}

// inNamespaces returns a workspace whose commands run in namespaces.
func inNamespaces(t *testing.T) string {
	t.Helper()
	dir := cmdtest.Commands(t)
	a := cmdtest.Exec(t, dir, map[string]any{"command": "true"})
	if box, _ := a.Data["sandbox"].(map[string]any); box["tier"] != "namespaces" {
		t.Skipf("no namespaces here: %v", box)
	}
	return dir
}

// started starts a command in the background, in the session one, and returns the id of its job,
// which is stopped in the end.
func started(t *testing.T, dir, command string) string {
	t.Helper()
	return stopped(t, dir, execIn(t, dir, "one", map[string]any{"command": command, "background": true}))
}

// listening starts a server in the background, in the session one, and returns when it listens.
// Other jobs do not listen at its port.
func listening(t *testing.T, dir string, s server) {
	t.Helper()
	port := fmt.Sprintf("port:%d", s.port)
	a := execIn(t, dir, "one", map[string]any{"command": s.command, "background": true, "until": port, "wait": 60})
	stopped(t, dir, a)
	if m, _ := a.Data["matched"].(map[string]any); m["text"] != port || a.Data["goes_on"] != true {
		t.Errorf("%s: %+v", s.name, a)
	}
	if a = execIn(t, dir, "one", map[string]any{"command": "true", "background": true, "until": port}); a.Data["matched"] != nil {
		t.Errorf("another job is taken for %s: %+v", s.name, a)
	}
}

// stopped stops the job of an answer in the end, and returns its id.
func stopped(t *testing.T, dir string, a cmdtest.Answer) string {
	t.Helper()
	id, _ := a.Data["job"].(string)
	if id == "" {
		t.Fatalf("%+v", a)
	}
	t.Cleanup(func() { cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","action":"stop"}`)) })
	return id
}

// execIn makes a call of exec in a session.
func execIn(t *testing.T, dir, session string, args map[string]any) cmdtest.Answer {
	t.Helper()
	a, _ := cmdtest.Call(t, execOf(t, dir, session, args))
	return a
}

func execOf(t *testing.T, dir, session string, args map[string]any) *exec.Cmd {
	t.Helper()
	c := cmdtest.Person(t, dir, "exec", cmdtest.JSON(args))
	c.Env = append(c.Env, "HELVE_SESSION="+session)
	return c
}

// said returns the output of a command in a session.
func said(t *testing.T, dir, session, command string) string {
	t.Helper()
	out, _ := execIn(t, dir, session, map[string]any{"command": command}).Data["output"].(string)
	return out
}

// fetched returns the answer of fetch in a session.
func fetched(t *testing.T, dir, session, url string, flags ...string) string {
	t.Helper()
	c := cmdtest.Person(t, dir, append([]string{"fetch", url}, flags...)...)
	c.Env = append(c.Env, "HELVE_SESSION="+session)
	a, _ := cmdtest.Call(t, c)
	return cmdtest.JSON(a)
}

// TestServersStayReachable starts servers in the background and asks each from three later
// calls; the calls of another session and of another workspace do not reach them.
func TestServersStayReachable(t *testing.T) {
	t.Parallel()
	dir := inNamespaces(t)
	elsewhere := inNamespaces(t)
	for _, s := range servers(t, dir) {
		if s.port > 0 {
			listening(t, dir, s)
		} else {
			started(t, dir, s.command)
			cmdtest.Eventually(t, s.name, func() bool { return strings.Contains(said(t, dir, "one", s.asks), "hello") })
		}
		for range 2 {
			if got := said(t, dir, "one", s.asks); !strings.Contains(got, "hello") {
				t.Errorf("%s: %q", s.name, got)
			}
		}
		if s.name != "socket with a path" { // a file of the workspace
			if got := said(t, dir, "two", s.asks); strings.Contains(got, "hello") {
				t.Errorf("another session reaches %s: %q", s.name, got)
			}
		}
		if s.url != "" {
			if got := fetched(t, dir, "one", s.url); !strings.Contains(got, "hello") {
				t.Errorf("fetch of %s: %s", s.name, got)
			}
			if got := fetched(t, dir, "two", s.url); !strings.Contains(got, "blocked_address") {
				t.Errorf("fetch of %s in another session: %s", s.name, got)
			}
			if got := said(t, elsewhere, "one", s.asks); strings.Contains(got, "hello") {
				t.Errorf("another workspace reaches %s: %q", s.name, got)
			}
		}
	}
}

// TestServersUnderLandlock: without namespaces a server is at the machine's loopback, and later
// commands of its session reach it; those of another session do not.
func TestServersUnderLandlock(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	dir := cmdtest.Commands(t)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "config", "set", "exec.sandbox", "landlock")); !a.OK {
		t.Fatalf("%+v", a)
	}
	a := cmdtest.Exec(t, dir, map[string]any{"command": "true"})
	if box := cmdtest.JSON(a.Data["sandbox"]); !strings.Contains(box, `"landlock"`) || strings.Contains(box, "no_loopback") {
		t.Skipf("no loopback with Landlock here: %s", box)
	}
	cmdtest.Put(t, dir, "server.py", `import http.server as h
s = h.HTTPServer(("127.0.0.1", 0), h.SimpleHTTPRequestHandler); open("port.txt", "w").write(str(s.server_port)); s.serve_forever()`)
	cmdtest.Put(t, dir, "ask.py", `import urllib.request as r
print(r.urlopen("http://localhost:" + open("port.txt").read()).read().decode())`)
	started(t, dir, "python3 server.py")
	const asks = "python3 ask.py"
	cmdtest.Eventually(t, "the server", func() bool { return strings.Contains(said(t, dir, "one", asks), "Directory") })
	if got := said(t, dir, "two", asks); strings.Contains(got, "Directory") {
		t.Errorf("another session reaches it: %q", got)
	}
	if got := said(t, dir, "one", asks); !strings.Contains(got, "Directory") {
		t.Errorf("%q", got)
	}
}

// TestServerReachesNothingElse keeps the shared network away from the machine's loopback, and
// the machine from it.
func TestServerReachesNothingElse(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	dir := inNamespaces(t)
	machine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "secret") }))
	defer machine.Close()
	id := started(t, dir, "curl -sS "+machine.URL+"; python3 -m http.server 8000")
	cmdtest.Eventually(t, "the server", func() bool { return strings.Contains(said(t, dir, "one", "curl -sS localhost:8000"), "Directory") })
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","action":"read"}`))
	if got := fmt.Sprint(a.Data["output"], said(t, dir, "one", "curl -sS "+machine.URL)); strings.Contains(got, "secret") {
		t.Errorf("the machine's loopback is reached: %q", got)
	}
	if c, err := net.Dial("tcp", "127.0.0.1:8000"); err == nil {
		_ = c.Close()
		t.Error("the machine reaches the server")
	}
	// Who finds nothing is told where something is.
	a = execIn(t, dir, "one", map[string]any{"command": "curl -sS localhost:8001"})
	if text := cmdtest.JSON(a.Data["denials"]); !strings.Contains(text, "8000 (job "+id+")") {
		t.Errorf("%s", text)
	}
	a = execIn(t, dir, "two", map[string]any{"command": "curl -sS localhost:8000"})
	if text := cmdtest.JSON(a.Data["denials"]); !strings.Contains(text, "background=true") {
		t.Errorf("%s", text)
	}
	if got := fetched(t, dir, "one", machine.URL); strings.Contains(got, "secret") || !strings.Contains(got, "port 8000 (job "+id+")") {
		t.Errorf("fetch of the machine's loopback: %s", got)
	}
	if got := fetched(t, dir, "one", "localhost:8000"); !strings.Contains(got, "Directory") {
		t.Errorf("without a scheme: %s", got)
	}
	// The network none is none.
	if got := cmdtest.JSON(execIn(t, dir, "one", map[string]any{"command": "curl -sS localhost:8000", "network": "none"})); strings.Contains(got, "Directory") {
		t.Errorf("%s", got)
	}
}

// TestNetworkOutlivesItsFirstJob kills the supervisor that the network of a session began
// with. The others of its jobs keep it; without them, the next job begins another one.
func TestNetworkOutlivesItsFirstJob(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	dir := inNamespaces(t)
	first := started(t, dir, "python3 -m http.server 8000")
	second := started(t, dir, "python3 -m http.server 8001")
	asks := func(port string) string { return said(t, dir, "one", "curl -sS localhost:"+port) }
	for _, port := range []string{"8000", "8001"} {
		cmdtest.Eventually(t, "the server at "+port, func() bool { return strings.Contains(asks(port), "Directory") })
	}
	for _, id := range []string{first, second} {
		records, err := filepath.Glob(filepath.Join(cmdtest.HomeOf(dir), "state", "*", "jobs", id+".json"))
		if err != nil || len(records) != 1 {
			t.Fatal(records, err)
		}
		var record struct{ Supervisor struct{ PID int } }
		if err := json.Unmarshal([]byte(cmdtest.Content(t, records[0])), &record); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(record.Supervisor.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if id == first {
			cmdtest.Eventually(t, "the end of the first", func() bool { return !strings.Contains(asks("8000"), "Directory") })
			if got := asks("8001"); !strings.Contains(got, "Directory") {
				t.Errorf("the second is lost with the first: %q", got)
			}
		}
	}
	cmdtest.Eventually(t, "the end of both", func() bool { return strings.Contains(asks("8001"), "connect") })
	started(t, dir, "python3 -m http.server 8001")
	cmdtest.Eventually(t, "the next server", func() bool { return strings.Contains(asks("8001"), "Directory") })
}

// TestFirstJobsAtOnce starts the first jobs of a session at the same time: they share one
// network all the same.
func TestFirstJobsAtOnce(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	dir := inNamespaces(t)
	const count = 4
	var all []*cmdtest.Started
	for i := range count {
		c := execOf(t, dir, "one", map[string]any{"command": "python3 -m http.server 800" + strconv.Itoa(i), "background": true})
		all = append(all, cmdtest.Start(t, c))
	}
	for _, s := range all {
		stopped(t, dir, s.Answer(t))
	}
	for i := range count {
		cmdtest.Eventually(t, "server "+strconv.Itoa(i), func() bool {
			return strings.Contains(said(t, dir, "one", "curl -sS localhost:800"+strconv.Itoa(i)), "Directory")
		})
	}
}

// TestServerInBrowser shows a page whose script asks its server, another server of the
// session, and one of the machine.
func TestServerInBrowser(t *testing.T) {
	t.Parallel()
	program := ""
	for _, name := range []string{"chromium", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if _, err := exec.LookPath("python3"); err != nil || program == "" {
		t.Skip("no python3 or no browser here")
	}
	dir := inNamespaces(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", cmdtest.JSON(map[string]any{"web": map[string]any{"browser": program}}))
	machine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		_, _ = io.WriteString(w, "secret")
	}))
	defer machine.Close()
	cmdtest.Put(t, dir, "word.txt", "found")
	cmdtest.Put(t, dir, "other.py", `from http.server import *
class H(SimpleHTTPRequestHandler):
    def end_headers(self): self.send_header("Access-Control-Allow-Origin", "*"); super().end_headers()
HTTPServer(("127.0.0.1", 8001), H).serve_forever()`)
	cmdtest.Put(t, dir, "page.html", `<p id=a></p><p id=b></p><p id=c></p><p id=d></p><script>
const ask = (id, url) => fetch(url).then(r => r.text()).then(s => document.getElementById(id).textContent = id + " " + s, () => document.getElementById(id).textContent = id + " nothing")
ask("a", "/word.txt"); ask("b", "http://127.0.0.1:8001/word.txt"); ask("c", "`+machine.URL+`"); ask("d", "http://example.org/")
</script>`)
	started(t, dir, "python3 -m http.server 8000")
	started(t, dir, "python3 other.py")
	for _, port := range []string{"8000", "8001"} {
		cmdtest.Eventually(t, "the server at "+port, func() bool {
			return strings.Contains(said(t, dir, "one", "curl -sS localhost:"+port+"/word.txt"), "found")
		})
	}
	got := fetched(t, dir, "one", "http://localhost:8000/page.html", "--render=always", "--main=false")
	for _, want := range []string{"a found", "b found", "c nothing", "d nothing"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	if got := fetched(t, dir, "two", "http://localhost:8000/page.html", "--render=always"); !strings.Contains(got, "blocked_address") {
		t.Errorf("another session: %s", got)
	}
}
