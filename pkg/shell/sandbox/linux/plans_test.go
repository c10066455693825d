//go:build linux && (amd64 || arm64)

package linux

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// confining returns a sandbox of a kind that is not built.
func confining(p sandbox.Profile, k sandbox.Kind) *confined {
	s := sandbox.Support{Namespaces: true, LandlockABI: 6, Seccomp: true, Broker: true}
	return &confined{Confinement: &sandbox.Confinement{Profile: p, Support: s, Kind: k}}
}

// TestPlans has what of a profile becomes which mount.
func TestPlans(t *testing.T) {
	dir := outsideDir(t)
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	lay(t, dir, "ws/", "ws/secret=x", "temp/", "secret=x", "more/")
	tmp, err := filepath.EvalSymlinks(tmpDir(t).Workspace)
	if err != nil {
		t.Fatal(err)
	}
	lay(t, filepath.Dir(tmp), "shown=x", "secrets/")
	program := filepath.Join(filepath.Dir(tmp), "program")
	lay(t, filepath.Dir(tmp), "755:program=x")
	base := sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: in("ws"), Writable: []string{in("more")}, Temp: in("temp")}
	for _, c := range []struct {
		name   string
		change func(*sandbox.Profile)
		path   string
		want   func(pl plan, sb *confined) bool
	}{
		{"plain", func(*sandbox.Profile) {}, "/bin/sh", func(pl plan, _ *confined) bool {
			return pl.OwnNetwork && !pl.Loopback && pl.Mounts.Temp == in("temp") && len(pl.Mounts.Shown) == 0 && slices.Equal(pl.Mounts.Writable, []string{in("ws"), in("more")}) && pl.Mounts.Preview == nil && pl.Mounts.Closed == nil
		}},
		{"no directory for temporary files", func(p *sandbox.Profile) { p.Temp = "" }, "/bin/sh", func(pl plan, _ *confined) bool { return pl.Mounts.Temp == "" }},
		{"its own loopback", func(p *sandbox.Profile) { p.Network = sandbox.Local }, "/bin/sh", func(pl plan, _ *confined) bool { return pl.OwnNetwork && pl.Loopback }},
		{"the network", func(p *sandbox.Profile) { p.Network = sandbox.Full }, "/bin/sh", func(pl plan, _ *confined) bool { return !pl.OwnNetwork && !pl.Loopback }},
		{"reading", func(p *sandbox.Profile) { p.Filesystem = sandbox.ReadOnly }, "/bin/sh", func(pl plan, _ *confined) bool {
			return slices.Equal(pl.Mounts.Shown, []string{in("ws")}) && len(pl.Mounts.Writable) == 0
		}},
		{"a program below /tmp", func(*sandbox.Profile) {}, program, func(pl plan, _ *confined) bool { return slices.Equal(pl.Mounts.Shown, []string{program}) }},
		{"readable below /tmp and elsewhere", func(p *sandbox.Profile) { p.Readable = []string{filepath.Join(filepath.Dir(tmp), "shown"), "/usr"} }, "/bin/sh", func(pl plan, _ *confined) bool {
			return slices.Equal(pl.Mounts.Shown, []string{filepath.Join(filepath.Dir(tmp), "shown")})
		}},
		{"secrets", func(p *sandbox.Profile) { p.Secrets = []string{in("secret"), in("ws/secret"), in("none")} }, "/bin/sh", func(pl plan, _ *confined) bool {
			return slices.Contains(pl.Mounts.Hidden, in("secret")) && slices.Contains(pl.Mounts.Hidden, in("ws/secret")) && !slices.Contains(pl.Mounts.Hidden, in("none"))
		}},
		{"a secret above the workspace", func(p *sandbox.Profile) { p.Secrets = []string{dir} }, "/bin/sh", func(pl plan, _ *confined) bool { return !slices.Contains(pl.Mounts.Hidden, dir) }},
		{"a secret below /tmp", func(p *sandbox.Profile) { p.Secrets = []string{filepath.Join(filepath.Dir(tmp), "secrets")} }, "/bin/sh", func(pl plan, _ *confined) bool {
			return !slices.Contains(pl.Mounts.Hidden, filepath.Join(filepath.Dir(tmp), "secrets"))
		}},
		{"a secret in what is shown below /tmp", func(p *sandbox.Profile) {
			p.Readable, p.Secrets = []string{filepath.Dir(tmp)}, []string{filepath.Join(filepath.Dir(tmp), "secrets")}
		}, "/bin/sh", func(pl plan, _ *confined) bool {
			return slices.Contains(pl.Mounts.Hidden, filepath.Join(filepath.Dir(tmp), "secrets"))
		}},
		{"a preview", func(p *sandbox.Profile) { p.Preview = &sandbox.Preview{Upper: in("upper"), Work: in("work")} }, "/bin/sh", func(pl plan, _ *confined) bool {
			return pl.Mounts.Preview != nil && *pl.Mounts.Preview == overlay{Lower: in("ws"), Upper: in("upper"), Work: in("work")}
		}},
		{"closed", func(p *sandbox.Profile) { p.Closed = true }, "/bin/sh", func(pl plan, _ *confined) bool {
			return !slices.Contains(pl.Mounts.Closed, "/usr") && !slices.Contains(pl.Mounts.Closed, "/tmp") && slices.Contains(pl.Rules, rule{Path: "/", Rights: rightsList}) &&
				slices.Contains(pl.Rules, rule{Path: "/usr", Rights: rightsRead}) && !slices.ContainsFunc(pl.Rules, func(r rule) bool { return r.Path == "/dev" && r.Rights == rightsRead })
		}},
		{"layers", func(p *sandbox.Profile) { p.Layers = &sandbox.Layers{Dir: in("slots"), Paths: []string{in("more")}} }, "/bin/sh", func(pl plan, _ *confined) bool {
			return slices.Contains(pl.Rules, rule{Path: in("more"), Rights: rightsWrite}) && slices.Contains(pl.Rules, rule{Path: "/", Rights: rightsRead})
		}},
	} {
		p := base
		c.change(&p)
		sb := confining(p, sandbox.Namespaces)
		pl, err := sb.plan(sandbox.Command{Path: c.path, Dir: in("ws")})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if !c.want(pl, sb) {
			t.Errorf("%s: %+v", c.name, pl)
		}
	}
}

