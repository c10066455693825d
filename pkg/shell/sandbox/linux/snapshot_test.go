//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestRestoredEntries changes protected paths without any sandbox in the way, as a
// command can that only Landlock confines, and has them put back.
func TestRestoredEntries(t *testing.T) {
	for _, c := range []struct {
		name    string
		before  string // what makes the workspace
		protect string // paths in it
		movable string
		records string
		script  string
		changed string // the result
		after   string // what shows the protected paths afterwards
		want    string
	}{
		{"nothing", "echo a > f", "f", "", "", ":", "", "cat f", "a"},
		{"what is not protected", "echo a > f; echo b > g", "f", "", "", "echo x > g; echo y > h", "", "cat f g h", "a x y"},
		{"a text", "echo a > f", "f", "", "", "echo x > f", "f", "cat f", "a"},
		{"a mode", "echo a > f; chmod 640 f", "f", "", "", "chmod 600 f", "f", "stat -c %a f", "640"},
		{"a text and a mode", "echo a > f; chmod 640 f", "f", "", "", "echo x > f; chmod 600 f", "f", "cat f; stat -c %a f", "a 640"},
		{"a file that is gone", "echo a > f; chmod 640 f", "f", "", "", "rm f", "f", "cat f; stat -c %a f", "a 640"},
		{"a file that is new", "", "f", "", "", "echo x > f", "f", "ls", "f.ASIDE"},
		{"a link for a file", "echo a > f; echo b > g", "f", "", "", "ln -sf g f", "f", "cat f; readlink f || echo none", "a none"},
		{"another target", "ln -s a l", "l", "", "", "ln -sfn b l", "l", "readlink l", "a"},
		{"a link that is gone", "ln -s a l", "l", "", "", "rm l", "l", "readlink l", "a"},
		{"a directory that is gone", "mkdir -m 750 d; echo a > d/f", "d", "", "", "rm -r d", "d d/f", "cat d/f; stat -c %a d", "a 750"},
		{"the mode of a directory", "mkdir -m 750 d; echo a > d/f", "d", "", "", "chmod 700 d", "d", "stat -c %a d", "750"},
		{"a file in a directory", "mkdir d; echo a > d/f", "d", "", "", "echo x > d/f; echo y > d/g", "d/f d/g", "ls d; cat d/f; ls", "f a d d.ASIDE"},
		{"a directory in a directory", "mkdir d", "d", "", "", "mkdir -p d/e/f; echo x > d/e/f/g", "d/e", "ls d; ls; find d*/e", "d d.ASIDE d.ASIDE/e d.ASIDE/e/f d.ASIDE/e/f/g"},
		{"two that are new, below directories", "mkdir -p d/a d/b", "d", "", "", "echo x > d/a/f; echo y > d/b/f", "d/a/f d/b/f", "ls d.*", "a_f b_f"},
		{"the same name twice", "mkdir -p d/a", "d", "", "", "echo x > d/a/f; echo y > d/a_f", "d/a/f d/a_f", "cat d.*/*", "x y"},
		{"a file for a directory", "mkdir d; echo a > d/f", "d", "", "", "rm -r d; echo x > d", "d d d/f", "cat d/f; cat d.*", "a x"},
		{"the directory above is gone", "mkdir -p u/v; echo a > u/v/f", "u/v/f", "", "", "rm -r u", "", "ls", ""},
		{"the marked directory above is gone", "mkdir -p .u/v; chmod 750 .u/v; echo a > .u/v/f", ".u/v/f", "", "", "rm -r .u", ".u/v/f", "cat .u/v/f; stat -c %a .u/v", "a 750"},
		{"a link above", "mkdir -p .u w; echo a > .u/f", ".u/f", "", "", "mv .u x; ln -s w .u", ".u .u/f", "cat .u/f; test -L .u || echo directory", "a directory"},
		{"a file above", "mkdir -p .u; echo a > .u/f", ".u/f", "", "", "rm -r .u; echo x > .u", ".u/f", "cat .u/f; cat .u.*", "a x"},
		{"what may be moved", "mkdir -p m; echo a > m/f", "m/f", "m", "", "rm -r m", "", "ls", ""},
		{"branches that git records", "mkdir .git; printf '[core]\\n\\tbare = false\\n' > .git/config", ".git/config", "", ".git/config",
			"printf '[branch \"x\"]\\n\\tremote = origin\\n\\tmerge = refs/heads/x\\n' >> .git/config", "", "grep -c branch .git/config", "1"},
		{"settings that are no record", "mkdir .git; printf '[core]\\n\\tbare = false\\n' > .git/config", ".git/config", "", ".git/config",
			"printf '[core]\\n\\tpager = x\\n' >> .git/config", ".git/config", "grep -c pager .git/config || true", "0"},
		{"branches in what holds no settings", "mkdir .git; printf '[core]\\n\\tbare = false\\n' > .git/config", ".git/config", "", "",
			"printf '[branch \"x\"]\\n\\tremote = origin\\n' >> .git/config", ".git/config", "grep -c branch .git/config || true", "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ws, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			paths := func(names string) (all []string) {
				for name := range strings.FieldsSeq(names) {
					all = append(all, filepath.Join(ws, name))
				}
				return all
			}
			sh := func(script string) string {
				t.Helper()
				command := exec.Command("sh", "-c", "umask 022; "+script)
				command.Dir = ws
				out, err := command.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", script, err, out)
				}
				return string(out)
			}
			sh(c.before)
			p := sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: ws, Protected: paths(c.protect), Movable: paths(c.movable), Settings: paths(c.records)}
			sb := confining(p, sandbox.Landlock)
			if sb.snapshot, err = sb.takeSnapshot(); err != nil {
				t.Fatal(err)
			}
			sh(c.script)
			changed, err := sb.Restored()
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Compact(paths(c.changed))
			if !slices.Equal(changed, want) {
				t.Errorf("changed are %q, want %q", changed, want)
			}
			got := strings.Join(strings.Fields(strings.ReplaceAll(sh(c.after), sb.snapshot.suffix, ".ASIDE")), " ")
			if got != c.want {
				t.Errorf("%s prints %q, want %q", c.after, got, c.want)
			}
		})
	}
}

