package cmd

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// configCommand is "helve config": the settings, where they come from, and the
// person's own.
func (a *app) configCommand() *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Show, check and change the settings", Args: cobra.NoArgs}
	c.AddCommand(
		&cobra.Command{
			Use: "show", Short: "List every setting with its value and where that comes from", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				s, err := config.Load(a.Sources())
				if s == nil {
					return err
				}
				return a.report(report{data: entriesOf(s.Entries()), text: settingsText(s.Entries()), warnings: s.Warnings, failure: err})
			},
		},
		&cobra.Command{
			Use: "path", Short: "List the files that settings are looked for in, in rising precedence", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.configPath() },
		},
		&cobra.Command{
			Use: "get KEY", Short: "Print one setting, or all below a key", Args: cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error { return a.configGet(args[0]) },
		},
		&cobra.Command{
			Use: "set KEY VALUE", Short: "Write one setting into the person's own file", Args: cobra.ExactArgs(2),
			Long: "Write one setting into the person's own file. VALUE is plain text for a string, else JSON.",
			RunE: func(_ *cobra.Command, args []string) error {
				if err := host.Personal(fault.T("change settings", "修改设置")); err != nil {
					return err
				}
				return a.configSet(args[0], args[1])
			},
		},
		a.validateCommand(),
		a.trustCommand(),
		&cobra.Command{
			Use: "schema", Short: "Print the JSON Schema of a configuration file", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				text, err := config.JSONSchema()
				if err != nil {
					return err
				}
				a.write(text)
				return nil
			},
		},
	)
	c.RunE = needsSubcommand("config", "show, path, get, set, validate, trust, schema")
	return c
}

func entriesOf(entries []config.Entry) schema.Document {
	return schema.Document{{Name: "entries", Value: entries}}
}

func settingsText(entries []config.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Key + " = " + string(e.Value) + "  # " + e.Origin.String() + "\n")
	}
	return b.String()
}

func (a *app) configPath() error {
	files := host.Look(a.Sources())
	var b strings.Builder
	for _, f := range files {
		b.WriteString(string(f.Source) + "  " + f.Path)
		switch {
		case !f.Exists:
			b.WriteString("  (absent)")
		case !f.Trusted:
			b.WriteString("  (not trusted)")
		}
		b.WriteByte('\n')
	}
	return a.report(report{data: schema.Document{{Name: "files", Value: files}}, text: b.String()})
}

func (a *app) configGet(key string) error {
	s, err := config.Load(a.Sources())
	if err != nil {
		return err
	}
	found := s.All(key)
	r := report{data: entriesOf(found), text: settingsText(found), warnings: s.Warnings}
	if e, err := s.Get(key); err == nil {
		r.text = plain(e.Value) + "\n"
	} else if len(found) == 0 {
		return err
	}
	return a.report(r)
}

// plain is a value as a shell wants it: a string without its quotes.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func (a *app) configSet(key, value string) error {
	entries, warnings, err := a.Set(key, value)
	if err != nil {
		return err
	}
	return a.report(report{
		data: schema.Document{{Name: "file", Value: a.Dirs.UserConfig}, {Name: "entries", Value: entries}},
		text: settingsText(entries), warnings: warnings,
	})
}