// TestPins has what of the protected paths is mounted: marked directories that must not
// be renamed, and what is there.
func TestPins(t *testing.T) {
	ws, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lay(t, ws, ".a/", ".a/b/", ".a/b/f=x", "plain/", "plain/f=x", ".l->plain", "gone/", "gone/.x/", "gone/.x/f=x")
	in := func(names ...string) (all []string) {
		for _, name := range names {
			all = append(all, filepath.Join(ws, name))
		}
		return all
	}
	p := sandbox.Profile{Filesystem: sandbox.Workspace, Workspace: ws, Movable: in("gone"), Protected: append(in(".a/b/f", ".a/b/none", "plain/f", "plain/f", ".l/f", "none", "gone/.x/f"), "/etc/passwd")}
	pinned, protected := pins(p)
	if want := in(".a", ".a/b"); !slices.Equal(pinned, want) {
		t.Errorf("pinned are %q", pinned)
	}
	if want := in(".a/b/f", "plain/f"); !slices.Equal(protected, want) {
		t.Errorf("protected are %q", protected)
	}
}

// TestClearWay moves aside, in the directory for temporary files, what is of another
// type than what will be mounted there.
func TestClearWay(t *testing.T) {
	for _, c := range []struct {
		name string
		left []string // what an earlier command left
		want string   // what is there afterwards
	}{
		{"nothing", nil, ""},
		{"directories", []string{"a/", "a/b/"}, "a a/b"},
		{"a link", []string{"a->/usr"}, "a.ASIDE"},
		{"a file", []string{"a=x"}, "a.ASIDE"},
		{"a link at the end", []string{"a/", "a/b->/usr"}, "a a/b.ASIDE"},
		{"a directory for a file", []string{"f/"}, "f.ASIDE"},
		{"a file for a file", []string{"f=x"}, "f"},
		{"something else", []string{"other->/usr"}, "other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			lay(t, dir, "machine/", "machine/a/", "machine/a/b/", "machine/f=x", "temp/")
			machine, temp := filepath.Join(dir, "machine"), filepath.Join(dir, "temp")
			lay(t, temp, c.left...)
			m := mounts{Temp: temp, Replaced: []string{machine}, Shown: []string{machine + "/a/b", machine + "/f", machine + "/none", "/usr"}, Writable: []string{machine}}
			if err := m.clearWay(); err != nil {
				t.Fatal(err)
			}
			var got []string
			err := filepath.WalkDir(temp, func(name string, _ fs.DirEntry, err error) error {
				if name != temp {
					rel := name[len(temp)+1:]
					if i := strings.Index(rel, ".aside-"); i >= 0 {
						rel = rel[:i] + ".ASIDE"
					}
					got = append(got, rel)
				}
				return err
			})
			if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("%q, %v; want %s", got, err, c.want)
			}
		})
	}
	if err := (&mounts{}).clearWay(); err != nil {
		t.Error(err)
	}
	if err := (&mounts{Temp: filepath.Join(t.TempDir(), "gone")}).clearWay(); err == nil {
		t.Error("a directory that is gone has nothing in the way")
	}
}

