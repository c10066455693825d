package cmd

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// validateConfigCommand is "helve config validate".
func validateConfigCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "validate [FILE]", Args: takes(0, 1),
		Short: out.Text("Check the settings, or one file by itself", "检查设置，或单独检查一个文件"),
		RunE: func(_ *cobra.Command, args []string) error {
			var o config.Options
			if len(args) == 0 {
				o = h.Sources()
			} else {
				path, err := filepath.Abs(args[0])
				if err != nil {
					return fault.System(err, args[0])
				}
				o.Files = []config.File{{Source: config.Flag, Path: path}}
			}
			s, err := config.Load(o)
			if err != nil {
				return err
			}
			if err := host.Check(s); err != nil {
				return err
			}
			files := slices.DeleteFunc(host.Look(o), func(f host.Source) bool { return !f.Exists })
			if len(args) == 1 && len(files) == 0 {
				return fault.New(fault.NotFound, fault.T("there is no file %s", "文件 %s 不存在", args[0])).
					WithHint(pathHint())
			}
			return out.Report(report{
				data: schema.Document{{Name: "valid", Value: true}, {Name: "files", Value: files}},
				text: out.Text("valid\n", "有效\n"), warnings: s.Warnings,
			})
		},
	}
}

// pathHint says how to find configuration files.
func pathHint() fault.Text {
	return fault.T("helve config path lists the files that are read", "helve config path 列出会读取的配置文件")
}
