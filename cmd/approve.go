package cmd

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// approveCommand is "helve approve".
func approveCommand(h *host.Host, out *Printer) *cobra.Command {
	var later bool
	c := &cobra.Command{
		Use: "approve ID", Args: takes(1, 1),
		Short: out.Text("Allow a call that waits for a person, run it and print its result", "批准等待用户的调用，运行它并输出结果"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("approve calls", "批准调用")); err != nil {
				return err
			}
			store, err := h.Approvals()
			if err != nil {
				return err
			}
			r, err := store.Approve(cmd.Context(), args[0], host.Person())
			if err != nil {
				return err
			}
			if later {
				return out.Data(r)
			}
			h.Approval, h.Session = r.ID, r.Session
			env, tools, err := h.Env()
			if err != nil {
				return err
			}
			t, err := tools.Find(r.Tool)
			if err != nil {
				return err
			}
			out.Result(t, guard.Run(cmd.Context(), env, t, r.Args))
			return nil
		},
	}
	c.Flags().BoolVar(&later, "no-run", false, out.Text("only decide: the process that waits runs the call, or the same call with --approval ID", "仅作决定：由等待中的进程运行该调用，或以 --approval ID 再次发起"))
	return c
}

// denyCommand is "helve deny".
func denyCommand(h *host.Host, out *Printer) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use: "deny ID", Args: takes(1, 1),
		Short: out.Text("Forbid a call that waits for a person", "拒绝等待用户的调用"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("deny calls", "拒绝调用")); err != nil {
				return err
			}
			store, err := h.Approvals()
			if err != nil {
				return err
			}
			r, err := store.Deny(cmd.Context(), args[0], host.Person(), reason)
			if err != nil {
				return err
			}
			return out.Data(r)
		},
	}
	c.Flags().StringVar(&reason, "reason", "", out.Text("words for the model: why not, and what to do instead", "给模型的说明：为何拒绝，以及应改做什么"))
	return c
}
