//go:build unix

package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// confining returns what a kind enforces of a profile, whether this machine has it or not.
func confining(p Profile, k Kind) *Confinement {
	s := Support{Namespaces: true, LandlockABI: 6, Seccomp: true, Broker: true}
	return &Confinement{Profile: p, Support: s, Kind: k, report: report(p, s, k)}
}

// TestMalformed refuses, wherever it stands in a profile, a path that is not absolute,
// not clean or impossible.
func TestMalformed(t *testing.T) {
	for place, set := range map[string]func(*Profile, string){
		"workspace": func(p *Profile, path string) { p.Workspace = path },
		"writable":  func(p *Profile, path string) { p.Writable = []string{path} },
		"readable":  func(p *Profile, path string) { p.Readable = []string{path} },
		"protected": func(p *Profile, path string) { p.Protected = []string{path} },
		"secrets":   func(p *Profile, path string) { p.Secrets = []string{path} },
		"movable":   func(p *Profile, path string) { p.Movable = []string{path} },
		"settings":  func(p *Profile, path string) { p.Settings = []string{path} },
		"temp":      func(p *Profile, path string) { p.Temp = path },
		"layers":    func(p *Profile, path string) { p.Layers = &Layers{Dir: "/x", Paths: []string{path}} },
		"slots":     func(p *Profile, path string) { p.Layers = &Layers{Dir: path} },
		"upper":     func(p *Profile, path string) { p.Preview = &Preview{Upper: path, Work: "/x"} },
		"work":      func(p *Profile, path string) { p.Preview = &Preview{Upper: "/x", Work: path} },
	} {
		for _, path := range []string{"relative", "/a/../b", "/a/", "/a\x00", "/good"} {
			p := Profile{Filesystem: ReadOnly, Network: NoNetwork, Workspace: "/work"}
			set(&p, path)
			err := p.check()
			if path == "/good" && err != nil || path != "/good" && !fault.Is(err, fault.InvalidArguments) {
				t.Errorf("%s %q: %v", place, path, err)
			}
		}
	}
	for _, network := range []Network{NoNetwork, Local, Full} {
		if err := (Profile{Filesystem: Workspace, Network: network, Workspace: "/work"}).check(); err != nil {
			t.Errorf("%s: %v", network, err)
		}
	}
}

// TestReportOfGaps says what a kind cannot enforce of a profile, and what it can is not
// among it.
func TestReportOfGaps(t *testing.T) {
	partly := &workspace.Survey{Partial: true}
	for _, c := range []struct {
		kind    Kind
		profile Profile
		support Support
		want    string
	}{
		{Namespaces, Profile{}, Support{LandlockABI: 1}, ""},
		{Namespaces, Profile{}, Support{}, "no_landlock"},
		{Namespaces, Profile{Survey: partly}, Support{LandlockABI: 1}, "protected_paths_partial"},
		{Namespaces, Profile{Survey: &workspace.Survey{}}, Support{LandlockABI: 1}, ""},
		{Landlock, Profile{}, Support{LandlockABI: 6, Broker: true, Sockets: true}, "no_namespaces protected_paths_restored"},
		{Landlock, Profile{}, Support{LandlockABI: 6}, "file_metadata no_namespaces no_unix_sockets protected_paths_restored"},
		{Landlock, Profile{Network: Local}, Support{LandlockABI: 6, Broker: true}, "no_loopback no_namespaces no_unix_sockets protected_paths_restored"},
		{Landlock, Profile{Network: Local}, Support{LandlockABI: 6, Broker: true, Sockets: true}, "no_namespaces protected_paths_restored"},
		{Landlock, Profile{}, Support{LandlockABI: 3, Broker: true, Sockets: true}, "landlock_abi<4:tcp landlock_abi<5:devices landlock_abi<6:scope no_namespaces protected_paths_restored"},
		{None, Profile{Closed: true}, Support{}, "no_sandbox reads"},
		{None, Profile{}, Support{}, "no_sandbox"},
	} {
		if got := strings.Join(report(c.profile, c.support, c.kind).Degraded, " "); got != c.want {
			t.Errorf("%s %+v: %q, want %q", c.kind, c.profile, got, c.want)
		}
	}
	sb := confining(Profile{}, Namespaces)
	for _, word := range []string{"b", "a", "b"} {
		sb.Degrade(word)
	}
	if d := cmp.Diff([]string{"a", "b"}, sb.Report().Degraded); d != "" {
		t.Error(d)
	}
}

// TestKinds has what a machine must have for each kind, and which is the best.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		support Support
		best    Kind
	}{
		{Support{}, None},
		{Support{Job: true}, Job},
		{Support{Seatbelt: true, Job: true}, Seatbelt},
		{Support{LandlockABI: 1}, None},
		{Support{Seccomp: true}, None},
		{Support{LandlockABI: 1, Seccomp: true, Seatbelt: true}, Landlock},
		{Support{Namespaces: true, LandlockABI: 1, Seccomp: true}, Namespaces},
	} {
		if got := c.support.Best(); got != c.best {
			t.Errorf("%+v: %s, want %s", c.support, got, c.best)
		}
	}
	if (Support{}).Has("another") {
		t.Error("a kind that nobody knows is supported")
	}
	for kind, want := range map[Kind]bool{Namespaces: true, Landlock: true, Seatbelt: true, Job: false, None: false} {
		if kind.Confines() != want {
			t.Errorf("%s: %t", kind, !want)
		}
	}
}

// TestWritableRoots has the directories of a profile that a command may write to.
func TestWritableRoots(t *testing.T) {
	p := Profile{Filesystem: Workspace, Workspace: "/w", Writable: []string{"/more"}, Layers: &Layers{Paths: []string{"/cache"}}}
	if d := cmp.Diff([]string{"/w", "/more"}, p.Roots()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"/cache"}, p.LayerPaths()); d != "" {
		t.Error(d)
	}
	for path, want := range map[string]bool{"/w/a": true, "/w/a/b": true, "/more/a": true, "/w": false, "/more": false, "/": false, "/ww/a": false} {
		if p.Inside(path) != want {
			t.Errorf("inside %s: %t", path, !want)
		}
	}
	p.Filesystem = ReadOnly
	if p.Roots() != nil || p.LayerPaths() != nil || p.Inside("/w/a") {
		t.Error("a profile that reads may write")
	}
}

// TestProtectedTargets protects what protected links lead to, in the workspace alone
// and once.
func TestProtectedTargets(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws := filepath.Join(top, "ws")
	if err := os.MkdirAll(filepath.Join(ws, "hooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "hooks", "out": "..", "own": "own-target/missing"} {
		if err := os.Symlink(to, filepath.Join(ws, link)); err != nil {
			t.Fatal(err)
		}
	}
	in := func(names ...string) (all []string) {
		for _, name := range names {
			all = append(all, filepath.Join(ws, name))
		}
		return all
	}
	p := Profile{Filesystem: Workspace, Workspace: ws, Protected: in("link/post-commit", "out/x", "plain", "hooks")}
	before := p.Protected
	p.protectTargets()
	if d := cmp.Diff(in("link/post-commit", "out/x", "plain", "hooks", "hooks/post-commit"), p.Protected); d != "" {
		t.Error(d)
	}
	if len(before) != 4 {
		t.Error("the caller's profile changed")
	}
}
