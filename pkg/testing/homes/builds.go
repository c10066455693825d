package homes

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build is a build or a run of tests that needs what lies in a home directory: tool
// chains, their caches, settings, or projects beside the workspace.
type Build struct {
	Judges  string // the programs that must be there
	Command string
	Files   string // of files
	Sample  bool   // it is one of those that a test runs every time
}

// Missing returns a program that the build needs and that is not on the PATH, "" if all are.
func (b Build) Missing() string {
	for program := range strings.FieldsSeq(b.Judges) {
		if _, err := exec.LookPath(program); err != nil {
			return program
		}
	}
	return ""
}

// Work lists the daily work of agents: that of the large tool chains, servers with their clients,
// sockets, jobs in the background and many files. No person is asked about it.
var Work = []Build{
	{"git", "git status", "go.mod", false},
	{"git", "git add -A && git commit -qm x && git log -1 --format=%an | grep Me", "go.mod", true},
	{"git", "git branch b && git switch -q b && git switch -q -", "go.mod", false},
	{"git", "git grep -q small -- first", "go.mod", false},
	{"git", "git init -q new && cd new && git commit -q --allow-empty -m x", "go.mod", false},
	{"go", "go build -o bin/x .", "go.mod main.go", false},
	{"go", "go test ./...", "go.mod main.go main_test.go", false},
	{"go", "go vet ./...", "go.mod main.go main_test.go", false},
	{"go", "go list -deps . | grep example.org/lib", "go.mod main.go", true},
	{"node", "node --test", "x.test.js", false},
	{"node", "node linked.js | grep linked", "linked.js package.json", true},
	{"node git", "node -e 'require(\"child_process\").execSync(\"git --version\")'", "build.js", false},
	{"npm", "npm test", "package.json x.test.js", true},
	{"npm", "npm run build", "package.json build.js", false},
	{"python3", "python3 -m unittest", "test_x.py", false},
	{"python3", "python3 -m venv --without-pip v && v/bin/python -c 'print(1)'", "test_x.py", false},
	{"pytest", "pytest -q test_x.py", "test_x.py", true},
	{"cargo", "cargo build --offline", "Cargo.toml src/main.rs", false},
	{"cargo", "cargo test --offline", "Cargo.toml src/main.rs", false},
	{"make gcc", "make test", "Makefile x.c", true},
	{"make gcc", "make -j2 CC=gcc", "Makefile x.c", false},
	{"sh", "sh x.sh", "x.sh", false},
	{"tar", "tar -czf x.tar.gz x.sh && tar -tzf x.tar.gz", "x.sh", false},
	{"git sh", "sh many.sh && git init -q . && git add -A && git commit -qm many && git ls-files many | wc -l | grep -qx 1000", "many.sh", true},
	{"sh", "sh many.sh && cp -r many more && find more -type f | wc -l | grep -qx 1000", "many.sh", false},
	{"sh", "sh jobs.sh", "jobs.sh", true},
	{"sh mkfifo", "mkfifo p && (echo x > p &) && cat p", "x.sh", false},
	{"go", "go test ./serve", "go.mod serve/serve_test.go", false},
	{"go", "go run ./talk", "go.mod talk/main.go", false},
	{"node", "node serve.js", "serve.js", true},
	{"node", "node cluster.js", "cluster.js", false},
	{"node", "node socket.js", "socket.js", false},
	{"node", "node workers.js", "workers.js", false},
	{"python3", "python3 serve.py", "serve.py", false},
	{"python3 curl", "sh client.sh", "client.sh port.py", true},
	{"python3", "python3 socket_path.py", "socket_path.py", true},
	{"python3", "python3 manager.py", "manager.py", true},
	{"python3", "python3 pool.py", "pool.py", true},
	{"python3", "python3 events.py", "events.py", false},
	{"python3", "python3 database.py", "database.py", false},
}

