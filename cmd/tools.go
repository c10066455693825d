package cmd

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/tools"
)

// toolsCommand is "helve tools".
func toolsCommand(h *host.Host, out *Printer) *cobra.Command {
	return group(
		&cobra.Command{Use: "tools", Short: out.Text("List the tools, and add or remove some")},
		listToolsCommand(h, out),
		showToolCommand(h, out),
		searchToolsCommand(h, out),
		aliasesCommand(out),
		importCommand(h, out),
		refreshCommand(h, out),
		tryServerCommand(h, out),
		loginCommand(h, out),
		registerCommand(h, out),
		unregisterCommand(h, out),
		enableCommand(h, out),
		disableCommand(h, out),
		validateToolsCommand(h, out),
	)
}

// canonical returns the name of the built-in tool that has name as one of its
// other names; or else name itself.
func canonical(name string) string {
	for _, t := range tools.Builtin() {
		if slices.Contains(tools.OtherNames(t), name) {
			return t.Name
		}
	}
	return name
}
