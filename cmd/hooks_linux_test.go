package cmd_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestHookBeforeApproval approves a call whose hook changes its arguments and has a person asked:
// what runs is what the person saw, and the hook does not run again.
func TestHookBeforeApproval(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	home := cmdtest.HomeOf(dir)
	runs := filepath.Join(home, "runs")
	cmdtest.Put(t, home, "config.json", `{"hooks":{"before":[{"tool":"write","run":["sh","-c",
		"echo run >> \"$0\"; echo '{\"decision\":\"ask\",\"reason\":\"sure?\",\"arguments\":{\"content\":\"'$(wc -l < \"$0\")'\"}}'", `+cmdtest.JSON(runs)+`]}]}}`)
	asked, _ := cmdtest.Call(t, cmdtest.Helve(dir, "write", "--no-input", `{"path":"a.txt","content":"mine"}`))
	if asked.Error.Code != "approval_required" {
		t.Fatalf("%+v", asked)
	}
	id, _ := asked.Error.Details["approval"].(map[string]any)["id"].(string)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); !a.OK {
		t.Fatalf("%+v", a)
	}
	if got := cmdtest.Content(t, filepath.Join(dir, "a.txt")); got != "1\n" {
		t.Errorf("the file has %q", got)
	}
	if got := strings.Count(cmdtest.Content(t, runs), "run"); got != 1 {
		t.Errorf("the hook ran %d times", got)
	}
}
