// Package cmd is the command line: streams, exit statuses and environment. It
// holds no tool's logic.
package cmd

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// Main runs one command and gives the exit status. Standard output gets exactly
// one document, whatever happens; standard error is for people.
func Main(args []string, in io.Reader, out, errw io.Writer) (status int) {
	if line, ok := out.(io.WriteCloser); ok && len(args) == 1 && args[0] == job.Argument {
		return job.Supervise(in, line)
	}
	a := newApp(in, out, errw)
	defer a.Close()
	defer func() {
		if v := recover(); v != nil {
			status = a.fail(guard.Crashed(v))
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer process.Settle(cancel)()

	root := newRoot(a, args)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errw)
	if err := root.ExecuteContext(ctx); err != nil {
		a.salvage(args)
		return a.fail(usage(err))
	}
	return a.status
}

// usage gives cobra's own errors, which carry no code, theirs.
func usage(err error) *fault.Error {
	var e *fault.Error
	if errors.As(err, &e) || errors.Is(err, context.Canceled) {
		return fault.As(err)
	}
	return fault.New(fault.Usage, fault.T("%v", "命令行用法错误：%v", err)).
		WithHint(fault.T("helve --help lists the commands, helve COMMAND --help its flags", "helve --help 列出命令，helve 命令 --help 列出其选项"))
}

// newRoot builds the command tree. Only the tool that args name gets its flags:
// building them all would be paid at every call.
func newRoot(a *app, args []string) *cobra.Command {
	cobra.EnableCommandSorting = false // the order of the catalogue
	root := &cobra.Command{
		Use:           "helve",
		Short:         "The handle by which an AI agent grips its tools",
		Long:          "helve runs one tool: JSON arguments in, one JSON result out.\nArguments come as JSON (one argument or standard input) or as flags.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          a.bare,
	}
	a.globalFlags(root)
	tools, hosts := &cobra.Group{ID: toolGroup, Title: "Tools:"}, &cobra.Group{ID: "hosts", Title: "For hosts and people:"}
	root.AddGroup(tools, hosts)
	root.SetCompletionCommandGroupID(hosts.ID)
	root.SetHelpCommand(a.helpCommand(hosts.ID))
	if len(args) > 0 {
		if t := builtin(args[0]); t != nil { // the usual call: the other commands need not be there
			c := command(t)
			a.ready(c, t)
			root.AddCommand(c)
			root.CompletionOptions.DisableDefaultCmd = true
			return root
		}
	}
	a.addTools(root)
	for _, c := range a.hostCommands() {
		c.GroupID = hosts.ID
		root.AddCommand(c)
	}
	if root.CompletionOptions.DisableDefaultCmd = !a.giveFlags(root, args); !root.CompletionOptions.DisableDefaultCmd {
		root.InitDefaultCompletionCmd(args...)
		if c, _, err := root.Find([]string{"completion"}); err == nil && c != root {
			c.RunE = needsSubcommand("completion", "bash, fish, powershell, zsh")
		}
	}
	return root
}

// hostCommands are the commands that are no tools.
func (a *app) hostCommands() []*cobra.Command {
	return []*cobra.Command{
		a.schemaCommand(), a.callCommand(), a.toolsCommand(), a.historyCommand(), a.approvalsCommand(), a.approveCommand(), a.denyCommand(),
		a.configCommand(), a.policyCommand(), a.memoryCommand(), a.riskCommand(), a.auditCommand(), a.versionCommand(),
	}
}

// bare is helve without a tool.
func (a *app) bare(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return a.unknownTool(args[0])
	}
	if process.IsTerminal(a.out) {
		return cmd.Help()
	}
	return fault.New(fault.Usage, fault.T("no tool was named", "未指定工具")).
		WithHint(fault.T("the tools are: %s", "可用工具：%s", toolNames()))
}

// Tree is the whole command tree with every flag, for what describes it.
func Tree() *cobra.Command { return newRoot(newApp(nil, io.Discard, io.Discard), []string{"help"}) }
