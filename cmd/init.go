package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// initCommand is "helve init".
func initCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var workspace bool
	var set, agents []string
	var undo bool
	questions := host.Questions()
	values := make([]string, len(questions))
	c := &cobra.Command{
		Use: "init", Args: out.Args(0, 0),
		Short: p.Text("Write a commented configuration file, or register helve with agents"),
		Long: p.Text("Write a configuration file with every setting: those that you choose, and the others as comments with their defaults. " +
			"On a terminal you are asked for the most important ones that no flag gives, and which of the agents on this machine may use helve. A file that is there already stays as it is."),
		Example: p.Examples(
			"helve init --agent claude-code,codex", p.Text("let these agents use helve; --undo takes it back"),
			"helve init --sandbox require --no-input", p.Text("your own settings, without a question"),
			`helve init --workspace --set 'exec.deny=["git push.*"]'`, p.Text("what holds for everybody in this workspace"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := h.MayWrite(fault.T("write a configuration")); err != nil {
				return err
			}
			all, record, err := h.Clients()
			if err != nil {
				return err
			}
			if undo {
				return unregister(p, record)
			}
			if len(agents) > 0 {
				return registerWith(h, p, all, record, agents)
			}
			choices, err := choicesOf(set)
			if err != nil {
				return err
			}
			open := []host.Question{}
			for i, q := range questions {
				if cmd.Flags().Changed(flagOf(q)) {
					choices = append(choices, config.Choice{Key: q.Key, Text: values[i]})
				} else if !slices.ContainsFunc(choices, func(c config.Choice) bool { return c.Key == q.Key }) {
					open = append(open, q)
				}
			}
			start := first{h: h, p: p, record: record}
			if !workspace {
				start.agents = installed(all)
			}
			return start.run(workspace, choices, open)
		},
	}
	f := c.Flags()
	f.BoolVar(&workspace, "workspace", false, p.Text("write the workspace's own file, .helve/config.json, which only narrows"))
	for i, q := range questions {
		f.StringVar(&values[i], flagOf(q), "", p.Text("the setting %s", q.Key))
	}
	f.StringSliceVar(&agents, "agent", nil, p.Text("register helve with these agents alone, such as claude-code,codex; all is those on this machine"))
	f.BoolVar(&undo, "undo", false, p.Text("take helve out of the files of agents again"))
	c.MarkFlagsMutuallyExclusive("agent", "undo", "workspace")
	f.StringArrayVar(&set, "set", nil, p.Text("KEY=VALUE of any other setting; may be repeated"))
	return c
}

// flagOf returns the flag that answers a question: the last part of its key.
func flagOf(q host.Question) string {
	return strings.ReplaceAll(q.Key[strings.LastIndexByte(q.Key, '.')+1:], "_", "-")
}

// choicesOf reads the values of --set.
func choicesOf(set []string) ([]config.Choice, error) {
	var choices []config.Choice
	for _, one := range set {
		key, text, ok := strings.Cut(one, "=")
		if !ok {
			return nil, fault.New(fault.Usage, fault.T("--set %s: want KEY=VALUE", one)).
				WithHint(fault.T("such as --set output=text"))
		}
		choices = append(choices, config.Choice{Key: key, Text: text})
	}
	return choices, nil
}
