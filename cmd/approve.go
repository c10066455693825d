package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
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
			r, err := allow(cmd.Context(), h, store, args[0], session, always)
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
	c.Flags().BoolVar(&session, "session", false, out.Text("allow the same call for the rest of its session, 12 hours at most", "在其会话余下的时间内（最多 12 小时）允许同一调用"))
	c.Flags().BoolVar(&always, "rule", false, out.Text("write a rule into your settings that allows exactly this command in this directory", "在你的设置中写入一条规则，只允许在此目录执行这条命令"))
	c.MarkFlagsMutuallyExclusive("session", "rule")
	return c
}

// allow records that the person allows a request, and to what extent. A rule is
// written before the request is approved: if that fails, nothing was decided.
func allow(ctx context.Context, h *host.Host, store *approval.Store, id string, session, always bool) (*approval.Request, error) {
	switch {
	case session:
		return store.ApproveSession(ctx, id, host.Person())
	case always:
		r, err := store.Get(id)
		switch {
		case err != nil:
			return nil, err
		case r.State != approval.Pending:
			return nil, r.Settled()
		case r.Rule == nil:
			return nil, fault.New(fault.InvalidArguments, fault.T("no rule can say what this call does: its words do not tell all of it", "无法用规则描述该调用：其文字不能说明全部行为")).
				WithHint(fault.T("helve approve %[1]s allows it once, helve approve %[1]s --session for its session", "helve approve %[1]s 允许一次，helve approve %[1]s --session 在其会话内允许", r.ID))
		}
		if err := h.Remember(*r.Rule); err != nil {
			return nil, err
		}
	}
	return store.Approve(ctx, id, host.Person())
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
