package config

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitExcludes lets git say which file it takes the ignore rules from.
func TestGitExcludes(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	for name, c := range map[string]struct {
		files  map[string]string
		global string
	}{
		"none":             {},
		"default":          {files: map[string]string{".config/git/ignore": "a"}},
		"named":            {files: map[string]string{".gitconfig": "[core]\n\texcludesFile = ~/mine\n", "mine": "b"}},
		"last counts":      {files: map[string]string{".gitconfig": "[core]\nexcludesfile=~/x\n[user]\nexcludesfile=~/z\n[CORE] ExcludesFile = ~/mine # mine\n", "mine": "c"}},
		"person over XDG":  {files: map[string]string{".config/git/config": "[core]\nexcludesfile = ~/x\n", ".gitconfig": "[core]\nexcludesfile = ~/mine", "mine": "d", "x": "no"}},
		"XDG":              {files: map[string]string{".config/git/config": "[core]\nexcludesfile = ~/x\n", "x": "e"}},
		"quoted":           {files: map[string]string{".gitconfig": "[core]\nexcludesfile = \"~/a # b\" ; c\n", "a # b": "f"}},
		"included":         {files: map[string]string{".gitconfig": "[core]\nexcludesfile=~/no\n[include]\npath = more/conf\n", "more/conf": "[core]\nexcludesfile = ~/mine", "mine": "g"}},
		"includes itself":  {files: map[string]string{".gitconfig": "[include]\npath = .gitconfig\n[core]\nexcludesfile=~/mine", "mine": "h"}},
		"commented out":    {files: map[string]string{".gitconfig": "[core]\n# excludesfile = ~/no\n; excludesfile = ~/no\n", "no": "no", ".config/git/ignore": "i"}},
		"subsection":       {files: map[string]string{".gitconfig": "[core \"x\"]\nexcludesfile = ~/no\n", "no": "no", ".config/git/ignore": "j"}},
		"other global":     {files: map[string]string{"glob": "[core]\nexcludesfile = ~/mine\n", ".gitconfig": "[core]\nexcludesfile = ~/no", "mine": "k", "no": "no"}, global: "glob"},
		"missing":          {files: map[string]string{".gitconfig": "[core]\nexcludesfile = ~/mine", ".config/git/ignore": "no"}},
		"spaces, then end": {files: map[string]string{".gitconfig": "[core]\nexcludesfile =   ~/my rules  \t\n", "my rules": "l"}},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for file, content := range c.files {
				full := filepath.Join(home, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			p := GitPaths{Home: home, XDG: filepath.Join(home, ".config")}
			env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + p.XDG, "GIT_CONFIG_NOSYSTEM=1", "PATH=" + os.Getenv("PATH")}
			if c.global != "" {
				p.Global = filepath.Join(home, c.global)
				env = append(env, "GIT_CONFIG_GLOBAL="+p.Global)
			}
			if name != "includes itself" { // of which git complains
				cmd := exec.Command(git, "config", "--global", "--includes", "--type=path", "--get", "core.excludesFile")
				cmd.Dir, cmd.Env = home, env
				out, _ := cmd.Output()
				file := strings.TrimRight(string(out), "\n")
				if file == "" {
					file = filepath.Join(p.XDG, "git", "ignore")
				}
				want, _ := os.ReadFile(file)
				if got := GitExcludes(p); string(got) != string(want) {
					t.Errorf("%q, git takes %q of %s", got, want, file)
				}
			}
			if got := string(GitExcludes(p)); got != "" && len(got) != 1 || got == "" && len(c.files["mine"]) > 0 {
				t.Errorf("%q", got)
			}
		})
	}
}

// Git follows ten includes, one in the other, and so does this.
func TestGitIncludesAreBounded(t *testing.T) {
	for includes, want := range map[int]string{10: "a", 11: ""} {
		home := t.TempDir()
		put := func(name, text string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		put("rules", "a")
		name := ".gitconfig"
		for i := range includes {
			next := fmt.Sprint("included", i)
			put(name, "[include]\npath = "+next+"\n")
			name = next
		}
		put(name, "[core]\nexcludesfile = ~/rules\n")
		if got := string(GitExcludes(GitPaths{Home: home})); got != want {
			t.Errorf("through %d includes: %q, want %q", includes, got, want)
		}
	}
}
