package exec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
)

// The question about a command that deletes a repository says what undo cannot restore.
func TestDeletesRepository(t *testing.T) {
	call, dir := world(t, config.Exec{})
	for _, sub := range []string{".git/objects", "sub/.git/objects", "plain/git"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"rm -rf .git": ".git/objects", "rm -rf sub": "sub/.git/objects", "rm -rf plain": "", "ls .git": "",
	} {
		j, r := judged(t, call, Args{Command: line})
		said := false
		for _, why := range j.Reasons {
			said = said || strings.Contains(why.String(), "it deletes "+want+",")
		}
		if said != (want != "") || (r.deletes == "") != (want == "") || want != "" && j.Risk != policy.Destructive {
			t.Errorf("%s: %s %s %s", line, j.Risk, r.deletes, j.Reasons)
		}
	}
}
