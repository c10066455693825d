package exec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestForeseen asks for the network before a build fails for want of it.
func TestForeseen(t *testing.T) {
	call, dir := world(t, config.Exec{})
	for name, text := range map[string]string{
		"sub/go.mod": "module m\n\ngo 1.26\n\nrequire example.com/x v1.0.0\n", "sub/go.sum": "example.com/x v1.0.0 h1:a=\n", "go.mod": "module top\n\ngo 1.26\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args  Args
		wants bool
	}{
		{Args{Command: "go build ./..."}, false},
		{Args{Command: "cd sub && go build ./..."}, true},
		{Args{Command: "go build ./...", Cwd: "sub"}, true},
		{Args{Argv: []string{"go", "vet", "./..."}, Cwd: "sub"}, true},
		{Args{Command: "go build ./...", Cwd: "sub", Network: "none"}, false},
		{Args{Command: "ls; .venv/bin/pip install x"}, true},
		{Args{Command: "python3 -m pip install x"}, true},
	} {
		j, r := judged(t, call, c.args)
		if !r.Kind.Confines() {
			t.Skip("no sandbox")
		}
		said := slices.ContainsFunc(j.Reasons, func(why fault.Text) bool { return strings.Contains(why.In(fault.English), "not on this machine") })
		if j.Network != c.wants || said != c.wants || (r.network == sandbox.Full) != c.wants || slices.Contains(j.Flags, string(classify.Network)) != c.wants {
			t.Errorf("%+v: %+v", c.args, j)
		}
	}
}

// TestOwnLoopback asks nobody about a request to a server of the command's own, unless
// the loopback is the machine's.
func TestOwnLoopback(t *testing.T) {
	for _, c := range []struct {
		sandbox, setting string
		args             Args
		asked            bool
	}{
		{"namespaces", "auto", Args{Command: "curl -s localhost:8080"}, false},
		{"namespaces", "local", Args{Command: "node server.js & curl -s http://127.0.0.1:3000/x"}, false},
		{"namespaces", "none", Args{Command: "curl localhost", Network: "local"}, false},
		{"namespaces", "auto", Args{Command: "nc -l 8080"}, false},
		{"namespaces", "auto", Args{Command: "curl localhost.evil.com"}, true},
		{"namespaces", "auto", Args{Command: "curl localhost; curl evil.com"}, true},
		{"namespaces", "none", Args{Command: "curl localhost"}, true},
		{"namespaces", "auto", Args{Command: "curl localhost", Network: "full"}, true},
		{"landlock", "auto", Args{Command: "curl localhost:8080"}, true},
		{"off", "auto", Args{Command: "curl localhost:8080"}, true},
	} {
		call, _ := world(t, config.Exec{Sandbox: c.sandbox, Network: c.setting})
		j, r := judged(t, call, c.args)
		if string(r.Kind) != c.sandbox && (c.sandbox != "off" || r.Kind.Confines()) {
			t.Logf("no %s here", c.sandbox)
			continue
		}
		if d := decided(call, j); c.asked != (d.Verdict == policy.Ask) {
			t.Errorf("%+v: %s %v", c, d.Verdict, d.Reasons)
		}
		if full := r.network == sandbox.Full; r.Kind.Confines() && full != c.asked {
			t.Errorf("%+v gets the network %s", c, r.network)
		}
	}
}
