package settings

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// Policy is "helve policy".
func Policy(h *host.Host, p *out.Printer) *cobra.Command {
	return out.Group(
		&cobra.Command{
			Use: "policy", Short: p.Text("Explain what the rules say about a call"),
			Example: p.Examples(
				`helve policy explain write '{"path":"SOUL.md","content":""}'`, p.Text("what would be decided about this call"),
				"helve policy explain exec 'git push'", p.Text("about a command"),
			),
		},
		explainCommand(h, p),
	)
}

// explainCommand is "helve policy explain".
func explainCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "explain TOOL [JSON]", Args: out.Args(1, 2),
		Short: p.Text("Show whether a call would be allowed, asked about or denied, and why, without running it"),
		Example: p.Examples(
			`helve policy explain write '{"path":"SOUL.md","content":""}'`, p.Text("what would be decided about this call"),
			"helve policy explain exec 'git push'", p.Text("about a command"),
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			env, s, err := h.Governed()
			if err != nil {
				return err
			}
			tools := s.Catalog()
			t, err := tools.Find(args[0])
			if err != nil {
				return err
			}
			input, err := line.NewInput(cmd, env, tools, t, &line.Given{}).Read(cmd.Context(), args[1:])
			if err != nil {
				return err
			}
			e, err := guard.Explain(cmd.Context(), env, s.Policy, t, input)
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: e.In(p.Lang), Text: explanationText(e, p.Lang), Warnings: s.Warnings})
		},
	}
}

// explanationText returns the verdict, its reasons, and the other rules that
// match.
func explanationText(e policy.Explanation, lang fault.Lang) string {
	var b strings.Builder
	b.WriteString(string(e.Decision.Verdict) + "  # " + string(e.Decision.By))
	if e.Decision.Rule != nil {
		b.WriteString(", " + e.Decision.Rule.From)
	}
	b.WriteByte('\n')
	for _, r := range e.Decision.Why() {
		b.WriteString("  " + r.In(lang) + "\n")
	}
	for _, m := range e.Others {
		b.WriteString("  " + m.Rule.From + ": " + string(m.Verdict))
		if m.About != "" {
			b.WriteString("  " + m.About)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
