package cmd

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/process"
)

// helpCommand is "helve help". What it prints is for people; an unknown command
// is a usage error like any other.
func helpCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: out.Text("Show the help of a command"), GroupID: hostGroup,
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownTool(h, append(rest, args...)[0], nil)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// help prints what a command does and how it is used.
func (p *Printer) help(c *cobra.Command, _ []string) {
	about := strings.TrimSpace(cmp.Or(c.Long, c.Short))
	p.write([]byte(strings.Join(wrap(about, p.columns()), "\n") + "\n\n" + p.usageText(c)))
}

// usage prints how a command is used.
func (p *Printer) usage(c *cobra.Command) error {
	_, err := io.WriteString(c.OutOrStdout(), p.usageText(c))
	return err
}

// columns returns the width of help.
func (p *Printer) columns() int {
	return cmp.Or(host.Columns(), process.Columns(p.out), columns)
}

// usageText says how a command is used, in the caller's language and the terminal's width.
func (p *Printer) usageText(c *cobra.Command) string {
	wide := p.columns()
	var b strings.Builder
	b.WriteString(p.Text("Usage:"))
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if c.HasExample() {
		b.WriteString(p.Text("\n\nExamples:\n") + c.Example)
	}
	for _, g := range c.Groups() {
		listCommands(&b, g.Title, c.Commands(), g.ID, wide)
	}
	if c.HasAvailableSubCommands() && !c.AllChildCommandsHaveGroup() {
		listCommands(&b, p.Text("Commands:"), c.Commands(), "", wide)
	}
	if c.HasAvailableLocalFlags() {
		if help := c.Flags().Lookup("help"); help != nil {
			help.Usage = p.Text("help for %s", c.Name())
		}
		b.WriteString(p.Text("\n\nFlags:"))
		table(&b, p.flagRows(c.LocalFlags()), wide, longestFlag)
	}
	if c.HasAvailableInheritedFlags() {
		b.WriteString(p.Text("\n\nGlobal Flags:"))
		table(&b, p.flagRows(c.InheritedFlags()), wide, longestFlag)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n\n" + strings.Join(wrap(p.Text("\"%s COMMAND --help\" says more about a command.", c.CommandPath()), wide), "\n"))
	}
	return b.String() + "\n"
}

// longestFlag is the most columns that a flag takes beside what it is for.
const longestFlag = 26

// listCommands prints the commands of a group with what they do.
func listCommands(b *strings.Builder, title string, all []*cobra.Command, group string, wide int) {
	var rows [][2]string
	for _, c := range all {
		if c.GroupID == group && (c.IsAvailableCommand() || c.Name() == "help") {
			rows = append(rows, [2]string{"  " + c.Name(), c.Short})
		}
	}
	b.WriteString("\n\n" + title)
	table(b, rows, wide, longestFlag)
}

// names lists the names of commands.
func names(all []*cobra.Command) string {
	var names []string
	for _, c := range all {
		names = append(names, c.Name())
	}
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "help" }), ", ")
}
