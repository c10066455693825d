package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

const goScript = `mkdir m && cd m && printf 'module m\n\ngo 1.26\n' > go.mod &&
printf 'package m\n\nfunc F() int { return 1 }\n' > m.go &&
printf 'package m\n\nimport "testing"\n\nfunc TestF(t *testing.T) {\n\tif F() != 1 {\n\t\tt.Fail()\n\t}\n}\n' > m_test.go &&
export GOTMPDIR="$PWD" GOFLAGS=-mod=mod GOTOOLCHAIN=local &&
go build ./... && go vet ./... && go test ./... > /dev/null && echo done`

const gitScript = `git init -q . && echo x > f && git add f && git -c user.name=a -c user.email=a@b commit -q -m m &&
git log --oneline | wc -l | grep -q 1 && echo done`

const pythonScript = `cat > t.py <<'EOF'
import asyncio, multiprocessing, unittest

def square(x):
    return x * x

class T(unittest.TestCase):
    def test_pool(self):
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(square, [1, 2, 3]), [1, 4, 9])
    def test_lock(self):
        with multiprocessing.Lock():
            pass
    def test_asyncio(self):
        async def main():
            p = await asyncio.create_subprocess_exec("echo", "x", stdout=asyncio.subprocess.PIPE)
            return (await p.communicate())[0]
        self.assertEqual(asyncio.run(main()), b"x\n")

if __name__ == "__main__":
    unittest.main()
EOF
python3 t.py > log 2>&1 && echo done || cat log`

const npmScript = `printf '{"name":"x","version":"1.0.0","scripts":{"test":"node t.js"}}' > package.json &&
echo 'require("assert")(1)' > t.js && npm_config_cache="$PWD/.npm" npm test > log 2>&1 && echo done || cat log`

const loopbackScript = `mkdir w && echo hello > w/f && (cd w && exec python3 -m http.server 8765 --bind 127.0.0.1 > /dev/null 2>&1) &
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  python3 -c 'import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:8765/f").read().decode(), end="")' 2> /dev/null && break
  sleep 0.2
done`

// TestWork does in the sandbox what agents do all day. Parts whose program is not
// installed are skipped.
func TestWork(t *testing.T) {
	support := native.Probe(sandbox.Cache{})
	for _, kind := range []sandbox.Kind{sandbox.Namespaces, sandbox.Landlock} {
		for _, c := range []struct {
			name, program, line, want string
			network                   sandbox.Network
			kind                      sandbox.Kind // the only kind that can, if not both
		}{
			{name: "git commit", program: "git", line: gitScript, want: "done\n"},
			{name: "go build and test", program: "go", line: goScript, want: "done\n"},
			{name: "python processes", program: "python3", line: pythonScript, want: "done\n"},
			{name: "npm test", program: "npm", line: npmScript, want: "done\n"},
			{name: "own loopback", program: "python3", line: loopbackScript, want: "hello\n", network: sandbox.Local, kind: sandbox.Namespaces},
		} {
			t.Run(c.name+"/"+string(kind), func(t *testing.T) {
				if c.kind != "" && c.kind != kind {
					t.Skipf("only %s can", c.kind)
				}
				if _, err := exec.LookPath(c.program); err != nil {
					t.Skip("no " + c.program)
				}
				work(t, support, kind, c.network, c.line, c.want)
			})
		}
	}
}

func work(t *testing.T, support sandbox.Support, kind sandbox.Kind, network sandbox.Network, line, want string) {
	dir := realDir(t)
	temp := filepath.Join(dir, "temp")
	root := filepath.Join(dir, "work")
	for _, d := range []string{temp, root} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if network == "" {
		network = sandbox.NoNetwork
	}
	p := sandbox.Profile{
		Filesystem: sandbox.Workspace, Network: network, Workspace: root, Temp: temp, Secrets: sandbox.Secrets(os.Getenv("HOME")),
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if dir := strings.TrimSpace(string(cache)); err == nil && filepath.IsAbs(dir) {
		p.Writable = append(p.Writable, dir) // else the library of Go would be compiled anew
	}
	sb, err := native.New(p, support, kind)
	if err != nil {
		t.Skip(err)
	}
	inside := "/tmp"
	if kind == sandbox.Landlock {
		inside = temp
	}
	env, _ := Environment{Parent: os.Environ(), Temp: inside}.Build()
	r, err := Run(t.Context(), Command{Argv: []string{"bash", "-c", line}, Dir: root, Env: env, Sandbox: sb, Timeout: 3 * time.Minute})
	if err != nil || r.Output.Text != want {
		t.Errorf("%v %+v", err, r)
	}
}
