package cmd

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/agents"
	"github.com/helve-dev/helve/cmd/approvals"
	"github.com/helve-dev/helve/cmd/calls"
	"github.com/helve-dev/helve/cmd/catalog"
	"github.com/helve-dev/helve/cmd/cron"
	"github.com/helve-dev/helve/cmd/desk"
	"github.com/helve-dev/helve/cmd/doctor"
	"github.com/helve-dev/helve/cmd/history"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/messages"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/settings"
	"github.com/helve-dev/helve/pkg/fault"
)

// hostGroup is the group of all other commands in the help.
const hostGroup = "hosts"

// newRoot returns the command tree. Only the tool that args name gets its flags:
// every call would pay for building them all.
func newRoot(h *host.Host, p *out.Printer, args []string) *cobra.Command {
	p.Lang, p.Default = h.Lang, h.Form
	preset(p, args)
	root := &cobra.Command{
		Use:   "helve",
		Short: p.Text("The tools of an AI agent"),
		Long:  p.Text("helve runs one tool: JSON arguments in, one JSON result out.\nArguments come as JSON (one argument or standard input) or as flags."),
		Example: p.Examples(
			"helve read README.md", p.Text("a file"),
			"helve grep TODO src", p.Text("search in a directory"),
			`echo '{"path":"README.md","limit":5}' | helve read`, p.Text("arguments as JSON"),
			"helve undo", p.Text("take back the last change"),
		),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	var versionOnly bool
	root.Flags().BoolVarP(&versionOnly, "version", "V", false, p.Text("print the version"))
	root.RunE = func(c *cobra.Command, words []string) error {
		if versionOnly && len(words) == 0 {
			return printVersion(p)
		}
		if ran, err := line.RunForeign(c, h, p, words); ran || err != nil {
			return err
		}
		return noCommand(h, p, root, words, args)
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		_, rest, found := root.Find(args)
		if found != nil {
			return err
		}
		return line.WrongFlags(c, rest, err)
	})
	root.SetUsageFunc(func(c *cobra.Command) error { return showUsage(p, c) })
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { showHelp(p, c) })
	globalFlags(root, h, p)
	args, wrong := line.AsTyped(root, args)
	root.SetArgs(args)
	if wrong != nil {
		root.DisableFlagParsing = true
		root.RunE = func(*cobra.Command, []string) error { return wrong }
		return root
	}
	root.AddGroup(&cobra.Group{ID: line.ToolGroup, Title: p.Text("Tools:")},
		&cobra.Group{ID: hostGroup, Title: p.Text("For hosts and people:")})
	root.SetCompletionCommandGroupID(hostGroup)
	root.SetHelpCommand(helpCommand(h, p))
	if len(args) > 0 {
		if t, words := line.ToolOf(args); t != nil { // the usual call: no other command is needed
			c := line.Command(t, p)
			below := root
			if words == 2 {
				below = &cobra.Command{Use: args[0]}
				root.AddCommand(below)
			}
			below.AddCommand(c)
			agents.AddTo(root, h, p, args)
			line.Ready(c, t, h, p, args)
			root.CompletionOptions.DisableDefaultCmd = true
			return root
		}
	}
	line.AddTools(root, p)
	for _, c := range commands(h, p) {
		c.GroupID = hostGroup
		root.AddCommand(c)
	}
	line.AddGrouped(root, p)
	agents.AddTo(root, h, p, args)
	all := line.ReadyNamed(root, h, p, args)
	if root.CompletionOptions.DisableDefaultCmd = !all; all {
		root.InitDefaultCompletionCmd(args...)
		if c, _, err := root.Find([]string{"completion"}); err == nil && c != root {
			mendCompletion(c, p)
		}
	}
	if other := line.OtherNumber(root, args); other != nil {
		return newRoot(h, p, other)
	}
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		root.InitDefaultHelpCmd()
		addCompletions(root, h)
	}
	return root
}

// commands returns the commands that are not tools. With a nil host they can be
// listed, but not run.
func commands(h *host.Host, p *out.Printer) []*cobra.Command {
	return []*cobra.Command{
		calls.Schema(h, p), calls.Prompt(h, p), calls.Parse(h, p), calls.Call(h, p), calls.MCP(h, p), catalog.Command(h, p), catalog.Profiles(h, p), history.Command(h, p), messages.Command(h, p),
		approvals.Command(h, p), approvals.Approve(h, p), approvals.Deny(h, p), desk.Command(h, p),
		settings.Config(h, p), settings.Policy(h, p), settings.Memory(h, p), history.Checkpoint(h, p), history.Restore(h, p), history.Check(h, p), settings.Risk(h, p), cron.Command(h, p), history.Audit(h, p), history.Store(h, p), calls.Skill(h, p), doctor.Command(h, p), initCommand(h, p), upgradeCommand(h, p), versionCommand(p),
	}
}

// commandNames lists the commands that are not tools.
func commandNames() []string {
	var names []string
	for _, c := range commands(nil, out.New(nil, nil)) {
		names = append(names, c.Name())
	}
	return names
}

// noCommand runs helve without a known command. words are those of args that are no
// flags of helve.
func noCommand(h *host.Host, p *out.Printer, root *cobra.Command, words, args []string) error {
	if len(words) > 0 {
		return line.UnknownTool(h, words[0], withoutGlobal(root, args[slices.Index(args, words[0])+1:]))
	}
	if p.Terminal() {
		return root.Help()
	}
	return fault.New(fault.Usage, fault.T("no tool was named")).
		WithHint(fault.T("the tools are: %s", line.ToolNames()))
}

// Tree returns the whole command tree with every flag, for what describes it.
func Tree() *cobra.Command {
	return newRoot(newHost(io.Discard), out.New(io.Discard, io.Discard), []string{"help"})
}
