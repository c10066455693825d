// Package catalog has the commands below "helve tools": show and find tools, enable and
// register them, and import those of other servers.
package catalog

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
)

// Command is "helve tools".
func Command(h *host.Host, p *out.Printer) *cobra.Command {
	return out.Group(
		&cobra.Command{
			Use: "tools", Short: p.Text("List the tools, and add or remove some"),
			Example: p.Examples("helve tools list", p.Text("the tools there are")),
		},
		listToolsCommand(h, p),
		showToolCommand(h, p),
		searchToolsCommand(h, p),
		aliasesCommand(p),
		importCommand(h, p),
		refreshCommand(h, p),
		tryServerCommand(h, p),
		loginCommand(h, p),
		registerCommand(h, p),
		unregisterCommand(h, p),
		enableCommand(h, p),
		disableCommand(h, p),
		validateToolsCommand(h, p),
	)
}
