package cmd

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// approveCommand is "helve approve".
func approveCommand(h *host.Host, out *Printer) *cobra.Command {
	var later, session, always bool
	c := &cobra.Command{
		Use: "approve ID", Args: takes(1, 1),
		Short:   out.Text("Allow a call that waits for a person, run it and print its result"),
		Example: out.Examples("helve approve 01m7zh1bwxt3eacg76z38mmmht", out.Text("allow the call, run it and print its result")),
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
				return out.Data(r)
			}
			during := showProgress(out, h, r.Tool, false, false)
			var t *tool.Tool
			var outcome guard.Outcome
			during(func() { t, outcome, err = h.CarryOut(cmd.Context(), r) })
			if err != nil {
				return err
			}
			out.Result(t, outcome)
			return nil
		},
	}
	c.Flags().BoolVar(&later, "no-run", false, out.Text("only decide: the process that waits runs the call, or the same call with --approval ID"))
	c.Flags().BoolVar(&session, "session", false, out.Text("allow the same call for the rest of its session, 12 hours at most"))
	c.Flags().BoolVar(&always, "rule", false, out.Text("write a rule into your settings that allows exactly this command in this directory"))
	c.MarkFlagsMutuallyExclusive("session", "rule")
	return c
}

// denyCommand is "helve deny".
func denyCommand(h *host.Host, out *Printer) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use: "deny ID", Args: takes(1, 1),
		Short:   out.Text("Forbid a call that waits for a person"),
		Example: out.Examples(`helve deny 01m7zh1bwxt3eacg76z38mmmht --reason "use a branch"`, out.Text("refuse the call, and say why")),
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
			return out.Data(r)
		},
	}
	c.Flags().StringVar(&reason, "reason", "", out.Text("words for the model: why not, and what to do instead"))
	return c
}
