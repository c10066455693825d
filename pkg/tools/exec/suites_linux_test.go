package exec

import (
	"cmp"
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
	user    bool   // it is quick enough to run for an ordinary user, too
	kinds   string // of the sandbox; by default namespaces alone
	prints  string // what its output contains
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

// What takes many addresses is no reason to end a command, nor what a runtime reserves.
const bothKinds = "namespaces landlock"

const javaThreads = `import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Many {
	public static void main(String[] args) throws Exception {
		var pool = Executors.newFixedThreadPool(100);
		List<Future<Integer>> all = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			all.add(pool.submit(() -> new byte[1 << 20].length >> 20));
		}
		int sum = 0;
		for (var one : all) {
			sum += one.get();
		}
		pool.shutdown();
		System.out.println(sum);
	}
}
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
	"a sanitizer of addresses, and of leaks": {
		judge: []string{"gcc"}, probe: "cd $(mktemp -d) && echo 'int main(void){return 0;}' > a.c && gcc -fsanitize=address,undefined a.c && ./a.out", missing: "libasan",
		command: "gcc -g -fsanitize=address,undefined -o clean clean.c && ./clean && gcc -g -fsanitize=address -o leaks leaks.c && ! ./leaks",
		prints:  "SUMMARY: AddressSanitizer: 1234 byte(s) leaked", user: true, kinds: bothKinds, files: map[string]string{
			"clean.c": "#include <stdlib.h>\n#include <string.h>\nint main(void) { char *p = malloc(1 << 26); memset(p, 1, 1 << 26); int c = p[5] - 1; free(p); return c; }\n",
			"leaks.c": "#include <stdlib.h>\nint main(void) { volatile char *p = malloc(1234); p[0] = 1; p = 0; return 0; }\n",
		},
	},
	"go test -race": {
		judge: []string{"go", "gcc"}, command: "CGO_ENABLED=1 go test -race ./...", prints: "ok", kinds: bothKinds, files: map[string]string{
			"go.mod":    "module small\n\ngo 1.24\n",
			"s_test.go": "package small\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nfunc TestMany(t *testing.T) {\n\tvar all sync.WaitGroup\n\tfor range 2000 {\n\t\tall.Go(func() { _ = make([]byte, 1<<16) })\n\t}\n\tall.Wait()\n}\n",
		},
	},
	"threads of Java": {
		judge: []string{"javac", "java"}, command: "javac Many.java && java Many", prints: "200", user: true, kinds: bothKinds, files: map[string]string{"Many.java": javaThreads},
	},
	"wasm": {judge: []string{"node"}, command: "node memory.js", prints: "100 MB of 4096", user: true, kinds: bothKinds, files: map[string]string{
		"memory.js": "const m = new WebAssembly.Memory({initial: 16, maximum: 65536, shared: true});\nfor (let i = 0; i < 99; i++) m.grow(16);\nnew Uint8Array(m.buffer).fill(1);\nconsole.log(m.buffer.byteLength >> 20, 'MB of 4096');\n",
	}},
	"a browser": {
		judge: []string{"chromium"}, command: "chromium --headless --no-sandbox --disable-gpu --dump-dom page.html", prints: ">100 MB<", user: true, kinds: bothKinds, files: map[string]string{
			"page.html": "<p id=p></p><script>const m = new WebAssembly.Memory({initial: 1600, maximum: 65536}); new Uint8Array(m.buffer).fill(1); p.textContent = (m.buffer.byteLength >> 20) + ' MB'</script>\n",
		},
	},
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
		for kind := range strings.FieldsSeq(cmp.Or(s.kinds, string(sandbox.Namespaces))) {
			t.Run(name+" in "+kind, func(t *testing.T) { s.run(t, sandbox.Kind(kind)) })
		}
	}
	if os.Getuid() == 0 && !ordinary {
		t.Run("as an ordinary user", again)
	}
}

func (s suite) run(t *testing.T, kind sandbox.Kind) {
	for _, program := range s.judge {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program)
		}
	}
	if s.probe != "" && exec.Command("sh", "-c", s.probe).Run() != nil {
		t.Skip("no " + s.missing)
	}
	call, dir := world(t, config.Exec{Sandbox: string(kind)})
	if _, _, err := judge(t.Context(), call, Args{Command: "ls", Cwd: "."}); err != nil {
		t.Skip(err)
	}
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
	if j.Risk != policy.Write || j.Network || j.Unconfined || r.Kind != kind {
		t.Fatalf("a person would be asked: %+v", j)
	}
	call.Judgement = j
	result, err := execute(t.Context(), call, r)
	if err != nil || result.ExitCode != 0 || result.Ended != "" || !strings.Contains(result.Output, s.prints) {
		t.Errorf("%v, exit code %d, ended %q, denials %v: %s", err, result.ExitCode, result.Ended, result.Denials, result.Output)
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
