//go:build linux

package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/workspace"
)

// surveyed returns a profile that protects what a survey finds.
func surveyed(p Profile) Profile {
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
