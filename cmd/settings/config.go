// Package settings has the commands about settings and rules: config, policy, memory and risk.
package settings

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Config is "helve config": the settings, where they come from, and the
// person's own.
func Config(h *host.Host, p *out.Printer) *cobra.Command {
	return out.Group(
		&cobra.Command{
			Use: "config", Short: p.Text("Show, check and change the settings"),
			Example: p.Examples("helve config show", p.Text("all settings and where they come from")),
		},
		showConfigCommand(h, p),
		configPathCommand(h, p),
		getConfigCommand(h, p),
		setConfigCommand(h, p),
		validateConfigCommand(h, p),
		trustCommand(h, p),
		configSchemaCommand(p),
	)
}

// showConfigCommand is "helve config show".
func showConfigCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "show", Args: out.Args(0, 0),
		Short:   p.Text("List every setting with its value and its source"),
		Example: p.Examples("helve config show -o text", p.Text("a line for each setting")),
		RunE: func(*cobra.Command, []string) error {
			s, err := config.Load(h.Sources())
			if s == nil {
				return err
			}
			return p.Report(out.Report{Data: settingsData(s.Entries()), Text: SettingsText(s.Entries()), Warnings: s.Warnings, Failure: err})
		},
	}
}

// configPathCommand is "helve config path".
func configPathCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "path", Args: out.Args(0, 0),
		Short:   p.Text("List the files that settings are read from, in rising precedence"),
		Example: p.Examples("helve config path", p.Text("where settings are looked for")),
		RunE: func(*cobra.Command, []string) error {
			files := host.Look(h.Sources())
			var b strings.Builder
			for _, f := range files {
				b.WriteString(string(f.Source) + "  " + f.Path)
				switch {
				case !f.Exists:
					b.WriteString(p.Text("  (absent)"))
				case !f.Trusted:
					b.WriteString(p.Text("  (not trusted)"))
				}
				b.WriteByte('\n')
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "files", Value: files}}, Text: b.String()})
		},
	}
}

// getConfigCommand is "helve config get".
func getConfigCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "get KEY", Args: out.Args(1, 1),
		Short:   p.Text("Print one setting, or all below a key"),
		Example: p.Examples("helve config get exec", p.Text("all settings about commands")),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := config.Load(h.Sources())
			if err != nil {
				return err
			}
			found := s.All(args[0])
			r := out.Report{Data: settingsData(found), Text: SettingsText(found), Warnings: s.Warnings}
			if e, err := s.Get(args[0]); err == nil {
				r.Text = out.Plain(e.Value) + "\n"
			} else if len(found) == 0 {
				return err
			}
			return p.Report(r)
		},
	}
}

// setConfigCommand is "helve config set".
func setConfigCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "set KEY VALUE", Args: out.Args(2, 2),
		Short: p.Text("Write one setting into the person's own file"),
		Long:  p.Text("Write one setting into the person's own file. VALUE is plain text for a string, and JSON for anything else."),
		Example: p.Examples(
			"helve config set files.require_read on", p.Text("a string as it is"),
			`helve config set exec.allow '["git status","go test"]'`, p.Text("anything else as JSON"),
		),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("change settings")); err != nil {
				return err
			}
			entries, warnings, err := h.Set(args[0], args[1])
			if err != nil {
				return err
			}
			return p.Report(out.Report{
				Data: schema.Document{{Name: "file", Value: h.Dirs.UserConfig}, {Name: "entries", Value: entries}},
				Text: SettingsText(entries), Warnings: warnings,
			})
		},
	}
}

// configSchemaCommand is "helve config schema".
func configSchemaCommand(p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "schema", Args: out.Args(0, 0),
		Short:   p.Text("Print the JSON Schema of a configuration file"),
		Example: p.Examples("helve config schema > helve.schema.json", p.Text("for an editor")),
		RunE: func(*cobra.Command, []string) error {
			text, err := config.JSONSchema()
			if err != nil {
				return err
			}
			p.Print(text)
			return nil
		},
	}
}

func settingsData(entries []config.Entry) schema.Document {
	return schema.Document{{Name: "entries", Value: entries}}
}

// SettingsText lists settings, a line each.
func SettingsText(entries []config.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Key + " = " + string(e.Value) + "  # " + e.Origin.String() + "\n")
	}
	return b.String()
}
