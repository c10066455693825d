package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// configCommand is "helve config": the settings, where they come from, and the
// person's own.
func configCommand(h *host.Host, out *Printer) *cobra.Command {
	return group(
		&cobra.Command{
			Use: "config", Short: out.Text("Show, check and change the settings"),
			Example: out.Examples("helve config show", out.Text("all settings and where they come from")),
		},
		showConfigCommand(h, out),
		configPathCommand(h, out),
		getConfigCommand(h, out),
		setConfigCommand(h, out),
		validateConfigCommand(h, out),
		trustCommand(h, out),
		configSchemaCommand(out),
	)
}

// showConfigCommand is "helve config show".
func showConfigCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "show", Args: takes(0, 0),
		Short:   out.Text("List every setting with its value and its source"),
		Example: out.Examples("helve config show -o text", out.Text("a line for each setting")),
		RunE: func(*cobra.Command, []string) error {
			s, err := config.Load(h.Sources())
			if s == nil {
				return err
			}
			return out.Report(report{data: settingsData(s.Entries()), text: settingsText(s.Entries()), warnings: s.Warnings, failure: err})
		},
	}
}

// configPathCommand is "helve config path".
func configPathCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "path", Args: takes(0, 0),
		Short:   out.Text("List the files that settings are read from, in rising precedence"),
		Example: out.Examples("helve config path", out.Text("where settings are looked for")),
		RunE: func(*cobra.Command, []string) error {
			files := host.Look(h.Sources())
			var b strings.Builder
			for _, f := range files {
				b.WriteString(string(f.Source) + "  " + f.Path)
				switch {
				case !f.Exists:
					b.WriteString(out.Text("  (absent)"))
				case !f.Trusted:
					b.WriteString(out.Text("  (not trusted)"))
				}
				b.WriteByte('\n')
			}
			return out.Report(report{data: schema.Document{{Name: "files", Value: files}}, text: b.String()})
		},
	}
}

// getConfigCommand is "helve config get".
func getConfigCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "get KEY", Args: takes(1, 1),
		Short:   out.Text("Print one setting, or all below a key"),
		Example: out.Examples("helve config get exec", out.Text("all settings about commands")),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := config.Load(h.Sources())
			if err != nil {
				return err
			}
			found := s.All(args[0])
			r := report{data: settingsData(found), text: settingsText(found), warnings: s.Warnings}
			if e, err := s.Get(args[0]); err == nil {
				r.text = plain(e.Value) + "\n"
			} else if len(found) == 0 {
				return err
			}
			return out.Report(r)
		},
	}
}

// setConfigCommand is "helve config set".
func setConfigCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "set KEY VALUE", Args: takes(2, 2),
		Short: out.Text("Write one setting into the person's own file"),
		Long:  out.Text("Write one setting into the person's own file. VALUE is plain text for a string, and JSON for anything else."),
		Example: out.Examples(
			"helve config set files.require_read on", out.Text("a string as it is"),
			`helve config set exec.allow '["git status","go test"]'`, out.Text("anything else as JSON"),
		),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("change settings")); err != nil {
				return err
			}
			entries, warnings, err := h.Set(args[0], args[1])
			if err != nil {
				return err
			}
			return out.Report(report{
				data: schema.Document{{Name: "file", Value: h.Dirs.UserConfig}, {Name: "entries", Value: entries}},
				text: settingsText(entries), warnings: warnings,
			})
		},
	}
}

// configSchemaCommand is "helve config schema".
func configSchemaCommand(out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "schema", Args: takes(0, 0),
		Short:   out.Text("Print the JSON Schema of a configuration file"),
		Example: out.Examples("helve config schema > helve.schema.json", out.Text("for an editor")),
		RunE: func(*cobra.Command, []string) error {
			text, err := config.JSONSchema()
			if err != nil {
				return err
			}
			out.write(text)
			return nil
		},
	}
}

func settingsData(entries []config.Entry) schema.Document {
	return schema.Document{{Name: "entries", Value: entries}}
}

func settingsText(entries []config.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Key + " = " + string(e.Value) + "  # " + e.Origin.String() + "\n")
	}
	return b.String()
}
