//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// TestRefusedAccess reads complaints about paths in a directory that the process itself
// may write to, of which a profile protects, hides and opens parts.
func TestRefusedAccess(t *testing.T) {
	dir := outsideDir(t)
	for _, name := range []string{"ws/.git/hooks", "ws/sub", "more", "temp", "layer", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	p := Profile{
		Filesystem: Workspace, Network: NoNetwork, Workspace: in("ws"), Writable: []string{in("more")}, Temp: in("temp"), Layers: &Layers{Paths: []string{in("layer")}},
		Protected: []string{in("ws/.git/hooks")}, Secrets: []string{in("hidden")},
	}
	const denied = ": Permission denied"
	for _, c := range []struct {
		kind       Kind
		filesystem Filesystem
		line       string // DIR is the directory
		want       string // OP PATH RULE; "" for nothing
	}{
		{Namespaces, Workspace, "touch: DIR/other/x" + denied, "write other/x outside the workspace"},
		{Namespaces, Workspace, "touch: DIR/other" + denied, "write other outside the workspace"},
		{Namespaces, Workspace, "touch: DIR/ws/x" + denied, ""},
		{Namespaces, Workspace, "touch: DIR/ws" + denied, ""},
		{Namespaces, Workspace, "touch: DIR/more/x" + denied, ""},
		{Namespaces, Workspace, "touch: DIR/temp/x" + denied, ""},
		{Namespaces, Workspace, "touch: DIR/layer/x" + denied, ""},
		{Landlock, Workspace, "touch: DIR/layer/x" + denied, "write layer/x outside the workspace"},
		{Landlock, Workspace, "touch: DIR/ws/x" + denied, ""},
		{Namespaces, ReadOnly, "touch: DIR/ws/x" + denied, "write ws/x filesystem=readonly"},
		{Namespaces, ReadOnly, "touch: DIR/layer/x" + denied, "write layer/x filesystem=readonly"},
		{Namespaces, ReadOnly, "touch: DIR/temp/x" + denied, ""},
		{Namespaces, ReadOnly, "sh: /dev/null" + denied, ""},
		{Landlock, ReadOnly, "sh: /dev/null" + denied, ""},
		{Landlock, ReadOnly, "sh: /dev/tty" + denied, ""},
		{Namespaces, Workspace, "sh: /run/x" + denied, ""},
		{Namespaces, Workspace, "touch: DIR/ws/.git/hooks/x" + denied, "write ws/.git/hooks/x protected DIR/ws/.git/hooks"},
		{Namespaces, Workspace, "mv: DIR/ws/.git: Device or resource busy", "write ws/.git protected DIR/ws/.git/hooks"},
		{Namespaces, Workspace, "mv: DIR/ws: Device or resource busy", ""},
		{Namespaces, Workspace, "mv: DIR: Device or resource busy", "write  outside the workspace"},
		{Namespaces, Workspace, "cat: DIR/hidden/key" + denied, "read hidden/key secret DIR/hidden"},
		{Namespaces, Workspace, "cat: DIR/hidden/key: No such file or directory", "read hidden/key secret DIR/hidden"},
		{Namespaces, Workspace, "node: ENOENT, open 'DIR/hidden/key'", "read hidden/key secret DIR/hidden"},
		{Namespaces, Workspace, "cat: DIR/other/x: No such file or directory", ""},
		{Namespaces, Workspace, "touch: DIR/nothing/x/y" + denied, ""},
		{None, Workspace, "touch: DIR/other/x" + denied, ""},
		// How programs name a path.
		{Namespaces, Workspace, "touch: cannot touch 'DIR/other/a b'" + denied, "write other/a b outside the workspace"},
		{Namespaces, Workspace, "mkdir: ‘DIR/other/a b’" + denied, "write other/a b outside the workspace"},
		{Namespaces, Workspace, "rm: `DIR/other/a b'" + denied, "write other/a b outside the workspace"},
		{Namespaces, Workspace, `open "DIR/other/a b": permission denied`, "write other/a b outside the workspace"},
		{Namespaces, Workspace, "Error: EACCES, open (DIR/other/x);", "write other/x outside the workspace"},
		{Namespaces, Workspace, "touch: ../other/x" + denied, "write other/x outside the workspace"},
		{Namespaces, Workspace, "touch: -DIR/other/x" + denied, ""},
		{Namespaces, Workspace, "it's DIR/other/x" + denied, "write other/x outside the workspace"},
		// What the profile names comes before another path.
		{Namespaces, Workspace, "cp: DIR/other/x DIR/hidden/key" + denied, "read hidden/key secret DIR/hidden"},
		{Namespaces, Workspace, "cp: DIR/other/x DIR/other/y" + denied, "write other/x outside the workspace"},
	} {
		p.Filesystem = c.filesystem
		got, cwd := "", p.Workspace
		if c.filesystem == ReadOnly {
			cwd = "/does/not/exist" // else each word of the line could be a file there
		}
		for _, d := range confining(p, c.kind).Denials(strings.ReplaceAll(c.line, "DIR", dir)+"\n", cwd) {
			got += d.Op + " " + strings.TrimPrefix(strings.TrimPrefix(d.Path, dir), "/") + " " + strings.ReplaceAll(d.Rule, dir, "DIR")
		}
		if got != c.want {
			t.Errorf("%s, %s: %s\n%q, want %q", c.kind, c.filesystem, c.line, got, c.want)
		}
	}
}

// TestNoTemp has a profile without a directory for temporary files, in which any path
// would lie otherwise.
func TestNoTemp(t *testing.T) {
	dir := outsideDir(t)
	sb := confining(Profile{Filesystem: ReadOnly, Network: NoNetwork, Workspace: filepath.Join(dir, "ws")}, Landlock)
	if got := sb.Denials("touch: "+dir+"/x: Permission denied\n", "/does/not/exist"); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestRepeatedDenials lists an access once, however often programs try it.
func TestRepeatedDenials(t *testing.T) {
	p := Profile{Filesystem: ReadOnly, Network: NoNetwork, Workspace: "/work", Secrets: []string{"/secret"}}
	output := strings.Repeat("cat: /secret/a: Permission denied\ncat: /secret/b: Permission denied\ncurl: (6) Could not resolve host: example.com\n", 2)
	var got []string
	for _, d := range confining(p, Namespaces).Denials(output, "/work") {
		got = append(got, d.Op+" "+d.Path+" "+d.Rule)
	}
	want := []string{"read /secret/a secret /secret", "read /secret/b secret /secret", "network example.com network=none"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestHostIn(t *testing.T) {
	for line, want := range map[string]string{
		"curl: (6) Could not resolve host: example.com":       "example.com",
		"dial tcp: lookup example.com: no such host":          "example.com",
		"Error: getaddrinfo ENOTFOUND example.com, and so on": "example.com",
		"could not resolve host: ":                            "",
		"connection refused":                                  "",
	} {
		if got := hostIn(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestWider names the network that is one step more than the command had.
func TestWider(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		network Network
		want    string
	}{
		{Namespaces, Local, "loopback of its own"}, {Namespaces, NoNetwork, "network=local"}, {Landlock, NoNetwork, "ask for network=full; a person"},
	} {
		sb := confining(Profile{Filesystem: ReadOnly, Network: c.network, Workspace: "/work"}, c.kind)
		if got := sb.wider(false).In(fault.English); !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: %q", c.kind, c.network, got)
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
		{Namespaces, Local, "curl: (7) Failed to connect to localhost port 5432: Connection refused", "nothing listens there"},
		{Namespaces, Local, "psycopg2.OperationalError: connection to server at \"127.0.0.1\", port 5432 failed: Connection refused", "network=full"},
		{Namespaces, Local, "Error: connect ECONNREFUSED 127.0.0.1:6379", "network=full"},
		{Namespaces, Local, "ConnectionRefusedError: [Errno 111] Connection refused", "network=full"},
		{Namespaces, Local, "curl: (7) Failed to connect to localhost port 8000 after 0 ms: Could not connect to server", "nothing listens there"},
		{Namespaces, Local, "curl: (7) Failed to connect to 127.0.0.1 port 8000 after 0 ms: Couldn't connect to server", "nothing listens there"},
		{Namespaces, Local, "curl: (7) Failed to connect to 93.184.215.14 port 80 after 0 ms: Couldn't connect to server", "to reach the machine's or others"},
		{Landlock, Local, "ConnectionRefusedError: [Errno 111] Connection refused", "this sandbox has no loopback"},
		{Namespaces, Local, "npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org", "network=full"},
		{Namespaces, NoNetwork, "dial tcp 127.0.0.1:80: connect: network is unreachable", "network=local"},
		{Namespaces, Full, "dial tcp 127.0.0.1:80: connect: connection refused", ""},
		{Landlock, Local, "panic: httptest: failed to listen on a port: listen tcp6 [::1]:0: socket: operation not permitted", "network=full"},
		{Landlock, Local, "Error: listen EPERM: operation not permitted 127.0.0.1", "network=full"},
		{Landlock, Full, "Error: listen EPERM: operation not permitted 127.0.0.1", ""},
	} {
		sb, err := Confine(Profile{Filesystem: ReadOnly, Network: c.network, Workspace: "/work"}, all, c.kind)
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
	sb, err := Confine(Profile{Filesystem: ReadOnly, Network: NoNetwork, Workspace: dir, Secrets: []string{filepath.Join(dir, "hidden")}}, Support{Namespaces: true}, Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	got := sb.Denials("cat: hidden: Permission denied\n", dir)
	if len(got) != 1 || got[0].Op != "read" || got[0].Path != filepath.Join(dir, "hidden") {
		t.Errorf("%+v", got)
	}
}

func TestDenialLimit(t *testing.T) {
	sb, err := Confine(Profile{Filesystem: ReadOnly, Network: NoNetwork, Workspace: "/work", Secrets: []string{"/secret"}}, Support{Namespaces: true}, Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	var output strings.Builder
	for i := range 25 {
		fmt.Fprintf(&output, "cat: /secret/%d: Permission denied\n", i)
	}
	if got := len(sb.Denials(output.String(), "/work")); got != 20 {
		t.Errorf("%d denials", got)
	}
}

func FuzzDenials(f *testing.F) {
	f.Add("touch: cannot touch '/usr/x': Read-only file system\n")
	f.Add("‘a: Permission denied")
	sb, err := Confine(Profile{Filesystem: ReadOnly, Network: NoNetwork, Workspace: "/work", Secrets: []string{"/etc/shadow"}}, Support{Namespaces: true}, Namespaces)
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

// outsideDir returns a new directory below none of those that a sandbox has of its own.
func outsideDir(t *testing.T) string {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	own := func(dir string) bool {
		return slices.ContainsFunc([]string{"/tmp", "/var/tmp", "/run"}, func(top string) bool { return workspace.WithinOS(dir, top) })
	}
	for _, top := range []string{wd, os.Getenv("HOME"), "/opt", "/srv"} {
		if top == "" || own(top) {
			continue
		}
		if dir, err := os.MkdirTemp(top, "sandbox-"); err == nil { //nolint:usetesting // the place matters
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			return dir
		}
	}
	t.Skip("no directory outside of /tmp may be written to")
	return ""
}

// TestLeftOut has what Landlock leaves unreadable beside what is hidden, in the words of
// several languages.
func TestLeftOut(t *testing.T) {
	dir := outsideDir(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"ws", "home/.ssh"} {
		if err := os.MkdirAll(in(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"home/.gitconfig", "ws/key", "ws/made"} {
		if err := os.WriteFile(in(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := Profile{
		Filesystem: Workspace, Workspace: in("ws"), Secrets: []string{in("home/.ssh"), in("ws/key")},
		Hides: func(rel string) bool { return strings.HasSuffix(rel, ".pem") },
	}
	for _, c := range []struct{ path, rule string }{{"home/.gitconfig", Overblocked}, {"ws/made", NewUnreadable}, {"ws/x.pem", "rule"}, {"home/none", ""}} {
		for _, words := range []string{"cat: PATH: Permission denied", "PermissionError: [Errno 13] Permission denied: 'PATH'", "Error: EACCES: permission denied, open 'PATH'", "open PATH: permission denied"} {
			sb := confining(p, Landlock)
			sb.Crowd([]string{in("home")})
			sb.Degrade(NewUnreadable)
			line := strings.ReplaceAll(words, "PATH", in(c.path))
			got := sb.Denials(line, in("ws"))
			if c.rule == "" {
				got = slices.DeleteFunc(got, func(d Denial) bool { return d.Op == "write" })
			}
			if found := slices.ContainsFunc(got, func(d Denial) bool { return d.Op == "read" && d.Path == in(c.path) && d.Rule == c.rule }); found != (c.rule != "") || len(got) > 1 {
				t.Errorf("%s: %+v", line, got)
			}
		}
	}
}
