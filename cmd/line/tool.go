// Package line gets from a command line to the call of one tool: flags, words and standard
// input become the JSON of its arguments, the call is run, and its progress is shown. It
// checks no argument itself; the decoder of the tool does.
package line

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/spawn"
)

// ToolGroup is the group of the tools in the help.
const ToolGroup = "tools"

// ToolKey annotates the command of a tool with the tool's name.
const ToolKey = "tool"

// ExecTool is the tool that runs commands.
const ExecTool = "exec"

// streamFlag is the flag that has a command print lines of JSON before its result.
const streamFlag = "stream"

// AddTools makes every built-in tool a command, without flags. Those that are named
// group_verb are left out; see [AddGrouped].
func AddTools(root *cobra.Command, p *out.Printer) {
	for _, t := range tools.Builtin() {
		if _, _, is := grouped(t.Name); !is {
			root.AddCommand(Command(t, p))
		}
	}
}

// AddGrouped makes every built-in tool that is named group_verb the command verb of a
// group, beside the people's commands that are in it already.
func AddGrouped(root *cobra.Command, p *out.Printer) {
	for _, t := range tools.Builtin() {
		group, _, is := grouped(t.Name)
		if !is {
			continue
		}
		if c, _, err := root.Find([]string{group}); err == nil && c != root {
			c.AddCommand(Command(t, p))
		}
	}
}

// grouped returns the group and the verb of a built-in tool that is named group_verb.
func grouped(name string) (group, verb string, is bool) {
	group, verb, is = strings.Cut(name, "_")
	return group, verb, is && Builtin(name) != nil
}

// ToolOf returns the built-in tool that the first words of a command line name, and how
// many words that takes; nil if they name none.
func ToolOf(args []string) (t *tool.Tool, words int) {
	if len(args) > 1 && args[1] != "" {
		if t := Builtin(args[0] + "_" + args[1]); t != nil {
			return t, 2
		}
	}
	if len(args) > 0 {
		if _, _, is := grouped(args[0]); !is {
			return Builtin(args[0]), 1
		}
	}
	return nil, 0
}

// toolCommands returns the commands of tools below c.
func toolCommands(c *cobra.Command) (all []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.Annotations[ToolKey] != "" {
			all = append(all, sub)
		}
		all = append(all, toolCommands(sub)...)
	}
	return all
}

// Command returns a tool's command, without flags.
func Command(t *tool.Tool, p *out.Printer) *cobra.Command {
	name, in := t.Called(), ToolGroup
	if _, verb, is := grouped(name); is {
		name, in = verb, ""
	}
	c := &cobra.Command{
		Use:         name,
		Short:       t.Summary(p.Lang),
		GroupID:     in,
		Args:        cobra.ArbitraryArgs,
		Annotations: map[string]string{ToolKey: t.Called()},
	}
	names := append([]string{t.DefaultArg}, t.Further...)
	switch {
	case t.DefaultArg != "" && t.Words != "":
		c.Use += " [JSON | " + strings.ToUpper(strings.Join(names, " ")) + " | -- " + strings.ToUpper(t.Words) + "...]"
	case t.DefaultArg != "":
		c.Use += " [JSON | " + strings.ToUpper(strings.Join(names, " ")) + "]"
	case t.Input != "":
		c.Use += " [JSON | FILE]"
	default:
		c.Use += " [JSON]"
	}
	return c
}

