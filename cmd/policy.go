package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// policyCommand is "helve policy".
func policyCommand(h *host.Host, out *Printer) *cobra.Command {
	return group(
		&cobra.Command{
			Use: "policy", Short: out.Text("Explain what the rules say about a call"),
			Example: out.Examples(
				`helve policy explain write '{"path":"SOUL.md","content":""}'`, out.Text("what would be decided about this call"),
				"helve policy explain exec 'git push'", out.Text("about a command"),
			),
		},
		explainCommand(h, out),
	)
}

// explainCommand is "helve policy explain".
func explainCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "explain TOOL [JSON]", Args: takes(1, 2),
		Short: out.Text("Say whether a call would be allowed, asked about or denied, and why, without running it"),
		Example: out.Examples(
			`helve policy explain write '{"path":"SOUL.md","content":""}'`, out.Text("what would be decided about this call"),
			"helve policy explain exec 'git push'", out.Text("about a command"),
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			env, s, err := h.Governed()
			if err != nil {
				return err
			}
			tools, err := s.Catalog()
			if err != nil {
				return err
			}
			t, err := tools.Find(args[0])
			if err != nil {
				return err
			}
			input, err := newInput(cmd, env, tools, t, &members{}).read(cmd.Context(), args[1:])
			if err != nil {
				return err
			}
			e, err := guard.Explain(cmd.Context(), env, s.Policy, t, input)
			if err != nil {
				return err
			}
			return out.Report(report{data: e.In(out.Lang), text: explanationText(e, out.Lang), warnings: s.Warnings})
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
	for _, r := range e.Decision.Reasons {
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
