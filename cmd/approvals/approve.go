package approvals

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// Approve is "helve approve".
func Approve(h *host.Host, p *out.Printer) *cobra.Command {
	var later, session, always bool
	c := &cobra.Command{
		Use: "approve ID", Args: out.Args(1, 1),
		Short:   p.Text("Allow a call that waits for a person, run it and print its result"),
		Example: p.Examples("helve approve 01m7zh1bwxt3eacg76z38mmmht", p.Text("allow the call, run it and print its result")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("approve calls")); err != nil {
				return err
			}
			store, err := h.Approvals()
			if err != nil {
				return err
			}
			scope := approval.Once
			switch {
			case session:
				scope = approval.Session
			case always:
				scope = approval.Always
			}
			r, err := h.Allow(cmd.Context(), store, args[0], scope)
			if err != nil {
				return err
			}
			if later {
				return p.Data(r)
			}
			during := line.ShowProgress(p, h, r.Tool, false, false)
			var t *tool.Tool
			var outcome guard.Outcome
			during(func() { t, outcome, err = h.CarryOut(cmd.Context(), r) })
			if err != nil {
				return err
			}
			p.Result(t, outcome)
			return nil
		},
	}
	c.Flags().BoolVar(&later, "no-run", false, p.Text("only decide: the process that waits runs the call, or the same call with --approval ID"))
	c.Flags().BoolVar(&session, "session", false, p.Text("allow the same call for the rest of its session, 12 hours at most"))
	c.Flags().BoolVar(&always, "rule", false, p.Text("write a rule into your settings that allows exactly this command in this directory"))
	c.MarkFlagsMutuallyExclusive("session", "rule")
	return c
}

// Deny is "helve deny".
func Deny(h *host.Host, p *out.Printer) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use: "deny ID", Args: out.Args(1, 1),
		Short:   p.Text("Forbid a call that waits for a person"),
		Example: p.Examples(`helve deny 01m7zh1bwxt3eacg76z38mmmht --reason "use a branch"`, p.Text("refuse the call, and say why")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("deny calls")); err != nil {
				return err
			}
			store, err := h.Approvals()
			if err != nil {
				return err
			}
			r, err := h.Deny(cmd.Context(), store, args[0], reason)
			if err != nil {
				return err
			}
			return p.Data(r)
		},
	}
	c.Flags().StringVar(&reason, "reason", "", p.Text("reason for the model: why not, and what to do instead"))
	return c
}
