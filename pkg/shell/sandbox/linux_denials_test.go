//go:build linux

package sandbox

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestDenials runs commands that are refused and reads what they say.
func TestDenials(t *testing.T) {
	for _, kind := range kinds(t) {
		p := newProfile(t)
		p.Secrets = append(p.Secrets, "/etc/passwd-")
		for _, c := range []struct {
			script, op, path string
		}{
			{"touch /usr/x", "write", "/usr/x"},
			{"echo x > /etc/x | cat", "write", "/etc/x"},
			{"cat /etc/shadow | true", "read", "/etc/shadow"},
			{"bash -c 'exec 3<> /dev/tcp/127.0.0.1/9'", "network", ""},
			{"touch /does/not/exist", "", ""},
			{"cat nothing /usr/nothing /etc/nothing", "", ""},
			{"echo 'x: Permission denied'", "", ""},
			{"echo '/work: fine'", "", ""},
		} {
			o := run(t, kind, p, "sh", "-c", c.script)
			var got, want []string
			for _, d := range o.sb.Denials(o.out, p.Workspace) {
				got = append(got, d.Op, d.Path)
				if d.Rule == "" || d.Fix.IsZero() {
					t.Errorf("%+v says too little", d)
				}
			}
			if c.op != "" {
				want = []string{c.op, c.path}
			}
			if kind == Landlock && c.op == "network" {
				continue // the shell says "Operation not permitted" and no path
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s: %s %q", kind, c.script, d, o.out)
			}
		}
	}
}

// TestNetworkDenial says for what a program prints which word opens the network.
func TestNetworkDenial(t *testing.T) {
	all := Support{Namespaces: true, LandlockABI: 4, Seccomp: true}
	for _, c := range []struct {
		kind    Kind
		network Network
		line    string
		fix     string // what the hint names; "" for no denial
	}{
		{Namespaces, Local, "curl: (7) Failed to connect to localhost port 5432: Connection refused", "network=full"},
		{Namespaces, Local, "psycopg2.OperationalError: connection to server at \"127.0.0.1\", port 5432 failed: Connection refused", "network=full"},
		{Namespaces, Local, "Error: connect ECONNREFUSED 127.0.0.1:6379", "network=full"},
		{Namespaces, Local, "ConnectionRefusedError: [Errno 111] Connection refused", "network=full"},
		{Namespaces, Local, "npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org", "network=full"},
		{Namespaces, NoNetwork, "dial tcp 127.0.0.1:80: connect: network is unreachable", "network=local"},
		{Namespaces, Full, "dial tcp 127.0.0.1:80: connect: connection refused", ""},
		{Landlock, Local, "panic: httptest: failed to listen on a port: listen tcp6 [::1]:0: socket: operation not permitted", "network=full"},
		{Landlock, Local, "Error: listen EPERM: operation not permitted 127.0.0.1", "network=full"},
		{Landlock, Full, "Error: listen EPERM: operation not permitted 127.0.0.1", ""},
	} {
		sb, err := New(Profile{Filesystem: ReadOnly, Network: c.network, Workspace: "/work"}, all, c.kind)
		if err != nil {
			t.Fatal(err)
		}
		fix := ""
		for _, d := range sb.Denials(c.line+"\n", "/work") {
			fix = d.Op + ": " + d.Fix.In(fault.English)
		}
		if c.fix == "" && fix != "" || !strings.Contains(fix, c.fix) || fix != "" && !strings.HasPrefix(fix, "network: ") {
			t.Errorf("%s %s: %s: %q", c.kind, c.network, c.line, fix)
		}
	}
}

// TestNamedDenial has a line in which each word could be a file of the workspace.
func TestNamedDenial(t *testing.T) {
	dir := outsideDir(t) // below /tmp, everything may be written
	sb, err := New(Profile{Filesystem: ReadOnly, Network: NoNetwork, Workspace: dir, Secrets: []string{filepath.Join(dir, "hidden")}}, Support{Namespaces: true}, Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	got := sb.Denials("cat: hidden: Permission denied\n", dir)
	if len(got) != 1 || got[0].Op != "read" || got[0].Path != filepath.Join(dir, "hidden") {
		t.Errorf("%+v", got)
	}
}

func FuzzDenials(f *testing.F) {
	f.Add("touch: cannot touch '/usr/x': Read-only file system\n")
	f.Add("‘a: Permission denied")
	sb, err := New(Profile{Filesystem: ReadOnly, Network: NoNetwork, Workspace: "/work", Secrets: []string{"/etc/shadow"}}, Support{Namespaces: true}, Namespaces)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, output string) {
		for _, d := range sb.Denials(output, "/work") {
			if d.Op != "network" && !filepath.IsAbs(d.Path) {
				t.Errorf("%q", d.Path)
			}
		}
	})
}
