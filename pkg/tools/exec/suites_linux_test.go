package exec

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// suite is a small project whose tests start a server.
type suite struct {
	judge   []string // programs that must be there
	probe   string   // a command that fails where more is missing, of which missing is the name
	missing string
	command string
	files   map[string]string
	user    bool // it is quick enough to run for an ordinary user, too
}

const pythonServer = `import http.server, threading, unittest, urllib.request

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hi")

    def log_message(self, *args):
        pass

class TestServer(unittest.TestCase):
    def test_answers(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = "http://localhost:%d/" % server.server_address[1]
        self.assertEqual(urllib.request.urlopen(url, timeout=30).read(), b"hi")
        server.shutdown()
        server.server_close()
`

const nodeServer = `const {test} = require('node:test'), assert = require('node:assert'), http = require('node:http');
test('answers', (t, done) => {
  const server = http.createServer((q, r) => r.end('hi')).listen(0, '127.0.0.1', () => {
    http.get({port: server.address().port, host: '127.0.0.1'}, (r) => r.on('data', (d) => {
      assert.equal(String(d), 'hi');
      server.close(done);
    }));
  });
});
`

// The socket of a database is in /tmp, and one in the workspace.
const socketServer = `import os, socket, threading

for path in ("/tmp/.s.PGSQL.5432", os.path.abspath("s")):
    if os.path.exists(path):
        os.unlink(path)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()
    def answer():
        peer, _ = server.accept()
        peer.sendall(b"R" + peer.recv(8))
        peer.close()
    thread = threading.Thread(target=answer)
    thread.start()
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.sendall(b"startup!")
    assert client.recv(16) == b"Rstartup!"
    thread.join()
`

const javaServer = `import static org.junit.Assert.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import org.junit.Test;

public class ServerTest {
	@Test
	public void answers() throws Exception {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", x -> {
			x.sendResponseHeaders(200, 2);
			x.getResponseBody().write("hi".getBytes());
			x.close();
		});
		server.start();
		try (InputStream in = new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/").openStream()) {
			assertEquals("hi", new String(in.readAllBytes()));
		}
		server.stop(0);
	}
}
`

const javaProject = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>small</artifactId><version>1</version>
<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies>
</project>
`

const rustServer = `#[test]
fn answers() {
    use std::io::{Read, Write};
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = server.local_addr().unwrap();
    let thread = std::thread::spawn(move || server.accept().unwrap().0.write_all(b"hi").unwrap());
    let mut said = String::new();
    std::net::TcpStream::connect(at).unwrap().read_to_string(&mut said).unwrap();
    thread.join().unwrap();
    assert_eq!(said, "hi");
}
`

// suites are the projects. What Debian packages for offline builds is its repository of
// Maven.
var suites = map[string]suite{
	"httptest": {judge: []string{"go"}, command: "go test ./...", files: map[string]string{
		"go.mod":    "module small\n\ngo 1.24\n",
		"s_test.go": "package small\n\nimport (\n\t\"net/http\"\n\t\"net/http/httptest\"\n\t\"testing\"\n)\n\nfunc TestAnswers(t *testing.T) {\n\ts := httptest.NewServer(http.NotFoundHandler())\n\tdefer s.Close()\n\tr, err := http.Get(s.URL)\n\tif err != nil || r.StatusCode != 404 {\n\t\tt.Fatal(r, err)\n\t}\n}\n",
	}},
	"http.createServer": {judge: []string{"node"}, command: "node --test", user: true, files: map[string]string{"server.test.js": nodeServer}},
	"npm test": {judge: []string{"node", "npm"}, command: "npm test", files: map[string]string{
		"server.test.js": nodeServer, "package.json": `{"name":"small","version":"1.0.0","scripts":{"test":"node --test"}}`,
	}},
	"http.server": {judge: []string{"python3"}, command: "python3 -m unittest", user: true, files: map[string]string{"test_server.py": pythonServer}},
	"pytest": {judge: []string{"python3"}, probe: "python3 -c 'import pytest'", missing: "pytest", command: "python3 -m pytest -q", files: map[string]string{
		"test_server.py": pythonServer,
	}},
	"a Unix socket": {judge: []string{"python3"}, command: "python3 sockets.py", user: true, files: map[string]string{"sockets.py": socketServer}},
	"cargo test": {judge: []string{"cargo"}, command: "cargo test", files: map[string]string{
		"Cargo.toml": "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": rustServer,
	}},
	"mvn -o test": {
		judge: []string{"mvn", "javac"}, probe: "test -d /usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin", missing: "libsurefire-java",
		command: "mvn -q -o -Dmaven.repo.local=/usr/share/maven-repo test", files: map[string]string{"pom.xml": javaProject, "src/test/java/ServerTest.java": javaServer},
	},
}

// asUser marks the process that runs the quick suites for an ordinary user.
const asUser = "EXEC_TEST_AS_USER"

// TestSuites runs the tests of small projects without a question.
func TestSuites(t *testing.T) {
	ordinary := os.Getenv(asUser) != ""
	for name, s := range suites {
		if ordinary && !s.user {
			continue
		}
		t.Run(name, func(t *testing.T) { s.run(t) })
	}
	if os.Getuid() == 0 && !ordinary {
		t.Run("as an ordinary user", again)
	}
}

func (s suite) run(t *testing.T) {
	for _, program := range s.judge {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program)
		}
	}
	if s.probe != "" && exec.Command("sh", "-c", s.probe).Run() != nil {
		t.Skip("no " + s.missing)
	}
	call, dir := world(t, config.Exec{})
	onlyNamespaces(t, call)
	m, err := call.Env.Machine()
	if err != nil {
		t.Fatal(err)
	}
	m.Home = os.Getenv("HOME")
	for name, text := range s.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	j, r := judged(t, call, Args{Command: s.command, Timeout: 600, MaxOutput: 20000})
	if j.Risk != policy.Write || j.Network || j.Unconfined || r.network != sandbox.Local {
		t.Fatalf("a person would be asked: %+v", j)
	}
	call.Judgement = j
	result, err := execute(t.Context(), call, r)
	if err != nil || result.ExitCode != 0 {
		t.Errorf("%v, exit code %d, denials %v: %s", err, result.ExitCode, result.Denials, result.Output)
	}
}

// again runs this test for an ordinary user, from a copy of the program that everybody
// may run, with the programs of the system.
func again(t *testing.T) {
	const nobody = 65534
	dir, err := os.MkdirTemp("/var/tmp", "exec-suites-") //nolint:usetesting // others reach that one
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "test")
	for _, err := range []error{os.WriteFile(copied, program, 0o755), os.Chmod(dir, 0o755), os.Mkdir(filepath.Join(dir, "home"), 0o755), os.Chown(filepath.Join(dir, "home"), nobody, nobody)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(copied, "-test.run=^TestSuites$", "-test.v")
	c.Dir = filepath.Join(dir, "home")
	c.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + c.Dir, "TMPDIR=" + c.Dir, asUser + "=1"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := c.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("%v: %s", err, out)
	case !strings.Contains(string(out), "--- PASS: TestSuites/"):
		t.Skip("no namespaces for an ordinary user, or none of the programs")
	}
}
