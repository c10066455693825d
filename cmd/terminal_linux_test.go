package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// The content of a file cannot control the terminal, in any output format.
func TestTerminalIsNotDriven(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("begin \x1b[2J\u009b2J\u202e\x7f end\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"", "text", "json", "pretty"} {
		typist, terminal := cmdtest.Terminal(t)
		p := cmdtest.Helve(dir, "-o", form, "read", "a.txt")
		if form == "" {
			p = cmdtest.Helve(dir, "read", "a.txt")
		}
		p.Stdout = terminal
		if err := p.Run(); err != nil {
			t.Fatalf("%q: %v", form, err)
		}
		shown := cmdtest.ReadUntil(t, typist, " end")
		want := `begin \u001b[2J\u009b2J\u202e\u007f`
		if form == "" || form == "text" { // what a person reads
			want = `begin \x1b[2J\x9b2J\u202e\x7f`
		}
		if strings.ContainsAny(shown, "\x1b\u009b\u202e\x7f") || !strings.Contains(shown, want) {
			t.Errorf("%q: %q", form, shown)
		}
	}
}

// A person at a terminal reads text, and indented JSON where a document is what was asked
// for.
func TestFormOnTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("begin\nend\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, end, want string }{
		{"read a.txt", "end", "begin\r\nend"},
		{"read a.txt -o json", "}", `{"ok":true,"data":{`},
		{"read b.txt", "not_found", "error: "},
		{"read a.txt --sesion s", "invalid_arg", "warning: --sesion"},
		{"config get output", "auto", "auto"},
		{"schema --tools time", "type", "[\r\n  {"},
	} {
		typist, terminal := cmdtest.Terminal(t)
		p := cmdtest.Helve(dir, strings.Fields(c.args)...)
		p.Stdout = terminal
		if err := p.Run(); err != nil && c.end != "not_found" && c.end != "invalid_arg" {
			t.Fatalf("%s: %v", c.args, err)
		}
		if shown := cmdtest.ReadUntil(t, typist, c.end); !strings.HasPrefix(shown, c.want) {
			t.Errorf("%s: %q", c.args, shown)
		}
	}
}
