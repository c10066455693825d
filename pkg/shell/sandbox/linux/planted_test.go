//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// surveyed returns a profile that protects what a survey finds.
func surveyed(p sandbox.Profile) sandbox.Profile {
	s := workspace.SurveyOf(p.Workspace)
	p.Survey, p.Protected = &s, s.Guarded()
	for _, rel := range s.Obeyed {
		p.Protected = append(p.Protected, filepath.Join(p.Workspace, rel))
	}
	return p
}

// TestPlanted moves aside what a command made, whatever it is, and leaves alone what
// was there before and what is ordinary work.
func TestPlanted(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := newProfile(t)
			for _, name := range []string{"pkg/app/.vscode/tasks.json", "kept/.vscode/tasks.json", "old/.envrc", "gone/.npmrc", "twin"} {
				name = filepath.Join(p.Workspace, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				write(t, name, "mine\n")
			}
			if err := os.Link(filepath.Join(p.Workspace, "twin"), filepath.Join(p.Workspace, ".zshrc")); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(p.Workspace, ".git/HEAD"), "ref: refs/heads/x\n")
			write(t, filepath.Join(p.Workspace, ".git/hooks/pre-push"), "mine\n")
			p = surveyed(p)
			p.Movable = []string{filepath.Join(p.Workspace, "gone"), filepath.Join(p.Workspace, "old")}
			p.Permits = func(rel string) bool { return rel == "allowed/.envrc" }
			o := run(t, kind, p, "sh", "-c", `
				echo x > .envrc; mkdir -p b/.VSCode allowed; echo x > allowed/.envrc; mkdir -p new/.git/objects new/.git/refs new/.git/hooks; echo 'ref: refs/heads/x' > new/.git/HEAD
				printf '[core]\n\tbare = false\n' > new/.git/config; echo x > new/.git/hooks/post-checkout; echo x > new/.git/hooks/x.sample
				mv pkg moved; mkdir -p pkg/app/.vscode; echo x > pkg/app/.vscode/tasks.json; mv old older; rm -r gone; mkdir -p other/.vscode; cp moved/app/.vscode/tasks.json other/.vscode/; mkdir -p more/.vscode; cp kept/.vscode/tasks.json more/.vscode/; mkdir -p less/.vscode; cp kept/.vscode/tasks.json less/.vscode/; echo x > less/.vscode/more; echo evil >> twin; echo x > src`)
			restored, err := o.sb.Restored()
			if err != nil {
				t.Fatal(err)
			}
			moved, err := o.sb.Planted()
			if err != nil {
				t.Fatal(err, o.out)
			}
			shown := func(paths ...string) (all []string) {
				for _, path := range paths {
					all = append(all, strings.TrimPrefix(path, p.Workspace+"/"))
				}
				slices.Sort(all)
				return all
			}
			var from []string
			for _, m := range moved {
				from = append(from, m.Path)
				if !exists(m.To) || exists(m.Path) || !strings.HasPrefix(m.To, m.Path+workspace.RefusedMark) {
					t.Errorf("%+v", m)
				}
			}
			t.Logf("restored %q, moved %q", shown(restored...), shown(from...))
			for name, want := range map[string]string{
				".envrc": "", "b/.VSCode": "", "new/.git/hooks/post-checkout": "", "allowed/.envrc": "x\n", "new/.git/hooks/x.sample": "x\n",
				"new/.git/config": "[core]\n\tbare = false\n", "moved/app/.vscode/tasks.json": "mine\n", "older/.envrc": "mine\n", "old/.envrc": "", "gone/.npmrc": "",
				"more/.vscode/tasks.json": "mine\n", "less/.vscode/tasks.json": "",
				".zshrc": "mine\n", ".git/hooks/pre-push": "mine\n", "src": "x\n",
			} {
				got := ""
				if name = filepath.Join(p.Workspace, name); exists(name) && filepath.Base(name) != ".VSCode" {
					got = read(t, name)
				} else if exists(name) {
					got = "(a directory)"
				}
				if got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if name := filepath.Join(p.Workspace, "pkg/app/.vscode/tasks.json"); exists(name) && read(t, name) == "x\n" {
				t.Error("what took the place of a protected file stays")
			}
			if again, err := o.sb.Planted(); len(again) > 0 || err != nil {
				t.Errorf("again %+v, %v", again, err)
			}
		})
	}
}

