package exec

import (
	"context"
	"os"
	"path/filepath"
	"testing"

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
