package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// policyCommand is "helve policy".
func (a *app) policyCommand() *cobra.Command {
	c := &cobra.Command{Use: "policy", Short: "Explain what the rules make of a call", Args: cobra.NoArgs}
	c.AddCommand(&cobra.Command{
		Use: "explain TOOL [JSON]", Short: "Say whether a call would be allowed, asked about or denied, and why, without running it", Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			env, s, err := a.Governed()
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
			input, err := a.input(cmd.Context(), t, args[1:], &members{lists: map[string][][]byte{}})
			if err != nil {
				return err
			}
			e, err := guard.Explain(cmd.Context(), env, s.Policy, t, input)
			if err != nil {
				return err
			}
			return a.report(report{data: e.In(a.lang()), text: explanationText(e, a.lang()), warnings: s.Warnings})
		},
	})
	c.RunE = needsSubcommand("policy", "explain")
	return c
}

// explanationText is the verdict, why, and what else spoke.
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
