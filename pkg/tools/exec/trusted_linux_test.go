package exec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/tool"
)

// TestTrusted opens to a command the protected paths that it names, which a person was
// asked about, and no others.
func TestTrusted(t *testing.T) {
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		repository(t, dir, `mkdir -p .vscode .git/hooks
echo mine > .vscode/settings.json; echo mine > .envrc; echo mine > SOUL.md; echo mine > OTHER.md; echo mine > .git/hooks/post-merge`)
		settings, err := os.ReadFile(filepath.Join(dir, ".git/config"))
		if err != nil {
			t.Fatal(err)
		}
		script := `for f in .vscode/settings.json .envrc SOUL.md OTHER.md .git/config .git/hooks/post-merge .git/hooks/pre-commit .husky/x; do
mkdir -p .husky; echo theirs 2>/dev/null >> $f; done; true`
		if err := os.WriteFile(filepath.Join(dir, "all.sh"), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{".envrc", ".vscode/settings.json", "SOUL.md", ".git/hooks/pre-push"} {
			_, r := judged(t, call, Args{Command: "sh all.sh; echo theirs > " + path})
			if !slices.Contains(r.verdict.Flags, classify.Protected) {
				t.Fatalf("%s is not protected", path)
			}
			_, result := ran(t, call, "sh all.sh; echo asked > "+path)
			if text, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(text) != "asked\n" {
				t.Errorf("%s was allowed, and is %q %v\n%+v", path, text, err, result)
			}
			for _, other := range []string{".vscode/settings.json", ".envrc", "SOUL.md", "OTHER.md", ".git/config", ".git/hooks/post-merge", ".git/hooks/pre-commit", ".husky/x"} {
				text, err := os.ReadFile(filepath.Join(dir, other))
				if other != path && err == nil && strings.Contains(string(text), "theirs") {
					t.Errorf("with %s, %s changed\n%+v", path, other, result)
				}
			}
			for name, text := range map[string]string{".vscode/settings.json": "mine\n", ".envrc": "mine\n", "SOUL.md": "mine\n", ".git/hooks/post-merge": "mine\n", ".git/config": string(settings)} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.RemoveAll(filepath.Join(dir, ".husky")); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(dir, ".git/hooks/pre-push")); err != nil {
				t.Fatal(err)
			}
		}
	}, policy.Rule{Path: "SOUL.md", Write: policy.Ask}, policy.Rule{Path: "OTHER.md", Write: policy.Ask})
}