// TestPlantedEntries changes a tree without any sandbox in the way, and has what was
// planted in it moved aside.
func TestPlantedEntries(t *testing.T) {
	for _, c := range []struct {
		name   string
		before string
		script string
		moved  string // the paths, in order
		after  string
		want   string
	}{
		{"nothing", "echo a > .envrc", "echo x > f", "", "ls -A", ".envrc f"},
		{"a new file", "", "echo x > .envrc", ".envrc", "ls -A", ".envrc.ASIDE"},
		{"a new file, and one where it goes", "", "echo x > .envrc; echo y > .envrc$ASIDE; echo z > .envrc$ASIDE-1", ".envrc", "cat .envrc$ASIDE-2", "x"},
		{"a file that was there", "mkdir d; echo a > d/.envrc", "mv d e", "", "cat e/.envrc", "a"},
		{"a copy of one that was there", "mkdir d; echo a > d/.envrc", "mkdir e; cp d/.envrc e", "", "cat e/.envrc", "a"},
		{"another text", "mkdir d; echo a > d/.envrc", "mkdir e; echo x > e/.envrc", "e/.envrc", "ls -A e", ".envrc.ASIDE"},
		{"another mode", "mkdir d; echo a > d/.envrc", "mkdir e; cp d/.envrc e; chmod +x e/.envrc", "e/.envrc", "ls -A e", ".envrc.ASIDE"},
		{"a copy under another name", "mkdir d; echo a > d/.envrc", "mkdir e; cp d/.envrc e/.npmrc", "e/.npmrc", "ls -A e", ".npmrc.ASIDE"},
		{"a copy of a directory", "mkdir -p d/.vscode; echo a > d/.vscode/tasks.json", "mkdir e; cp -r d/.vscode e", "", "cat e/.vscode/tasks.json", "a"},
		{"a copy with more in it", "mkdir -p d/.vscode; echo a > d/.vscode/tasks.json", "mkdir e; cp -r d/.vscode e; echo x > e/.vscode/launch.json", "e/.vscode", "ls -A e", ".vscode.ASIDE"},
		{"a copy with a link in it", "mkdir -p d/.vscode; ln -s a d/.vscode/tasks.json", "mkdir e; cp -r d/.vscode e", "e/.vscode", "ls -A e", ".vscode.ASIDE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ws, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			aside := ""
			sh := func(script string) string {
				t.Helper()
				command := exec.Command("sh", "-c", "umask 022; "+script)
				command.Dir, command.Env = ws, append(os.Environ(), "ASIDE="+aside)
				out, err := command.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", script, err, out)
				}
				return string(out)
			}
			sh(c.before)
			sb := confining(surveyed(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: ws}), sandbox.Landlock)
			// What was there before is movable: only what is planted matters here.
			sb.Profile.Movable = []string{filepath.Join(ws, "d")}
			if sb.snapshot, err = sb.takeSnapshot(); err != nil {
				t.Fatal(err)
			}
			sb.watch = sb.takeWatch()
			aside = sb.snapshot.suffix
			sh(c.script)
			if _, err := sb.Restored(); err != nil {
				t.Fatal(err)
			}
			all, err := sb.Planted()
			if err != nil {
				t.Fatal(err)
			}
			var moved []string
			for _, m := range all {
				moved = append(moved, strings.TrimPrefix(m.Path, ws+"/"))
			}
			if got := strings.Join(moved, " "); got != c.moved {
				t.Errorf("moved are %q, want %q", got, c.moved)
			}
			got := strings.Join(strings.Fields(strings.ReplaceAll(sh(c.after), aside, ".ASIDE")), " ")
			if got != c.want {
				t.Errorf("%s prints %q, want %q", c.after, got, c.want)
			}
		})
	}
}

// TestNoWatch remembers nothing where nothing is looked for afterwards.
func TestNoWatch(t *testing.T) {
	good := surveyed(sandbox.Profile{Filesystem: sandbox.Workspace, Workspace: t.TempDir()})
	none, readOnly, preview := good, good, good
	none.Survey, readOnly.Filesystem, preview.Preview = nil, sandbox.ReadOnly, &sandbox.Preview{}
	for _, c := range []struct {
		profile sandbox.Profile
		kind    sandbox.Kind
		want    bool
	}{
		{good, sandbox.Landlock, true}, {good, sandbox.Namespaces, true}, {none, sandbox.Landlock, false}, {readOnly, sandbox.Landlock, false}, {preview, sandbox.Namespaces, false}, {good, sandbox.None, false},
	} {
		if got := confining(c.profile, c.kind).takeWatch(); (got != nil) != c.want {
			t.Errorf("%s %s: %v", c.kind, c.profile.Filesystem, got)
		}
	}
	if moved, err := (&confined{}).Planted(); moved != nil || err != nil {
		t.Errorf("%v, %v", moved, err)
	}
}
