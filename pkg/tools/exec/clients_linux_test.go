package exec

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestClients has programs fetch something from a listed host, and from one that is not.
func TestClients(t *testing.T) {
	v, seen := serveVictims(t)
	call, _ := world(t, config.Exec{Hosts: []string{v.Listed}})
	provideClient(t, call)
	for _, c := range []struct{ program, command string }{
		{"curl", "curl -sS --fail http://$H/"},
		{"wget", "wget -q -O - http://$H/"},
		{"python3", `python3 -c "import urllib.request as r; r.urlopen('http://$H/')"`},
		{"git", "git ls-remote http://$H/repository"},
		{"pip", "pip download --no-deps --index-url http://$H/simple --trusted-host listed.test --trusted-host unlisted.test nothing"},
		{"npm", "npm view nothing --registry http://$H/"},
		{"go", "cd /tmp && GOFLAGS=-mod=mod GOPROXY=http://$H GOSUMDB=off GONOSUMDB=* go list -m example.org/x@v1.0.0"},
	} {
		if _, err := exec.LookPath(c.program); err != nil {
			t.Logf("no %s here", c.program)
			continue
		}
		for _, at := range []string{v.Listed, "unlisted.test:" + portIn(v.Other)} {
			before := len(seen.requests())
			j, r := judged(t, call, Args{Command: "export H=" + at + "; " + c.command, Network: "hosts", Timeout: 60, MaxOutput: 5000})
			if r.Kind != sandbox.Namespaces {
				t.Skip("no namespaces here")
			}
			call.Judgement = j
			result, err := execute(t.Context(), call, r)
			if err != nil {
				t.Fatal(err)
			}
			d, _ := json.Marshal(result.Denials)
			t.Logf("%s: %d %.300q %s", c.program, result.ExitCode, result.Output, d)
			if came := len(seen.requests()) > before; came != (at == v.Listed) {
				t.Errorf("%s at %s: came %v", c.program, at, came)
			}
			if denied := strings.Contains(string(d), `"host":"unlisted.test"`); denied != (at != v.Listed) {
				t.Errorf("%s at %s: denied %v", c.program, at, denied)
			}
		}
	}
}

// TestAskedHosts asks once about the hosts that a command names and that are not listed, and
// lets it reach those alone.
func TestAskedHosts(t *testing.T) {
	v, seen := serveVictims(t)
	for _, c := range []struct {
		hosts   []string
		rules   []policy.Rule
		args    Args
		asks    bool
		network sandbox.Network
		granted string
	}{
		{hosts: []string{"example.org"}, args: Args{Command: "curl https://example.org/x"}, network: sandbox.Hosts},
		{hosts: []string{"example.org"}, args: Args{Command: "make"}, network: sandbox.Hosts},
		{args: Args{Command: "make"}, network: sandbox.Local},
		{args: Args{Command: "npm ci"}, asks: true, network: sandbox.Hosts, granted: "[registry.npmjs.org]"},
		{hosts: []string{"registry.npmjs.org"}, args: Args{Command: "npm ci && npm test"}, network: sandbox.Hosts},
		{hosts: []string{"pypi.org"}, args: Args{Command: "pip install x"}, asks: true, network: sandbox.Hosts, granted: "[files.pythonhosted.org]"},
		{hosts: []string{"example.org:443"}, args: Args{Command: "curl https://example.org"}, asks: true, network: sandbox.Hosts, granted: "[example.org]"},
		{hosts: []string{"example.org"}, args: Args{Command: "curl https://example.org; ssh example.org"}, asks: true, network: sandbox.Full},
		{hosts: []string{"example.org"}, args: Args{Command: "curl https://example.org", Network: "full"}, asks: true, network: sandbox.Full},
		{hosts: []string{"example.org"}, args: Args{Command: "curl https://evil.com", Network: "hosts"}, asks: true, network: sandbox.Hosts, granted: "[evil.com]"},
		{hosts: []string{"example.org"}, args: Args{Command: "ssh example.org", Network: "none"}, asks: true, network: sandbox.NoNetwork},
		{args: Args{Command: "curl http://127.0.0.2/"}, network: sandbox.Local},
		{args: Args{Command: "curl http://10.0.0.1/"}, asks: true, network: sandbox.Full},
		{hosts: []string{"example.org"}, rules: []policy.Rule{{Host: "example.org", Decision: policy.Ask}}, args: Args{Command: "curl https://example.org/"}, asks: true, network: sandbox.Hosts},
		{hosts: []string{"example.org"}, rules: []policy.Rule{{Network: new(true), Decision: policy.Ask}}, args: Args{Command: "curl https://example.org/"}, asks: true, network: sandbox.Hosts},
	} {
		call, _ := world(t, config.Exec{Hosts: c.hosts}, c.rules...)
		provideClient(t, call)
		j, r := judged(t, call, c.args)
		if r.Kind != sandbox.Namespaces {
			t.Skip("no namespaces here")
		}
		granted := ""
		if len(r.granted) > 0 {
			granted = "[" + r.granted.String() + "]"
		}
		if d := decided(call, j); (d.Verdict == policy.Ask) != c.asks || r.network != c.network || granted != c.granted {
			t.Errorf("%+v: %s %v, network %s, granted %s", c, d.Verdict, j.Reasons, r.network, granted)
		}
	}
	call, _ := world(t, config.Exec{})
	provideClient(t, call)
	j, r := judged(t, call, Args{Command: "curl -sS http://" + v.Listed + "/away http://" + v.Listed + "/; curl -sSL http://" + v.Listed + "/away", MaxOutput: 5000, Timeout: 20})
	call.Judgement = j
	if question, err := outline(t.Context(), call, r); err != nil || !strings.Contains(question, "a yes lets it connect to "+v.Listed+", beside") {
		t.Errorf("the question is %q, %v", question, err)
	}
	result, err := execute(t.Context(), call, r)
	if err != nil {
		t.Fatal(err)
	}
	if reached, _ := seen.all(); len(seen.requests()) != 3 || len(reached) > 0 || len(result.Denials) != 1 || result.Denials[0].Host != "unlisted.test" {
		t.Errorf("%v, %v, %+v", seen.requests(), reached, result.Denials)
	}
}
