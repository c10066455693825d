package settings

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// validateConfigCommand is "helve config validate".
func validateConfigCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "validate [FILE]", Args: out.Args(0, 1),
		Short:   p.Text("Check the settings and the rules about output, or one file by itself"),
		Example: p.Examples("helve config validate", p.Text("what is wrong with the settings in force")),
		RunE: func(_ *cobra.Command, args []string) error {
			var o config.Options
			if len(args) == 0 {
				o = h.Sources()
			} else {
				path, err := filepath.Abs(args[0])
				if err != nil {
					return fault.System(err, args[0])
				}
				if config.IsRules(path) {
					return validateRules(path, args[0], p)
				}
				o.Files = []config.File{{Source: config.Flag, Path: path}}
			}
			s, err := config.Load(o)
			if err != nil {
				return err
			}
			if err := s.Unused.Err(); err != nil {
				return err
			}
			if err := host.Check(s); err != nil {
				return err
			}
			files := slices.DeleteFunc(host.Look(o), func(f host.Source) bool { return !f.Exists })
			if len(args) == 0 {
				rules := config.RuleFiles(h.Dirs.OutputRules())
				if err := host.CheckOutputRules(rules); err != nil {
					return err
				}
				files = append(files, ruleSources(rules...)...)
			} else if len(files) == 0 {
				return noFile(args[0])
			}
			return reportValid(p, files, s.Warnings)
		},
	}
}

// validateRules checks one file of rules about output; shown is its path as it was given.
func validateRules(path, shown string, p *out.Printer) error {
	f, exists := config.ReadRules(path)
	if !exists {
		return noFile(shown)
	}
	if err := host.CheckOutputRules([]config.RuleFile{f}); err != nil {
		return err
	}
	return reportValid(p, ruleSources(f), nil)
}

// ruleSources lists files of rules that were read.
func ruleSources(files ...config.RuleFile) []host.Source {
	var all []host.Source
	for _, f := range files {
		all = append(all, host.Source{Source: config.User, Path: f.Path, Exists: true, Trusted: true})
	}
	return all
}

func reportValid(p *out.Printer, files []host.Source, warnings []fault.Text) error {
	return p.Report(out.Report{
		Data: schema.Document{{Name: "valid", Value: true}, {Name: "files", Value: files}},
		Text: p.Text("valid\n"), Warnings: warnings,
	})
}

func noFile(name string) error {
	return fault.New(fault.NotFound, fault.T("there is no file %s", name)).WithHint(pathHint())
}

// pathHint says how to find configuration files.
func pathHint() fault.Text {
	return fault.T("helve config path lists the files that are read")
}
