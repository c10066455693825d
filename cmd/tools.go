package cmd

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
)

// toolsCommand is "helve tools".
func toolsCommand(h *host.Host, out *Printer) *cobra.Command {
	return group(
		&cobra.Command{
			Use: "tools", Short: out.Text("List the tools, and add or remove some"),
			Example: out.Examples("helve tools list", out.Text("the tools there are")),
		},
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