// Builds are further real builds and tests that no person is asked about.
var Builds = []Build{
	{"git", "git stash list && git diff && git show --stat HEAD", "go.mod", false},
	{"git", "git tag x && git describe --tags", "go.mod", false},
	{"git", "git archive HEAD | tar -t", "go.mod", false},
	{"git", "git config user.email | grep example.org", "go.mod", false},
	{"git", "git blame first && git rev-parse --show-toplevel", "go.mod", false},
	{"go", "go run .", "go.mod main.go", false},
	{"go", "go build -o bin/x .", "go.work go.mod main.go", false},
	{"go", "gofmt -l .", "go.mod main.go", false},
	{"go", "go env GOMODCACHE GOCACHE", "go.mod", false},
	{"go", "go mod graph", "go.mod main.go", false},
	{"go", "go doc fmt.Println", "go.mod", false},
	{"node", "node build.js", "build.js", false},
	{"node", "node esm.mjs", "esm.mjs", false},
	{"node", "node --check build.js", "build.js", false},
	{"npm", "npm run lint --silent", "package.json build.js", false},
	{"npm", "npm ls", "package.json", false},
	{"npm", "npm pack --offline --ignore-scripts", "package.json build.js", false},
	{"npm", "npm --version", "package.json", false},
	{"python3", "python3 -m pkg", "pkg/__init__.py pkg/__main__.py", false},
	{"python3", "python3 -m compileall -q pkg", "pkg/__init__.py pkg/__main__.py", false},
	{"python3", "python3 -c 'import json, ssl, ctypes, multiprocessing; print(1)'", "test_x.py", false},
	{"python3", "python3 -m zipapp pkg -o x.pyz && python3 x.pyz", "pkg/__init__.py pkg/__main__.py", false},
	{"pytest", "python3 -m pytest -q", "test_x.py", false},
	{"pip", "python3 -m pip --version", "test_x.py", false},
	{"pip", "python3 -m pip list --format=freeze", "test_x.py", false},
	{"cargo", "cargo run -q --offline", "Cargo.toml src/main.rs", false},
	{"cargo", "cargo check --offline", "Cargo.toml src/main.rs", true},
	{"cargo", "cargo metadata --offline --no-deps --format-version 1", "Cargo.toml src/main.rs", false},
	{"cargo", "cargo --version && rustc --version", "src/main.rs", false},
	{"javac", "javac -d out X.java && java -cp out X", "X.java", true},
	{"javac", "java X.java", "X.java", false},
	{"javac jar", "javac -d out X.java && jar cf x.jar -C out . && jar tf x.jar", "X.java", false},
	{"mvn javac", "mvn -q -o -Dmaven.repo.local=/usr/share/maven-repo test", "pom.xml src/test/java/SmallTest.java", false},
	{"mvn", "mvn -o --version", "pom.xml", false},
	{"gcc", "gcc -O2 -o x x.c", "x.c", false},
	{"g++", "g++ -o x x.cc", "x.cc", false},
	{"cmake gcc", "cmake -S . -B build && cmake --build build", "CMakeLists.txt x.c", false},
	{"gcc", "gcc -c x.c && ar rcs libx.a x.o", "x.c", false},
	{"bash", "bash x.sh", "x.sh", false},
	{"perl", "perl -MFile::Temp -e 'print File::Temp->new->filename'", "x.sh", false},
}

