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
)

// TestHelpInChinese reads the help of every command: all texts that describe a
// command or a flag are Chinese.
func TestHelpInChinese(t *testing.T) {
	home(t)
	t.Setenv("HELVE_LANG", "zh")
	root := newRoot(newHost(io.Discard), newPrinter(io.Discard, io.Discard), []string{"help"})
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
			_, doc, _ := strings.Cut(example, "'  # ")
			check(example, doc)
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

// TestDefinitionsInChinese prints tool definitions that say the same in Chinese:
// names and values stay, descriptions change.
func TestDefinitionsInChinese(t *testing.T) {
	home(t)
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

func isChinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
