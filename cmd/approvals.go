package cmd

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

func (a *app) approveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "approve ID", Short: "Allow a call that waits for a person, run it and print its result", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("approve calls", "批准调用")); err != nil {
				return err
			}
			store, err := a.Approvals()
			if err != nil {
				return err
			}
			r, err := store.Approve(cmd.Context(), args[0], host.Person())
			if err != nil {
				return err
			}
			a.Approval, a.Session = r.ID, r.Session
			env, tools, err := a.Env()
			if err != nil {
				return err
			}
			t, err := tools.Find(r.Tool)
			if err != nil {
				return err
			}
			a.answer(t, guard.Run(cmd.Context(), env, t, r.Args))
			return nil
		},
	}
}

func (a *app) denyCommand() *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use: "deny ID", Short: "Forbid a call that waits for a person", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("deny calls", "拒绝调用")); err != nil {
				return err
			}
			store, err := a.Approvals()
			if err != nil {
				return err
			}
			r, err := store.Deny(cmd.Context(), args[0], host.Person(), reason)
			if err != nil {
				return err
			}
			return a.data(r)
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "words for the model: why not, and what instead")
	return c
}

func (a *app) approvalsCommand() *cobra.Command {
	c := &cobra.Command{Use: "approvals", Short: "List the calls that a person was asked about", Args: cobra.NoArgs}
	c.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List them, the oldest first", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				store, err := a.Approvals()
				if err != nil {
					return err
				}
				all, err := store.List()
				if err != nil {
					return err
				}
				if all == nil {
					all = []approval.Request{}
				}
				return a.data(schema.Document{{Name: "approvals", Value: all}})
			},
		},
		&cobra.Command{
			Use: "show ID", Short: "Show one with its preview", Args: cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error {
				store, err := a.Approvals()
				if err != nil {
					return err
				}
				r, err := store.Get(args[0])
				if err != nil {
					return err
				}
				if a.flags.output == "text" {
					a.write([]byte(approval.Visible(r.Tool + " " + string(r.Args) + "\n" + r.Preview)))
					return nil
				}
				return a.data(r)
			},
		},
		&cobra.Command{
			Use: "watch", Short: "Print each as a line when it is new or decided, until interrupted", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				store, err := a.Approvals()
				if err != nil {
					return err
				}
				a.flags.output, a.answered = "json", true
				for r, err := range store.Watch(cmd.Context()) {
					if err != nil {
						return ignoreCanceled(err)
					}
					a.document(r)
				}
				return nil
			},
		},
	)
	c.RunE = needsSubcommand("approvals", "list, show, watch")
	return c
}

// ignoreCanceled makes an interruption the end that was asked for.
func ignoreCanceled(err error) error {
	if fault.As(err).Code == fault.Canceled {
		return nil
	}
	return err
}

// needsSubcommand refuses a command that does nothing by itself.
func needsSubcommand(name, subcommands string) func(*cobra.Command, []string) error {
	return func(*cobra.Command, []string) error {
		return fault.New(fault.Usage, fault.T("helve %s needs a subcommand", "helve %s 需要子命令", name)).
			WithHint(fault.T("the subcommands are: %s", "可用子命令：%s", subcommands))
	}
}