// Ready adds flags, help and action to a tool's command, which is below the root. args
// are those of the command line.
func Ready(c *cobra.Command, t *tool.Tool, h *host.Host, p *out.Printer, args []string) {
	given := ToolFlags(c, t, p)
	line := args
	var streaming, mirror bool // flags about this process, not the call
	runs := t.Name == ExecTool
	switch {
	case runs:
		c.Flags().BoolVar(&streaming, streamFlag, false, p.Text("print output as it comes, a line of JSON each, and then the result"))
		c.Flags().BoolVar(&mirror, "exit-status", false, p.Text("exit with the status of the command"))
	case c.Flags().Lookup(streamFlag) == nil: // else a tool of somebody else has an argument of that name
		c.Flags().BoolVar(&streaming, streamFlag, false, p.Text("print how far the call has come, a line of JSON each, and then the result"))
	}
	given.Further(c, args)
	c.Long = t.DocIn(p.Lang)
	if c.HasAvailableSubCommands() {
		c.Long += p.Text("\n\nThe commands below it go before a task: one that is a single word like theirs follows --.")
	}
	c.Example = toolExamples(t, p)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if t.Risk == policy.Read && process.Closed(p.Stdout) && !process.Closed(p.Stderr) {
			p.ToStderr()
			return fault.New(fault.IOError, fault.T("standard output is closed: nobody would get the result")).
				WithHint(fault.T("leave it open; to throw the result away, redirect it to %s", os.DevNull))
		}
		if streaming {
			p.Format = "json"
			p.Lines()
		}
		during := ShowProgress(p, h, t.Called(), streaming, runs)
		if err := misspelled(cmd, args); err != nil {
			return err
		}
		made, err := CallOf(cmd, h, t, given, args)
		if err != nil {
			return err
		}
		var o guard.Outcome
		during(func() { o = guard.Run(cmd.Context(), made.Env, made.Tool, made.Input) })
		o.Warnings, o.Err = slices.Concat(made.Warnings(), o.Warnings), given.flagged(cmd, line, o.Err)
		p.Result(made.Tool, o)
		if r, ok := o.Result.(interface{ Status() int }); ok && mirror && p.Status == 0 {
			p.Status = r.Status()
		}
		if r, ok := o.Result.(spawn.Result); ok && p.Status == 0 && r.Status != agent.Working {
			p.Status = ExitOf(r.Status)
		}
		return nil
	}
}

// ToolFlags adds the flags for the arguments of a tool to c.
func ToolFlags(c *cobra.Command, t *tool.Tool, p *out.Printer) *Given {
	given := NewGiven(c, t.Schema().In(p.Lang), p)
	if t.Input != "" {
		c.Flags().StringVar(&given.file, flagName(t.Input)+"-file", "", p.Text("a file of the workspace with the %s, which may also come on standard input", t.Input))
	}
	return given
}

// Call is a call of a tool that a command line makes.
type Call struct {
	Env   *tool.Env
	Tool  *tool.Tool // as it is registered
	Input []byte     // its arguments, for the decoder to check

	cmd  *cobra.Command
	from *Input
}

// CallOf returns the call of t that a command line makes by cmd, with what was given as
// flags. args are the others.
func CallOf(cmd *cobra.Command, h *host.Host, t *tool.Tool, given *Given, args []string) (*Call, error) {
	env, tools, err := h.Env()
	if err != nil {
		return nil, err
	}
	registered, err := tools.Find(t.Called())
	if err != nil {
		return nil, err
	}
	in := NewInput(cmd, env, tools, registered, given)
	if at := cmd.ArgsLenAtDash(); at >= 0 && registered.Words != "" {
		args, in.words = args[:at], args[at:]
	}
	text, err := in.Read(cmd.Context(), args)
	if err == nil { // a call of tools_call is one of another tool
		registered, err = meant(tools, registered, text)
	}
	return &Call{env, registered, text, cmd, in}, err
}

// meant returns the tool that a call of t means by its arguments: another one, if t only
// calls others, or is given a patch as a command.
func meant(catalog *tools.Catalog, t *tool.Tool, input []byte) (*tool.Tool, error) {
	if t.Name != tools.CallName && t.Name != "exec" && catalog.Ours() == catalog {
		return t, nil
	}
	return catalog.For(t.Called(), input)
}

// Warnings are those about the command line.
func (m *Call) Warnings() []fault.Text {
	return slices.Concat(m.from.given.astray(m.cmd), m.from.warnings)
}

// ReadyNamed makes the command that args name ready. If they name none, they are
// about the commands themselves, as in help and completion, or about a tool that
// only the settings know: then ReadyNamed makes all of them ready and returns true.
func ReadyNamed(root *cobra.Command, h *host.Host, p *out.Printer, args []string) (all bool) {
	c, _, err := root.Find(args)
	switch {
	case err == nil && c.Annotations[ToolKey] != "":
		Ready(c, Builtin(c.Annotations[ToolKey]), h, p, args)
		return false
	case err == nil && c != root:
		return false
	}
	for _, c := range toolCommands(root) {
		Ready(c, Builtin(c.Annotations[ToolKey]), h, p, args)
	}
	addFurther(root, h, p, args)
	return true
}