// TestAttached makes the way to what is attached below a directory that the sandbox has
// of its own, and none elsewhere.
func TestAttached(t *testing.T) {
	m := mounts{Replaced: []string{"/tmp"}, Closed: []string{"/home"}}
	for _, c := range []struct {
		path string
		file bool
		want string
	}{
		{"/tmp/a/b", false, "mkdir /tmp/a, mkdir /tmp/a/b, move_mount /tmp/a/b"}, {"/tmp/a/b", true, "mkdir /tmp/a, mknod /tmp/a/b, move_mount /tmp/a/b"},
		{"/home/me", false, "mkdir /home/me, move_mount /home/me"}, {"/tmp", false, "move_mount /tmp"}, {"/usr/x", false, "move_mount /usr/x"}, {"/dev/shm/x", true, "mknod /dev/shm/x, move_mount /dev/shm/x"},
	} {
		var s script
		m.attach(&s, detached{path: c.path, fd: new(int32), file: c.file})
		var got []string
		for _, step := range s.steps {
			got = append(got, step.what+" "+step.path)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %s", c.path, got, c.want)
		}
	}
}

// TestCovered covers directories and files that must not be read, and says what cannot
// be replaced.
func TestCovered(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, "d/", "f=x", "g=x", ".npmrc=x", "l->f")
	steps := func(names ...string) (all []string) {
		var paths []string
		for _, name := range names {
			paths = append(paths, filepath.Join(dir, name))
		}
		var s script
		if err := hide(&s, paths); err != nil {
			t.Fatal(err)
		}
		for _, step := range s.steps {
			all = append(all, step.what)
		}
		return all
	}
	file := []string{"mknod", "hiding", "open_tree", "read-only", "move_mount", "hiding"}
	for _, c := range []struct{ names, want []string }{
		{[]string{"none", "f/below", "l"}, nil},
		{[]string{"d"}, []string{"hiding", "hiding"}},
		{[]string{"f"}, file},
		{[]string{"f", "g"}, slices.Concat(file[:5], file[1:5], file[5:])}, // one cover for both
		{[]string{".npmrc"}, slices.Concat(file[:1], []string{"open", "write", "fchmod", "close"}, file[1:])},
	} {
		if got := steps(c.names...); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
	for name, want := range map[string]struct {
		steps int
		good  bool
	}{"d": {1, true}, "none": {0, true}, "f": {0, false}, "l": {0, false}} {
		var s script
		if err := replace(&s, filepath.Join(dir, name), mostTemp); (err == nil) != want.good || len(s.steps) != want.steps {
			t.Errorf("%s: %d steps, %v", name, len(s.steps), err)
		}
	}
}

// TestRealDirectories resolves links and drops what comes twice.
func TestRealDirectories(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lay(t, dir, "a/", "l->a")
	in := func(name string) string { return filepath.Join(dir, name) }
	if got, want := realDirectories([]string{in("a"), in("l"), in("none"), in("a")}), []string{in("a"), in("none")}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !isReal(in("a")) || isReal(in("l")) || isReal(in("none")) || !isRealDirectory(in("a")) || isRealDirectory(in("l")) {
		t.Error("what is a link is not real")
	}
	for name, want := range map[string]bool{"a": true, "l": true, "none": false} { // a link to a directory counts as one
		if isDirectory(in(name)) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
	if _, err := os.Stat(in("a")); err != nil {
		t.Error(err)
	}
}
