package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeAgentSettings validates the settings of agent programs that the README shows.
func TestReadmeAgentSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.json")
	text := find(t, "json", `{"spawn": {"agents"`)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("helve", "config", "validate", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range []string{"claude", "codex", "gemini", "opencode"} {
		if !strings.Contains(text, `"name": "`+name+`"`) {
			t.Errorf("the README has no settings of %s", name)
		}
	}
}
