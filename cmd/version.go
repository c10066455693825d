package cmd

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/schema"
)

// version is set by the linker for a release.
var version = "dev"

// versionCommand is "helve version".
func versionCommand(out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: out.Text("Print the version", "输出版本"), Args: takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			d := schema.Document{{Name: "version", Value: version}, {Name: "go", Value: runtime.Version()}, {Name: "platform", Value: runtime.GOOS + "/" + runtime.GOARCH}}
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						d = d.With("revision", s.Value)
					}
				}
			}
			return out.Data(d)
		},
	}
}
