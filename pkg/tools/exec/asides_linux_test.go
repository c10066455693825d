package exec

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
)

// TestOffered asks once about all that a command left aside, and puts it in its place.
func TestOffered(t *testing.T) {
	t.Parallel()
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		const script = "mkdir -p app/.vscode 'with space/.zed' .idea; echo t > app/.vscode/tasks.json; echo e > .envrc; echo s > 'with space/.zed/settings.json'; echo o > ordinary"
		if err := os.WriteFile(filepath.Join(dir, "make.sh"), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		files := []string{"app/.vscode/tasks.json", ".envrc", "with space/.zed/settings.json"}
		var questions []string
		agrees := false
		call.Env.Decide = func(_ context.Context, c *tool.Call) error {
			questions = append(questions, c.Args.(*Args).Command)
			if agrees {
				return nil
			}
			return approval.Rejection("no")
		}
		for _, agrees = range []bool{false, true} {
			questions = nil
			_, result := ran(t, call, "sh make.sh")
			if len(questions) != 1 || len(result.Planted) == 0 {
				t.Fatalf("asked about %q\n%+v", questions, result)
			}
			for _, name := range files {
				if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != agrees {
					t.Errorf("%s: %v, agreed: %t, by %q", name, err, agrees, questions)
				}
			}
		}
	})
}

// TestUnpacks asks beforehand about what an archive has for other programs to obey.
func TestUnpacks(t *testing.T) {
	t.Parallel()
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		plainGit(t, dir, "mkdir -p in/app/.vscode in/app/src; echo t > in/app/.vscode/tasks.json; echo e > in/app/.envrc; echo a > in/app/src/a; tar -czf a.tgz -C in app; rm -r in")
		for _, c := range []struct {
			command string
			want    []string
		}{
			{"tar xzf a.tgz", []string{"app/.envrc", "app/.vscode/tasks.json"}},
			{"mkdir to && tar -xzf a.tgz -C to --strip-components=1", []string{"to/.envrc", "to/.vscode/tasks.json"}},
			{"tar tzf a.tgz", nil},
		} {
			j, _ := judged(t, call, Args{Command: c.command})
			if d := cmp.Diff(c.want, askedOf(j)); d != "" {
				t.Errorf("%s: %s", c.command, d)
			}
			_, result := ran(t, call, c.command)
			for _, name := range c.want {
				if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
					t.Errorf("%s: %v\n%+v", c.command, err, result)
				}
			}
		}
	})
}
