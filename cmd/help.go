package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
)

// helpCommand is "helve help". What it prints is for people; an unknown command
// is a usage error like any other.
func helpCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: out.Text("Show the help of a command", "显示命令的帮助"), GroupID: hostGroup,
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

// usage prints how a command is used, as cobra does, in the caller's language.
func (p *Printer) usage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString(p.Text("Usage:", "用法："))
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if c.HasExample() {
		b.WriteString(p.Text("\n\nExamples:\n", "\n\n示例：\n") + c.Example)
	}
	for _, g := range c.Groups() {
		listCommands(&b, g.Title, c.Commands(), g.ID)
	}
	if c.HasAvailableSubCommands() && !c.AllChildCommandsHaveGroup() {
		listCommands(&b, p.Text("Available Commands:", "可用命令："), c.Commands(), "")
	}
	if c.HasAvailableLocalFlags() {
		if help := c.Flags().Lookup("help"); help != nil {
			help.Usage = p.Text("help for %s", "%s 的帮助", c.Name())
		}
		b.WriteString(p.Text("\n\nFlags:\n", "\n\n选项：\n") + strings.TrimRight(c.LocalFlags().FlagUsages(), " \n"))
	}
	if c.HasAvailableInheritedFlags() {
		b.WriteString(p.Text("\n\nGlobal Flags:\n", "\n\n全局选项：\n") + strings.TrimRight(c.InheritedFlags().FlagUsages(), " \n"))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(p.Text("\n\nUse \"%s [command] --help\" for more information about a command.", "\n\n使用 \"%s [command] --help\" 查看命令的详细信息。", c.CommandPath()))
	}
	_, err := io.WriteString(c.OutOrStdout(), b.String()+"\n")
	return err
}

// listCommands prints the commands of a group with what they do.
func listCommands(b *strings.Builder, title string, all []*cobra.Command, group string) {
	b.WriteString("\n\n" + title)
	for _, c := range all {
		if c.GroupID == group && (c.IsAvailableCommand() || c.Name() == "help") {
			fmt.Fprintf(b, "\n  %-*s %s", c.NamePadding(), c.Name(), c.Short)
		}
	}
}

// translateCompletion replaces the texts of cobra's completion command where they
// are not in the caller's language.
func (p *Printer) translateCompletion(c *cobra.Command) {
	if p.Lang == fault.English {
		return
	}
	c.Short, c.Long = "生成指定 shell 的自动补全脚本", ""
	for _, shell := range c.Commands() {
		shell.Short, shell.Long = "生成 "+shell.Name()+" 的自动补全脚本", ""
		if f := shell.Flags().Lookup("no-descriptions"); f != nil {
			f.Usage = "补全时不显示说明"
		}
	}
}

// names lists the names of commands.
func names(all []*cobra.Command) string {
	var names []string
	for _, c := range all {
		names = append(names, c.Name())
	}
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "help" }), ", ")
}
