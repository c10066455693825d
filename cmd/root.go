package cmd

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
)

// hostGroup is the group of all other commands in the help.
const hostGroup = "hosts"

// newRoot returns the command tree. Only the tool that args name gets its flags:
// every call would pay for building them all.
func newRoot(h *host.Host, out *Printer, args []string) *cobra.Command {
	cobra.EnableCommandSorting = false // keep the order of the catalogue
	out.Lang, out.Default = h.Lang, h.Form
	preset(out, args)
	root := &cobra.Command{
		Use:   "helve",
		Short: out.Text("The tools of an AI agent"),
		Long:  out.Text("helve runs one tool: JSON arguments in, one JSON result out.\nArguments come as JSON (one argument or standard input) or as flags."),
		Example: out.Examples(
			"helve read README.md", out.Text("a file"),
			"helve grep TODO src", out.Text("search in a directory"),
			`echo '{"path":"README.md","limit":5}' | helve read`, out.Text("arguments as JSON"),
			"helve undo", out.Text("take back the last change"),
		),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	var versionOnly bool
	root.Flags().BoolVarP(&versionOnly, "version", "V", false, out.Text("print the version"))
	root.RunE = func(c *cobra.Command, words []string) error {
		if versionOnly && len(words) == 0 {
			return printVersion(out)
		}
		if ran, err := runForeign(c, h, out, words); ran || err != nil {
			return err
		}
		return noCommand(h, out, root, words, args)
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		_, rest, found := root.Find(args)
		if found != nil {
			return err
		}
		return wrongFlags(c, rest, err)
	})
	root.SetUsageFunc(func(c *cobra.Command) error { return showUsage(out, c) })
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { showHelp(out, c) })
	globalFlags(root, h, out)
	root.AddGroup(&cobra.Group{ID: toolGroup, Title: out.Text("Tools:")},
		&cobra.Group{ID: hostGroup, Title: out.Text("For hosts and people:")})
	root.SetCompletionCommandGroupID(hostGroup)
	root.SetHelpCommand(helpCommand(h, out))
	if len(args) > 0 {
		if t, words := toolOf(args); t != nil { // the usual call: no other command is needed
			c := toolCommand(t, out)
			below := root
			if words == 2 {
				below = &cobra.Command{Use: args[0]}
				root.AddCommand(below)
			}
			below.AddCommand(c)
			addSpawn(root, h, out, args)
			ready(c, t, h, out, args)
			root.CompletionOptions.DisableDefaultCmd = true
			return root
		}
	}
	addTools(root, out)
	for _, c := range commands(h, out) {
		c.GroupID = hostGroup
		root.AddCommand(c)
	}
	addGrouped(root, out)
	addSpawn(root, h, out, args)
	all := readyNamed(root, h, out, args)
	if root.CompletionOptions.DisableDefaultCmd = !all; all {
		root.InitDefaultCompletionCmd(args...)
		if c, _, err := root.Find([]string{"completion"}); err == nil && c != root {
			mendCompletion(c, out)
		}
	}
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		root.InitDefaultHelpCmd()
		addCompletions(root, h)
	}
	return root
}

// commands returns the commands that are not tools. With a nil host they can be
// listed, but not run.
func commands(h *host.Host, out *Printer) []*cobra.Command {
	return []*cobra.Command{
		schemaCommand(h, out), promptCommand(h, out), parseCommand(h, out), callCommand(h, out), mcpCommand(h, out), toolsCommand(h, out), historyCommand(h, out), messagesCommand(h, out),
		approvalsCommand(h, out), approveCommand(h, out), denyCommand(h, out), deskCommand(h, out),
		configCommand(h, out), policyCommand(h, out), memoryCommand(h, out), checkpointCommand(h, out), restoreCommand(h, out), riskCommand(h, out), cronCommand(h, out), auditCommand(h, out), storeCommand(h, out), skillCommand(h, out), doctorCommand(h, out), initCommand(h, out), upgradeCommand(h, out), versionCommand(out),
	}
}

// commandNames lists the commands that are not tools.
func commandNames() []string {
	var names []string
	for _, c := range commands(nil, newPrinter(nil, nil)) {
		names = append(names, c.Name())
	}
	return names
}

// noCommand runs helve without a known command. words are those of args that are no
// flags of helve.
func noCommand(h *host.Host, out *Printer, root *cobra.Command, words, args []string) error {
	if len(words) > 0 {
		return unknownTool(h, words[0], withoutGlobal(root, args[slices.Index(args, words[0])+1:]))
	}
	if out.terminal() {
		return root.Help()
	}
	return fault.New(fault.Usage, fault.T("no tool was named")).
		WithHint(fault.T("the tools are: %s", toolNames()))
}

// Tree returns the whole command tree with every flag, for what describes it.
func Tree() *cobra.Command {
	return newRoot(newHost(io.Discard), newPrinter(io.Discard, io.Discard), []string{"help"})
}
