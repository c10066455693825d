package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// riskCommand is "helve risk": what exec would take a command for.
func (a *app) riskCommand() *cobra.Command {
	return &cobra.Command{
		Use: "risk COMMAND", Short: "Tell how much harm a command may do, and why, without running it", Args: cobra.ExactArgs(1),
		Long: "Tell how much harm a command may do, and why, without running it. COMMAND is a command line, or the arguments of exec as JSON.\n" +
			"What the rules make of it is told by helve policy explain exec COMMAND.",
		RunE: func(cmd *cobra.Command, args []string) error {
			env, _, err := a.Env()
			if err != nil {
				return err
			}
			t := builtin(commandTool)
			input, err := a.input(cmd.Context(), t, args, &members{lists: map[string][][]byte{}})
			if err != nil {
				return err
			}
			j, err := guard.Judge(cmd.Context(), env, t, input)
			if err != nil {
				return err
			}
			return a.report(report{data: riskOf(j, a.lang()), text: riskText(j, a.lang())})
		},
	}
}

// judgedCommand is a simple command in the answer.
type judgedCommand struct {
	Argv    []string    `json:"argv"`
	Risk    policy.Risk `json:"risk"`
	Network bool        `json:"network"`
}

func riskOf(j *tool.Judgement, lang fault.Lang) any {
	reasons, commands := []string{}, []judgedCommand{}
	for _, why := range j.Reasons {
		reasons = append(reasons, why.In(lang))
	}
	for _, c := range j.Commands {
		commands = append(commands, judgedCommand(c))
	}
	return schema.Document{
		{Name: "risk", Value: j.Risk}, {Name: "flags", Value: j.Flags}, {Name: "reasons", Value: reasons}, {Name: "commands", Value: commands},
		{Name: "rest", Value: j.Rest.Risk}, {Name: "network", Value: j.Network}, {Name: "denied", Value: !j.Forbidden.IsZero()},
	}
}

func riskText(j *tool.Judgement, lang fault.Lang) string {
	var b strings.Builder
	b.WriteString(string(j.Risk))
	if len(j.Flags) > 0 {
		b.WriteString("  # " + strings.Join(j.Flags, ", "))
	}
	b.WriteByte('\n')
	for _, why := range j.Reasons {
		b.WriteString("  " + why.In(lang) + "\n")
	}
	for _, c := range j.Commands {
		fmt.Fprintf(&b, "%-12s%s\n", c.Risk, strings.Join(c.Argv, " "))
	}
	return b.String()
}
