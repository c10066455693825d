package cmd

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/schema"
)

// version is set by the linker for a release.
var version = unreleased

// unreleased is the version of a program that was built from a checkout.
const unreleased = "dev"

// current returns the version of this program: that of the release, or that of the module
// where "go install" built it. Reading what was built in takes longer than a short call.
var current = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	return versionOf(version, info, ok)
})

// versionOf returns the version of a program that the linker and the go command have told
// their versions. Only a module that was downloaded has a sum: the version that the go
// command makes up for a checkout is none that anybody could install.
func versionOf(linked string, info *debug.BuildInfo, ok bool) string {
	if linked == unreleased && ok && info.Main.Sum != "" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return linked
}

// versionCommand is "helve version".
func versionCommand(p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: p.Text("Print the version"), Args: out.Args(0, 0),
		Example: p.Examples("helve version", p.Text("also helve --version")),
		RunE:    func(*cobra.Command, []string) error { return printVersion(p) },
	}
}

// printVersion prints the version, and what it was built from and for.
func printVersion(p *out.Printer) error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	d := schema.Document{{Name: "version", Value: current()}, {Name: "go", Value: runtime.Version()}, {Name: "platform", Value: platform}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				d = d.With("revision", s.Value)
			}
		}
	}
	return p.Report(out.Report{Data: d, Text: "helve " + current() + " (" + runtime.Version() + ", " + platform + ")\n"})
}