// TestMountedPaths has paths that a mount keeps as they are: what took the place of one
// is moved aside, and what is still there stays.
func TestMountedPaths(t *testing.T) {
	ws, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(ws, name) }
	lay(t, ws, "kept=a", "moved=b", "twin=c", "link->kept", "d/")
	if err := os.Link(in("twin"), in("other")); err != nil {
		t.Fatal(err)
	}
	p := sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: ws, Protected: []string{in("kept"), in("moved"), in("twin"), in("link"), in("d"), in("none"), in("gone")}, Settings: []string{in("gone")}}
	lay(t, ws, "gone=d")
	sb := confining(p, sandbox.Namespaces)
	if sb.snapshot, err = sb.takeSnapshot(); err != nil {
		t.Fatal(err)
	}
	var saved []string
	for _, path := range sb.snapshot.paths {
		saved = append(saved, strings.TrimPrefix(path, ws+"/"))
	}
	if want := []string{"twin", "link", "none", "gone"}; !slices.Equal(saved, want) {
		t.Errorf("%q is saved, and the kernel keeps the rest; want %q", saved, want)
	}
	if err := os.Rename(in("moved"), in("elsewhere")); err != nil {
		t.Fatal(err)
	}
	lay(t, ws, "moved=x")
	changed, err := sb.Restored()
	if err != nil || !slices.Equal(changed, []string{in("moved")}) {
		t.Errorf("%q, %v", changed, err)
	}
	if read(t, in("kept")) != "a" || read(t, in("elsewhere")) != "b" || exists(in("moved")) || read(t, in("moved")+sb.snapshot.suffix) != "x" {
		t.Error("what was moved there is not aside")
	}
}

// TestNoSnapshot saves nothing where nothing can be written that must be put back.
func TestNoSnapshot(t *testing.T) {
	ws := t.TempDir()
	lay(t, ws, "f=x")
	good := sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: ws, Protected: []string{filepath.Join(ws, "f")}}
	readOnly, preview := good, good
	readOnly.Filesystem, preview.Preview = sandbox.ReadOnly, &sandbox.Preview{}
	for _, c := range []struct {
		profile sandbox.Profile
		kind    sandbox.Kind
		want    bool
	}{
		{good, sandbox.Landlock, true}, {good, sandbox.Namespaces, true}, {readOnly, sandbox.Landlock, false}, {preview, sandbox.Namespaces, false}, {good, sandbox.None, false}, {good, sandbox.Job, false},
	} {
		kept, err := confining(c.profile, c.kind).takeSnapshot()
		if err != nil || (kept != nil) != c.want {
			t.Errorf("%s, %s: %v, %v", c.kind, c.profile.Filesystem, kept, err)
		}
	}
	if changed, err := (&confined{}).Restored(); changed != nil || err != nil {
		t.Errorf("%q, %v", changed, err)
	}
}

// TestSavedEntries has what is remembered of each type of a file.
func TestSavedEntries(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, "f=text", "l->to", "d/", "d/g=more")
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"f": "text", "l": "to", "d": "", "pipe": "", "none": "", "f/below": ""} {
		m, err := saveEntry(filepath.Join(dir, name), true)
		if missing := name == "none" || name == "f/below"; err != nil || m.exists == missing || string(m.data) != want || m.isLink() != (name == "l") {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
		if m, err := saveEntry(filepath.Join(dir, name), false); err != nil || name == "f" && m.data != nil || name == "l" && string(m.data) != "to" {
			t.Errorf("%s without its text: %+v, %v", name, m, err)
		}
	}
	var seen []string
	if err := walk(dir, func(name string, _ savedEntry) error {
		seen = append(seen, strings.TrimPrefix(name, dir))
		return nil
	}); err != nil || !slices.Equal(seen, []string{"", "/d", "/d/g", "/f", "/l", "/pipe"}) {
		t.Errorf("%q, %v", seen, err)
	}
	// What can be read but not made again is said.
	if err := (&snapshot{}).putBack(filepath.Join(dir, "new"), savedEntry{exists: true, mode: os.ModeNamedPipe}); err == nil {
		t.Error("a pipe was put back")
	}
}
