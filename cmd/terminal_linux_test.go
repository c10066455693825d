package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The content of a file cannot control the terminal, in any output format.
func TestTerminalIsNotDriven(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("begin \x1b[2J\u009b2J\u202e\x7f end\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"", "json", "pretty"} {
		typist, terminal := pty(t)
		p := helve(dir, "-o", form, "read", "a.txt")
		if form == "" {
			p = helve(dir, "read", "a.txt")
		}
		p.Stdout = terminal
		if err := p.Run(); err != nil {
			t.Fatalf("%q: %v", form, err)
		}
		shown := readUntil(t, typist, " end")
		if strings.ContainsAny(shown, "\x1b\u009b\u202e\x7f") || !strings.Contains(shown, `begin \u001b[2J\u009b2J\u202e\u007f`) {
			t.Errorf("%q: %q", form, shown)
		}
	}
}
