package cmd

import (
	"cmp"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
)

// helpCommand is "helve help". What it prints is for people; an unknown command
// is a usage error like any other.
func helpCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: p.Text("Show the help of a command"), GroupID: hostGroup,
		Example: p.Examples("helve help config set", p.Text("the help of one command")),
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return line.UnknownTool(h, append(rest, args...)[0], nil)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// showHelp prints what a command does and how it is used.
func showHelp(p *out.Printer, c *cobra.Command) {
	about := strings.TrimSpace(cmp.Or(c.Long, c.Short))
	p.Print([]byte(strings.Join(out.Wrap(about, p.Columns()), "\n") + "\n\n" + usageText(p, c)))
}

// showUsage prints how a command is used.
func showUsage(p *out.Printer, c *cobra.Command) error {
	_, err := io.WriteString(c.OutOrStdout(), usageText(p, c))
	return err
}

// usageText says how a command is used, in the caller's language and the terminal's width.
func usageText(p *out.Printer, c *cobra.Command) string {
	wide := p.Columns()
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
		out.Table(&b, flagRows(p, c.LocalFlags()), wide, longestFlag)
	}
	if c.HasAvailableInheritedFlags() {
		b.WriteString(p.Text("\n\nGlobal Flags:"))
		out.Table(&b, flagRows(p, c.InheritedFlags()), wide, longestFlag)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n\n" + strings.Join(out.Wrap(p.Text("\"%s COMMAND --help\" says more about a command.", c.CommandPath()), wide), "\n"))
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
	out.Table(b, rows, wide, longestFlag)
}

// flagRows returns the flags that help shows, each with what it is for.
func flagRows(p *out.Printer, flags *pflag.FlagSet) [][2]string {
	var rows [][2]string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		if value := line.ValueOf(f); value != "" {
			name += " " + value
		}
		usage := f.Usage
		switch f.DefValue {
		case "", "false", "0", "0s", "[]":
		default:
			usage += p.Text(" (default %s)", strings.Trim(f.DefValue, `"`))
		}
		rows = append(rows, [2]string{name, usage})
	})
	return rows
}
