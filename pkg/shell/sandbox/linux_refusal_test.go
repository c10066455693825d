//go:build linux

package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// confining returns a sandbox of a kind that is not built.
func confining(p Profile, k Kind) *Sandbox {
	s := Support{Namespaces: true, LandlockABI: 6, Seccomp: true, Broker: true}
	return &Sandbox{profile: p, support: s, kind: k, report: report(p, s, k)}
}

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
		if got := sb.wider().In(fault.English); !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: %q", c.kind, c.network, got)
		}
	}
}