// addFurther adds the tools that are bound or custom. If settings cannot be read,
// the command that is run says so.
func addFurther(root *cobra.Command, h *host.Host, p *out.Printer, args []string) {
	early := pflag.NewFlagSet("early", pflag.ContinueOnError)
	early.ParseErrorsAllowlist.UnknownFlags = true
	early.StringVar(&h.Root, "root", h.Root, "")
	early.StringVar(&h.Config, "config", h.Config, "")
	early.BoolP("help", "h", false, "") // undeclared, it would end the parsing
	if early.Parse(args) != nil {
		return
	}
	c, err := h.Catalog()
	if err != nil {
		return
	}
	listed := c.Tools()
	for _, t := range c.All() {
		if Builtin(t.Called()) == nil && (slices.Contains(listed, t) || slices.Contains(args, t.Called())) { // deferred ones where they are named
			further := Command(t, p)
			root.AddCommand(further)
			Ready(further, t, h, p, args)
		}
	}
	if found, _, _ := root.Find(args); found == root && early.NArg() > 0 { // the error is the missing tool, whatever its flags
		root.FParseErrWhitelist.UnknownFlags = true
	}
}

// Builtin returns the built-in tool of a name, nil when there is none.
func Builtin(name string) *tool.Tool {
	for _, t := range tools.Builtin() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// UnknownTool returns the error for a word that is not a command. words are those after
// it.
func UnknownTool(h *host.Host, name string, words []string) error {
	tools, err := h.Catalog()
	if err != nil {
		return err
	}
	t, err := tools.Find(name)
	call, known := insteadOf(name, words)
	switch {
	case known && (err == nil || fault.Is(err, fault.UnknownTool)):
	case err != nil:
		return err
	default: // an alias, which only a model may use
		call = "helve " + cmp.Or(t.PresetOf, t.Command())
		if len(words) > 0 {
			call += " " + quoteAll(words)
		}
	}
	return fault.New(fault.UnknownTool, fault.T("there is no command %q", name)).
		WithHint(fault.T("type: %s", call))
}

// ToolNames lists the built-in tools.
func ToolNames() string {
	var names []string
	for _, t := range tools.Builtin() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// ExitOf returns the exit status for the status of a sub-agent: 0 has completed, 4 waits for a
// person, and 1 is any other end.
func ExitOf(status agent.Status) int {
	switch status {
	case agent.Completed:
		return 0
	case agent.InputRequired:
		return fault.ApprovalRequired.Exit()
	}
	return 1
}

// misspelled refuses a task of one word that is nearly the name of a command below c.
func misspelled(c *cobra.Command, args []string) error {
	if !c.HasAvailableSubCommands() || len(args) == 0 || c.ArgsLenAtDash() >= 0 || strings.ContainsAny(args[0], " \t\n{") {
		return nil
	}
	var all []string
	for _, sub := range c.Commands() {
		all = append(all, sub.Name())
	}
	near := similar.Name(args[0], all)
	if near == "" {
		return nil
	}
	return fault.New(fault.Usage, fault.T("%[1]s has no subcommand %[2]q; did you mean %[3]s?", c.CommandPath(), args[0], near)).
		WithHint(fault.T("type %[1]s %[2]s; a task of one word follows --, as in %[1]s -- %[3]s", c.CommandPath(), near, args[0]))
}

// Canonical returns the name of the built-in tool that has name as one of its
// other names; or else name itself.
func Canonical(name string) string {
	for _, t := range tools.Builtin() {
		if slices.Contains(tools.OtherNames(t), name) {
			return t.Name
		}
	}
	return name
}

// toolExamples returns the examples of a tool as its help shows them.
func toolExamples(t *tool.Tool, p *out.Printer) string {
	pairs := make([]string, 0, 2*len(t.Examples))
	for _, e := range t.Examples {
		pairs = append(pairs, "helve "+t.Command()+" '"+e.Args+"'", e.DocIn(p.Lang))
	}
	return p.Examples(pairs...)
}
