package cmd_test

import (
	"bytes"
	stdcmp "cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
)

// golden compares got with a file of testdata/golden, or renews the file.
//
// The shell and the system of this machine, which definitions name, are "SHELL on SYSTEM"
// in it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = regexp.MustCompile(`Run a command in \S+ on \S+\. Each`).ReplaceAllString(got, "Run a command in SHELL on SYSTEM. Each")
	file := filepath.Join("..", "testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s has changed (renew it with -update and read the diff):\n%s", name, diff)
	}
}

// run runs the command line in this process and returns its output.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errw bytes.Buffer
	if status := cmd.Main(args, strings.NewReader(""), &out, &errw); status != 0 || errw.Len() > 0 {
		t.Errorf("helve %s: status %d, stderr %q", strings.Join(args, " "), status, errw.String())
	}
	return out.String()
}

func TestGoldenSchemas(t *testing.T) {
	for name, flags := range forms() {
		golden(t, "schema."+name+".json", run(t, append([]string{"schema", "-o", "pretty"}, flags...)...))
	}
}

func TestGoldenHelp(t *testing.T) {
	t.Setenv("HELVE_ROOT", "")
	t.Setenv("HELVE_SESSION", "")
	t.Setenv("HELVE_LANG", "")
	t.Setenv("COLUMNS", "")
	golden(t, "help.txt", run(t, "--help"))
	golden(t, "help.zh.txt", run(t, "--help", "--lang", "zh"))
	for _, tl := range tools.Builtin() {
		golden(t, "help."+tl.Name+".txt", run(t, append(strings.Split(tl.Name, "_"), "--help")...))
	}
}

// TestGoldenCommands keeps the help of the commands that are not tools.
func TestGoldenCommands(t *testing.T) {
	t.Setenv("HELVE_ROOT", "")
	t.Setenv("HELVE_SESSION", "")
	t.Setenv("COLUMNS", "")
	for lang, name := range map[string]string{"en": "help.commands.txt", "zh": "help.commands.zh.txt"} {
		t.Setenv("HELVE_LANG", lang)
		var b strings.Builder
		var walk func(c *cobra.Command)
		walk = func(c *cobra.Command) {
			_, isTool := c.Annotations["tool"]
			if c.Name() == "completion" || c.Name() == "help" {
				return
			}
			if c.HasParent() && !isTool {
				c.InitDefaultHelpFlag()
				help, _, _ := strings.Cut(c.UsageString(), "\n\n"+map[string]string{"en": "Global Flags:", "zh": "全局选项："}[lang])
				b.WriteString("# " + c.CommandPath() + "\n" + stdcmp.Or(c.Long, c.Short) + "\n\n" + strings.TrimSpace(help) + "\n\n")
			}
			for _, sub := range c.Commands() {
				walk(sub)
			}
		}
		walk(cmd.Tree())
		golden(t, name, b.String())
	}
}

func TestGoldenChain(t *testing.T) {
	var names []string
	for _, m := range guard.Chain() {
		names = append(names, m.Name)
	}
	golden(t, "chain.txt", strings.Join(names, "\n")+"\n")
}

func TestGoldenErrors(t *testing.T) {
	var b strings.Builder
	for _, code := range fault.Codes() {
		fmt.Fprintf(&b, "%-26s exit %-2d", code, code.Exit())
		if code.Retryable() {
			b.WriteString(" retryable")
		}
		b.WriteString("\n")
	}
	golden(t, "errors.txt", b.String())
}
