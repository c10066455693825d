package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/catalog"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/guard"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// toolKey marks a command that is a tool; the annotation is the tool's name.
const toolKey = "tool"

// addTools makes every tool a command, without flags.
func (a *app) addTools(root *cobra.Command, group string) {
	for _, t := range catalog.Tools() {
		c := &cobra.Command{
			Use:         t.Name,
			Short:       firstSentence(t.Doc),
			GroupID:     group,
			Args:        cobra.ArbitraryArgs,
			Annotations: map[string]string{toolKey: t.Name},
		}
		if t.Bare != "" {
			c.Use += " [JSON | " + strings.ToUpper(t.Bare) + "]"
		} else {
			c.Use += " [JSON]"
		}
		root.AddCommand(c)
	}
}

// giveFlags makes the command that args name ready to run. Without one it is
// about the commands themselves, as in help and completion: then all are made
// ready, and whole reports so.
func (a *app) giveFlags(root *cobra.Command, args []string) (whole bool) {
	c, _, err := root.Find(args)
	switch {
	case err == nil && c.Annotations[toolKey] != "":
		a.ready(c)
		return false
	case err == nil && c != root:
		return false
	}
	for _, c := range root.Commands() {
		if c.Annotations[toolKey] != "" {
			a.ready(c)
		}
	}
	return true
}

// ready gives a tool's command its flags, its help and its action.
func (a *app) ready(c *cobra.Command) {
	t, _ := catalog.Find(c.Annotations[toolKey])
	given := newMembers(c, t.Schema())
	c.Long = t.Doc
	c.Example = examples(t)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		input, err := a.input(cmd.Context(), t, args, given)
		if err != nil {
			return err
		}
		a.answer(t, guard.Run(cmd.Context(), a.env(), t, input))
		return nil
	}
}

func examples(t *tool.Tool) string {
	var b strings.Builder
	for _, e := range t.Examples {
		fmt.Fprintf(&b, "  helve %s '%s'  # %s\n", t.Name, e.Args, e.Doc)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func firstSentence(doc string) string {
	first, _, _ := strings.Cut(doc, ". ")
	return strings.TrimSuffix(first, ".")
}

func (a *app) toolNames() string {
	var names []string
	for _, t := range catalog.Tools() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

func (a *app) unknownTool(name string) error { return catalog.Unknown(name) }

// toolsCommand is "helve tools".
func (a *app) toolsCommand() *cobra.Command {
	c := &cobra.Command{Use: "tools", Short: "List the tools", Args: cobra.NoArgs}
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the tools with their risk and the other names they answer to", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			type listed struct {
				Name        string    `json:"name"`
				Risk        tool.Risk `json:"risk"`
				Description string    `json:"description"`
				Arguments   []string  `json:"arguments"`
				Aliases     []string  `json:"aliases,omitempty"`
			}
			var all []listed
			for _, t := range catalog.Tools() {
				all = append(all, listed{t.Name, t.Risk, firstSentence(t.Doc), t.Schema().Names(), t.Aliases})
			}
			return a.data(schema.Document{{Name: "tools", Value: all}})
		},
	})
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return fault.New(fault.Usage, fault.T("helve tools needs a subcommand", "helve tools 需要子命令")).
			WithHint(fault.T("helve tools list", "helve tools list"))
	}
	return c
}
