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
		Short: out.Text("Allow a call that waits for a person, run it and print its result", "批准等待用户的调用，运行它并输出结果"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("approve calls", "批准调用")); err != nil {
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
			during := out.waiting(h, r.Tool, false, false)
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
	c.Flags().BoolVar(&later, "no-run", false, out.Text("only decide: the process that waits runs the call, or the same call with --approval ID", "仅作决定：由等待中的进程运行该调用，或以 --approval ID 再次发起"))
	c.Flags().BoolVar(&session, "session", false, out.Text("allow the same call for the rest of its session, 12 hours at most", "在其会话余下的时间内（最多 12 小时）允许同一调用"))
	c.Flags().BoolVar(&always, "rule", false, out.Text("write a rule into your settings that allows exactly this command in this directory", "在你的设置中写入一条规则，只允许在此目录执行这条命令"))
	c.MarkFlagsMutuallyExclusive("session", "rule")
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
			r, err := h.Deny(cmd.Context(), store, args[0], reason)
			if err != nil {
				return err
			}
			return out.Data(r)
		},
	}
	c.Flags().StringVar(&reason, "reason", "", out.Text("words for the model: why not, and what to do instead", "给模型的说明：为何拒绝，以及应改做什么"))
	return c
}