// files are the files of the projects.
var files = map[string]string{
	"go.mod":                       "module small\n\ngo 1.24\n\nrequire example.org/lib v0.0.0\n\nreplace example.org/lib => ../lib\n",
	"main.go":                      "package main\n\nimport \"example.org/lib\"\n\nfunc main() { println(lib.Two()) }\n",
	"main_test.go":                 "package main\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n\t\"example.org/lib\"\n)\n\nfunc TestTwo(t *testing.T) {\n\tif lib.Two() != 2 || os.WriteFile(t.TempDir()+\"/x\", nil, 0o600) != nil {\n\t\tt.Fatal()\n\t}\n}\n",
	"go.work":                      "go 1.24\n\nuse (\n\t.\n\t../lib\n)\n",
	"package.json":                 `{"name":"small","version":"1.0.0","private":true,"scripts":{"test":"node --test","build":"node build.js","lint":"node --check build.js"},"dependencies":{"linked":"*"}}` + "\n",
	"build.js":                     "const fs = require('fs'), os = require('os'), path = require('path'); fs.mkdirSync('dist', {recursive: true}); fs.writeFileSync('dist/x', os.tmpdir()); console.log(path.resolve('dist'))\n",
	"x.test.js":                    "const {test} = require('node:test'), assert = require('node:assert'); test('x', () => assert.equal(1, 1));\n",
	"linked.js":                    "console.log(require('linked'))\n",
	"esm.mjs":                      "import os from 'node:os'; import {readFile} from 'node:fs/promises'; await readFile('esm.mjs'); console.log(os.homedir());\n",
	"test_x.py":                    "import unittest\n\nclass T(unittest.TestCase):\n    def test_x(self):\n        import json, ssl, sqlite3, tempfile\n        with tempfile.TemporaryDirectory() as d:\n            sqlite3.connect(d + '/x').execute('create table x(y)')\n",
	"pkg/__init__.py":              "",
	"pkg/__main__.py":              "print('pkg')\n",
	"Cargo.toml":                   "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nbeside = { path = \"../beside\" }\n",
	"src/main.rs":                  "fn main() { println!(\"{}\", beside::two()); }\n\n#[test]\nfn works() { assert_eq!(beside::two(), 2); }\n",
	"X.java":                       "public class X { public static void main(String[] a) throws Exception { System.out.println(System.getProperty(\"user.dir\")); } }\n",
	"src/test/java/SmallTest.java": "import static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class SmallTest {\n\t@Test\n\tpublic void works() {\n\t\tassertEquals(2, 1 + 1);\n\t}\n}\n",
	"pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>small</artifactId><version>1</version>
<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies>
</project>
`,
	"x.c":            "#include <stdio.h>\nint main(void) { puts(\"c\"); return 0; }\n",
	"x.cc":           "#include <iostream>\nint main() { std::cout << \"cc\\n\"; }\n",
	"Makefile":       "x: x.c\n\t$(CC) -o x x.c\n\ntest: x\n\t./x\n\n.PHONY: test\n",
	"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(small C)\nadd_executable(x x.c)\n",
	"many.sh":        "set -e\nmkdir many\ni=0\nwhile [ $i -lt 1000 ]; do echo $i > many/$i; i=$((i+1)); done\n",
	"jobs.sh":        "set -e\nsleep 60 & one=$!\n(sleep 60; echo late > late) & two=$!\n(echo early > early) & wait $!\ntest -s early\nkill $one $two\n! wait $one\ntest ! -e late\nnohup sh -c 'echo on > on' > /dev/null 2>&1 & wait $!\ntest -s on\n",
	"serve/serve_test.go": `package serve

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestServe(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	defer s.Close()
	for range 20 {
		r, err := http.Get(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := io.ReadAll(r.Body); err != nil || string(data) != "ok" {
			t.Fatal(err, data)
		}
	}
}
`,
	"talk/main.go": `package main

import (
	"fmt"
	"io"
	"net"
	"os"
)

func talk(network, address string) error {
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	go func() {
		c, err := l.Accept()
		if err == nil {
			_, _ = c.Write([]byte("ok"))
			_ = c.Close()
		}
	}()
	c, err := net.Dial(network, l.Addr().String())
	if err != nil {
		return err
	}
	if data, err := io.ReadAll(c); err != nil || string(data) != "ok" {
		return fmt.Errorf("%q %w", data, err)
	}
	return l.Close()
}

func main() {
	for network, address := range map[string]string{"tcp4": "127.0.0.1:0", "tcp6": "[::1]:0", "tcp": ":0", "unix": "talk.sock", "unixpacket": os.TempDir() + "/talk.sock"} {
		if err := talk(network, address); err != nil {
			fmt.Println(network, err)
			os.Exit(1)
		}
	}
}
`,
	"serve.js":       "const http = require('http'); const s = http.createServer((q, r) => r.end('ok')); s.listen(0, '127.0.0.1', async () => { for (let i = 0; i < 20; i++) { const r = await fetch('http://127.0.0.1:' + s.address().port); if (await r.text() !== 'ok') process.exit(1) } const l = await fetch('http://localhost:' + s.address().port); if (await l.text() !== 'ok') process.exit(1); process.exit(0) })\n",
	"cluster.js":     "const cluster = require('cluster'), http = require('http'); if (cluster.isPrimary) { const w = cluster.fork(); w.on('message', m => http.get({port: m, host: '127.0.0.1'}, r => { r.resume(); r.on('end', () => process.exit(r.statusCode === 200 ? 0 : 1)) })) } else { const s = http.createServer((q, r) => r.end('ok')); s.listen(0, '127.0.0.1', () => process.send(s.address().port)) }\n",
	"socket.js":      "const net = require('net'), os = require('os'); let left = 2; for (const path of ['s.sock', os.tmpdir() + '/s.sock']) net.createServer(c => c.end('ok')).listen(path, () => net.connect(path).on('data', d => { if (String(d) !== 'ok') process.exit(1); if (--left === 0) process.exit(0) }))\n",
	"workers.js":     "const {Worker, isMainThread, parentPort} = require('worker_threads'), {fork} = require('child_process'); if (!isMainThread) parentPort.postMessage(2); else if (process.send) { process.send('up'); process.disconnect() } else { new Worker(__filename).on('message', m => { if (m !== 2) process.exit(1); fork(__filename).on('message', u => { if (u !== 'up') process.exit(1) }).on('exit', c => process.exit(c)) }) }\n",
	"serve.py":       "import http.server, threading, urllib.request\ns = http.server.ThreadingHTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\nthreading.Thread(target=s.serve_forever, daemon=True).start()\nfor _ in range(20):\n    assert urllib.request.urlopen('http://127.0.0.1:%d/serve.py' % s.server_port).status == 200\nassert urllib.request.urlopen('http://localhost:%d/serve.py' % s.server_port).status == 200\n",
	"port.py":        "import http.server, os\ns = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\nopen('port.new', 'w').write(str(s.server_port))\nos.rename('port.new', 'port')\ns.serve_forever()\n",
	"client.sh":      "python3 port.py 2> /dev/null & server=$!\nuntil [ -s port ]; do kill -0 $server || exit 1; sleep 0.05; done\ncurl -sf http://127.0.0.1:$(cat port)/client.sh | grep -q client && curl -sf http://localhost:$(cat port)/client.sh > /dev/null\nstatus=$?\nkill $server\nexit $status\n",
	"socket_path.py": "import os, socket, tempfile, threading\nfor path in ('s.sock', os.path.abspath('t.sock'), os.path.join(tempfile.mkdtemp(), 'u.sock'), '\\0helve-work-%d' % os.getpid()):\n    l = socket.socket(socket.AF_UNIX); l.bind(path); l.listen()\n    threading.Thread(target=lambda: l.accept()[0].sendall(b'ok')).start()\n    c = socket.socket(socket.AF_UNIX); c.connect(path)\n    assert c.recv(2) == b'ok', path\n",
	"manager.py":     "import multiprocessing as m\n\ndef put(d, i):\n    d[i] = i * i\n\nif __name__ == '__main__':\n    for how in ('fork', 'spawn', 'forkserver'):\n        c = m.get_context(how)\n        with c.Manager() as manager:\n            d = manager.dict()\n            all = [c.Process(target=put, args=(d, i)) for i in range(3)]\n            [p.start() for p in all]; [p.join() for p in all]\n            assert dict(d) == {0: 0, 1: 1, 2: 4}, how\n",
	"pool.py":        "import concurrent.futures as f, multiprocessing as m\nfrom multiprocessing import shared_memory\n\ndef square(x):\n    return x * x\n\nif __name__ == '__main__':\n    with m.Pool(2) as p:\n        assert p.map(square, range(4)) == [0, 1, 4, 9]\n    with f.ProcessPoolExecutor(2, mp_context=m.get_context('spawn')) as p:\n        assert list(p.map(square, range(4))) == [0, 1, 4, 9]\n    s = shared_memory.SharedMemory(create=True, size=10); s.buf[0] = 1; s.close(); s.unlink()\n    m.Queue().put(1); m.Lock().acquire(); m.Semaphore(2).acquire()\n",
	"events.py":      "import asyncio\n\nasync def serve(r, w):\n    w.write(b'ok'); await w.drain(); w.close()\n\nasync def main():\n    s = await asyncio.start_server(serve, '127.0.0.1', 0)\n    r, w = await asyncio.open_connection(*s.sockets[0].getsockname())\n    assert await r.read() == b'ok'\n    await asyncio.start_unix_server(serve, 'e.sock')\n    r, w = await asyncio.open_unix_connection('e.sock')\n    assert await r.read() == b'ok'\n    p = await asyncio.create_subprocess_exec('echo', 'ok', stdout=asyncio.subprocess.PIPE)\n    assert (await p.communicate())[0] == b'ok\\n'\n\nasyncio.run(main())\n",
	"database.py":    "import fcntl, mmap, sqlite3\nc = sqlite3.connect('d.db'); c.execute('pragma journal_mode=wal'); c.execute('create table t(x)')\nfor i in range(100):\n    c.execute('insert into t values (?)', (i,)); c.commit()\nassert sqlite3.connect('d.db').execute('select count(*) from t').fetchone() == (100,)\nf = open('lock', 'w+b'); fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_EX); f.truncate(4096)\nm = mmap.mmap(f.fileno(), 4096); m[0] = 1; m.flush()\n",
	"x.sh":           "#!/bin/sh\nset -e\nt=$(mktemp)\necho x > \"$t\"\ncat \"$t\"\nrm \"$t\"\n",
}

// Furnish adds to a home directory what [Builds] need: settings, caches, projects, and
// links to the tool chains of another home directory, as if they had been installed.
func Furnish(home, machine string) error {
	furniture := map[string]string{
		".gitconfig": "[include]\n\tpath = ~/.config/git/work\n[init]\n\tdefaultBranch = main\n", ".config/git/work": "[user]\n\tname = Me\n\temail = me@example.org\n",
		".npmrc":          "fund=false\n//registry.npmjs.org/:_authToken=" + Word + "\n",
		"work/lib/go.mod": "module example.org/lib\n\ngo 1.24\n", "work/lib/lib.go": "package lib\n\nfunc Two() int { return 2 }\n",
		"work/linked/package.json": `{"name":"linked","version":"1.0.0"}`, "work/linked/index.js": "module.exports = 'linked'\n",
		"work/beside/Cargo.toml": "[package]\nname = \"beside\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "work/beside/src/lib.rs": "pub fn two() -> i32 { 2 }\n",
		".m2/settings.xml": "<settings><servers><server><id>x</id><password>" + Word + "</password></server></servers></settings>\n",
		".cache/pip/x":     "", ".npm/x": "", "go/pkg/mod/x": "", ".m2/repository/x": "", ".cargo/registry/x": "",
	}
	for i := range 256 { // as go makes them, which a command that only reads cannot
		furniture[".cache/go-build/"+string("0123456789abcdef"[i/16])+string("0123456789abcdef"[i%16])+"/x"] = ""
	}
	for name, text := range furniture {
		if err := Write(home, name, text); err != nil {
			return err
		}
	}
	for _, name := range []string{".pyenv", ".rustup", ".nvm", ".volta", ".sdkman"} {
		if _, err := os.Stat(filepath.Join(machine, name)); err != nil {
			continue
		}
		if err := os.Symlink(filepath.Join(machine, name), filepath.Join(home, name)); err != nil {
			return err
		}
	}
	return nil
}

// Lay makes the project of a build in a directory of the home's work. environ is for git.
func (b Build) Lay(ctx context.Context, dir string, environ []string) error {
	if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o755); err != nil {
		return err
	}
	if err := os.Symlink("../../linked", filepath.Join(dir, "node_modules/linked")); err != nil {
		return err
	}
	for name := range strings.FieldsSeq(b.Files) {
		if err := Write(dir, name, files[name]); err != nil {
			return err
		}
	}
	if b.Judges != "git" {
		return nil
	}
	setup := exec.CommandContext(ctx, "sh", "-c", "git init -q . && echo small > first && git add first && git commit -qm first")
	setup.Dir, setup.Env = dir, environ
	return setup.Run()
}
