package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
)

// TestRuleFiles reads the files that end in .rules; what cannot be read is told apart.
func TestRuleFiles(t *testing.T) {
	dir := t.TempDir()
	if got := config.RuleFiles(filepath.Join(dir, "absent")); got != nil {
		t.Errorf("of no directory: %+v", got)
	}
	for _, name := range []string{"b.rules", "a.rules", ".hidden.rules", "rules", "c.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("drop "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "d.rules"), 0o700); err != nil {
		t.Fatal(err)
	}
	got := config.RuleFiles(dir)
	if len(got) != 3 || got[0].Name() != "a" || got[0].Text != "drop a.rules" || got[1].Name() != "b" || got[2].Name() != "d" {
		t.Fatalf("%+v", got)
	}
	if got[0].Err != nil || got[1].Err != nil || got[2].Err == nil {
		t.Errorf("a directory is no file: %+v", got)
	}
	if got := config.RuleFiles(filepath.Join(dir, "c.txt")); len(got) != 1 || got[0].Err == nil {
		t.Errorf("of a file: %+v", got)
	}
}
