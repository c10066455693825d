package cmd

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
)

// toolKey marks a command that is a tool; the annotation is the tool's name.
const toolKey = "tool"

// toolGroup is the group of the tools in the help.
const toolGroup = "tools"

// addTools makes every built-in tool a command, without flags.
func (a *app) addTools(root *cobra.Command) {
	for _, t := range tools.Builtin() {
		root.AddCommand(command(t))
	}
}

// command is a tool's command, without flags.
func command(t *tool.Tool) *cobra.Command {
	c := &cobra.Command{
		Use:         t.Name,
		Short:       firstSentence(t.Doc),
		GroupID:     toolGroup,
		Args:        cobra.ArbitraryArgs,
		Annotations: map[string]string{toolKey: t.Name},
	}
	if t.Bare != "" {
		c.Use += " [JSON | " + strings.ToUpper(t.Bare) + "]"
	} else {
		c.Use += " [JSON]"
	}
	return c
}

// giveFlags makes the command that args name ready to run. Without one it is
// about the commands themselves, as in help and completion, or about a tool that
// only the settings know: then all are made ready, and whole reports so.
func (a *app) giveFlags(root *cobra.Command, args []string) (whole bool) {
	c, _, err := root.Find(args)
	switch {
	case err == nil && c.Annotations[toolKey] != "":
		a.ready(c, builtin(c.Annotations[toolKey]))
		return false
	case err == nil && c != root:
		return false
	}
	for _, c := range root.Commands() {
		if name := c.Annotations[toolKey]; name != "" {
			a.ready(c, builtin(name))
		}
	}
	a.addFurther(root, args)
	return true
}

// builtin is the built-in tool of a name, nil when there is none.
func builtin(name string) *tool.Tool {
	for _, t := range tools.Builtin() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// addFurther adds the tools that are bound or custom. Settings that cannot be
// read are told by the command that is run.
func (a *app) addFurther(root *cobra.Command, args []string) {
	early := pflag.NewFlagSet("early", pflag.ContinueOnError)
	early.ParseErrorsAllowlist.UnknownFlags = true
	early.StringVar(&a.Root, "root", a.Root, "")
	early.StringVar(&a.Config, "config", a.Config, "")
	early.BoolP("help", "h", false, "") // which would end the parsing
	if early.Parse(args) != nil {
		return
	}
	c, err := a.catalog()
	if err != nil {
		return
	}
	for _, t := range c.Tools() {
		if builtin(t.Name) == nil {
			further := command(t)
			a.ready(further, t)
			root.AddCommand(further)
		}
	}
	if found, _, _ := root.Find(args); found == root && early.NArg() > 0 { // it is the tool that is not there, whatever its flags
		root.FParseErrWhitelist.UnknownFlags = true
	}
}

// ready gives a tool's command its flags, its help and its action.
func (a *app) ready(c *cobra.Command, t *tool.Tool) {
	given := newMembers(c, t.Schema())
	if t.Name == commandTool {
		a.execFlags(c)
	}
	c.Long = t.Doc
	c.Example = examples(t)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if a.streaming {
			a.Stream = a.stream
		}
		env, tools, err := a.Env()
		if err != nil {
			return err
		}
		registered, err := tools.Find(t.Name)
		if err != nil {
			return err
		}
		input, err := a.input(cmd.Context(), registered, args, given)
		if err != nil {
			return err
		}
		a.answer(registered, guard.Run(cmd.Context(), env, registered, input))
		return nil
	}
}

func examples(t *tool.Tool) string {
	lines := make([]string, len(t.Examples))
	for i, e := range t.Examples {
		lines[i] = "  helve " + t.Name + " '" + e.Args + "'  # " + e.Doc
	}
	return strings.Join(lines, "\n")
}

func firstSentence(doc string) string {
	first, _, _ := strings.Cut(doc, ". ")
	return strings.TrimSuffix(first, ".")
}

// unknownTool is helve with a word that is no command.
func (a *app) unknownTool(name string) error {
	tools, err := a.catalog()
	if err == nil {
		_, err = tools.Find(name)
	}
	if err == nil { // an alias, which only a model may use
		t, _ := tools.Find(name)
		return fault.New(fault.UnknownTool, fault.T("there is no command %q", "没有名为 %q 的命令", name)).
			WithHint(fault.T("the command is %s", "对应命令为 %s", t.Name))
	}
	return err
}

// toolNames lists the built-in tools.
func toolNames() string {
	var names []string
	for _, t := range tools.Builtin() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}
