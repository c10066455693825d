package cmd

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/cmd/out"
)

// TestHelpInChinese reads the help of every command: all texts that describe a
// command or a flag are Chinese.
func TestHelpInChinese(t *testing.T) {
	cmdtest.Home(t)
	t.Setenv("HELVE_LANG", "zh")
	root := newRoot(newHost(io.Discard), out.New(io.Discard, io.Discard), []string{"help"})
	flags := 0
	check := func(where, text string) {
		if text != "" && !isChinese(text) {
			t.Errorf("%s: %s", where, text)
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		check(c.CommandPath(), c.Short)
		check(c.CommandPath(), c.Long)
		for example := range strings.Lines(c.Example) {
			if doc, ok := strings.CutPrefix(example, "  # "); ok {
				check(example, doc)
			}
		}
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
	if flags < 100 {
		t.Errorf("saw only %d flags", flags)
	}
}

// TestLanguageOfHelp finds the language before flags are parsed.
func TestLanguageOfHelp(t *testing.T) {
	cmdtest.Home(t)
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

// TestDefinitionsInChinese prints tool definitions that say the same in Chinese:
// names and values stay, descriptions change.
func TestDefinitionsInChinese(t *testing.T) {
	cmdtest.Home(t)
	definitions := func(lang string) (names, descriptions []string) {
		var b strings.Builder
		Main([]string{"schema", "--lang", lang}, strings.NewReader(""), &b, io.Discard)
		var all []struct {
			Function struct {
				Name, Description string
				Parameters        struct {
					Properties map[string]struct{ Type, Description string }
				}
			}
		}
		if err := json.Unmarshal([]byte(b.String()), &all); err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			names, descriptions = append(names, d.Function.Name), append(descriptions, d.Function.Description)
			for _, name := range slices.Sorted(maps.Keys(d.Function.Parameters.Properties)) {
				p := d.Function.Parameters.Properties[name]
				names, descriptions = append(names, name+" "+p.Type), append(descriptions, p.Description)
			}
		}
		return names, descriptions
	}
	names, english := definitions("en")
	same, chinese := definitions("zh")
	if diff := cmp.Diff(names, same); diff != "" || len(names) < 50 {
		t.Errorf("%d names\n%s", len(names), diff)
	}
	for i, text := range chinese {
		if text == english[i] || !isChinese(text) {
			t.Errorf("%s: %s", names[i], text)
		}
	}
}

// TestHelpFits reads the help of every command in narrow and wide terminals: only a
// command that a reader copies is longer than a line.
func TestHelpFits(t *testing.T) {
	cmdtest.Home(t)
	for _, lang := range []string{"en", "zh"} {
		for columns, name := range map[int]string{50: "50", out.DefaultColumns: "", 120: "120"} {
			t.Setenv("COLUMNS", name)
			t.Setenv("HELVE_LANG", lang)
			root := newRoot(newHost(io.Discard), out.New(io.Discard, io.Discard), []string{"help"})
			longest := 0
			var walk func(c *cobra.Command)
			walk = func(c *cobra.Command) {
				c.InitDefaultHelpFlag()
				for line := range strings.Lines(c.UsageString()) {
					line = strings.TrimSuffix(line, "\n")
					if strings.Contains(c.Example, line) || strings.HasPrefix(line, "  "+c.CommandPath()) {
						continue
					}
					longest = max(longest, out.Width(line))
					if out.Width(line) > columns && len(out.Wrap(strings.TrimSpace(line), 1)) > 1 {
						t.Errorf("%s in %d columns: %q", c.CommandPath(), columns, line)
					}
				}
				for _, sub := range c.Commands() {
					walk(sub)
				}
			}
			walk(root)
			if longest < columns-8 {
				t.Errorf("%s in %d columns uses only %d", lang, columns, longest)
			}
		}
	}
}

// TestSamples parses every example of the help: the command is there, takes the arguments
// and has the flags.
func TestSamples(t *testing.T) {
	cmdtest.Home(t)
	seen := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "#") {
				continue
			}
			parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			named := false
			syntax.Walk(parsed, func(n syntax.Node) bool {
				call, ok := n.(*syntax.CallExpr)
				if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "helve" {
					return true
				}
				words, err := expand.Fields(nil, call.Args[1:]...)
				if err != nil {
					t.Errorf("%s: %v", line, err)
					return true
				}
				root := newRoot(newHost(io.Discard), out.New(io.Discard, io.Discard), words)
				about, rest, err := root.Find(words)
				if err == nil {
					err = about.ParseFlags(rest)
				}
				if err == nil {
					err = about.ValidateArgs(about.Flags().Args())
				}
				if err != nil {
					t.Errorf("%s: %v", line, err)
				}
				named = named || about.CommandPath() == c.CommandPath() || strings.HasPrefix(about.CommandPath(), c.CommandPath()+" ")
				return true
			})
			if !named && c.HasParent() && !strings.HasPrefix(c.CommandPath(), "helve memory") {
				t.Errorf("%s: an example is of another command: %s", c.CommandPath(), line)
			}
			seen++
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(Tree())
	if seen < 60 {
		t.Errorf("saw only %d examples", seen)
	}
}

func isChinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
