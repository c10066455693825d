package settings

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools/exec"
)

// Risk is "helve risk": how exec would classify a command.
func Risk(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "risk COMMAND", Args: cobra.MinimumNArgs(1),
		Short: p.Text("Classify the risk of a command and explain it, without running it"),
		Long: p.Text("Classify the risk of a command and explain it, without running it. COMMAND is a command line, or the arguments of exec as JSON.\n" +
			"To see what the rules say about it, use helve policy explain exec COMMAND."),
		Example: p.Examples("helve risk 'git push --force'", p.Text("judged, not run")),
		RunE: func(cmd *cobra.Command, args []string) error {
			env, tools, err := h.Env()
			if err != nil {
				return err
			}
			t := line.Builtin(line.ExecTool)
			var input []byte
			if len(args) > 1 {
				input, err = schema.Marshal(exec.Args{Argv: args})
			} else {
				input, err = line.NewInput(cmd, env, tools, t, &line.Given{}).Read(cmd.Context(), args)
			}
			if err != nil {
				return err
			}
			j, err := guard.Judge(cmd.Context(), env, t, input)
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: riskOf(j, p.Lang), Text: riskText(j, p.Lang)})
		},
	}
}

// judgedCommand is one simple command of the result.
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
		commands = append(commands, judgedCommand{c.Argv, c.Risk, c.Network && !c.Shared})
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
