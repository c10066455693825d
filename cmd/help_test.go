package cmd

import (
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestHelpInChinese reads the help of every command that is not a tool: all texts
// that describe a command or a flag are Chinese.
func TestHelpInChinese(t *testing.T) {
	home(t)
	t.Setenv("HELVE_LANG", "zh")
	root := newRoot(newHost(io.Discard), NewPrinter(io.Discard, io.Discard), []string{"help"})
	flags := 0
	check := func(where, text string) {
		if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s: %s", where, text)
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Annotations[toolKey] != "" {
			return // the texts of tools are theirs
		}
		c.InitDefaultHelpFlag()
		check(c.CommandPath(), c.Short)
		check(c.CommandPath(), c.Long)
		help := c.UsageString()
		for _, word := range []string{"Usage:", "Flags:", "Commands:", "Examples:", "help for", "Use \""} {
			if strings.Contains(help, word) {
				t.Errorf("%s: the help has %q", c.CommandPath(), word)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flags++
			check(c.CommandPath()+" --"+f.Name, f.Usage)
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	if flags < 30 {
		t.Errorf("saw only %d flags", flags)
	}
}

// TestLanguageOfHelp finds the language before flags are parsed.
func TestLanguageOfHelp(t *testing.T) {
	home(t)
	for _, c := range []struct {
		env, args, want string
	}{
		{"", "--help", "Usage:"},
		{"zh", "--help", "用法："},
		{"zh", "--help --lang en", "Usage:"},
		{"", "--help --lang=zh", "用法："},
		{"", "config --lang zh --help", "用法："},
		{"", "help --lang zh read", "用法："},
		{"fr", "--help", "Usage:"},
	} {
		t.Setenv("HELVE_LANG", c.env)
		var b strings.Builder
		Main(strings.Fields(c.args), strings.NewReader(""), &b, io.Discard)
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("HELVE_LANG=%s helve %s: %s", c.env, c.args, b.String())
		}
	}
}
