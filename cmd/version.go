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
		RunE: func(*cobra.Command, []string) error { return printVersion(out) },
	}
}

// printVersion prints the version, and what it was built from and for.
func printVersion(out *Printer) error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	d := schema.Document{{Name: "version", Value: version}, {Name: "go", Value: runtime.Version()}, {Name: "platform", Value: platform}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				d = d.With("revision", s.Value)
			}
		}
	}
	return out.Report(report{data: d, text: "helve " + version + " (" + runtime.Version() + ", " + platform + ")\n"})
}
