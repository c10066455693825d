package exec

import (
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

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
		{"landlock", "auto", Args{Command: "curl localhost:8080"}, false},
		{"landlock", "auto", Args{Command: "curl evil.com"}, true},
		{"off", "auto", Args{Command: "curl localhost:8080"}, true},
	} {
		call, _ := world(t, config.Exec{Sandbox: c.sandbox, Network: c.setting})
		j, r := judged(t, call, c.args)
		if string(r.Kind) != c.sandbox && (c.sandbox != "off" || r.Kind.Confines()) {
			t.Logf("no %s here", c.sandbox)
			continue
		}
		if r.Kind == sandbox.Landlock && !r.Support.Sockets {
			c.asked = true
		}
		if d := decided(call, j); c.asked != (d.Verdict == policy.Ask) {
			t.Errorf("%+v: %s %v", c, d.Verdict, d.Reasons)
		}
		if full := r.network == sandbox.Full; r.Kind.Confines() && full != c.asked {
			t.Errorf("%+v gets the network %s", c, r.network)
		}
	}
}
