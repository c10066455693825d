package cmd

import (
	"context"
	"os"
	"os/user"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// asker asks the host, on the descriptor that it named, or the person at the
// terminal, when there is one and input is not forbidden. The terminal is opened
// by its own name.
func (a *app) asker() func(context.Context, *approval.Request) (approval.Answer, error) {
	if a.flags.fd > 0 {
		return func(ctx context.Context, r *approval.Request) (approval.Answer, error) {
			host := os.NewFile(uintptr(a.flags.fd), "approval-fd")
			if host == nil {
				return approval.Answer{}, fault.New(fault.Usage, fault.T("--approval-fd %d is not open", "--approval-fd %d 未打开", a.flags.fd)).
					WithHint(fault.T("give the number of a descriptor that the process inherits", "请给出进程继承的描述符编号"))
			}
			defer host.Close()
			return approval.AskFD(ctx, host, r)
		}
	}
	if a.flags.noInput || !process.IsTerminal(a.errw) || a.underHelve() {
		return nil
	}
	return func(_ context.Context, r *approval.Request) (approval.Answer, error) {
		tty, err := process.OpenTerminal()
		if err != nil {
			return approval.Answer{}, nil // nobody to ask after all: the call waits for a decision
		}
		defer tty.Close()
		return approval.AskTerminal(tty, r, a.lang(), os.Getenv("NO_COLOR") == "")
	}
}

// underHelve reports whether helve started this process: it must then not
// decide for the person.
func (a *app) underHelve() bool { return approval.UnderHelve(os.Getenv("HELVE") != "") }

// personal refuses what only a person may do to a process under helve.
func (a *app) personal(what fault.Text) error {
	if !a.underHelve() {
		return nil
	}
	return fault.New(fault.Denied, fault.T("a process that helve started may not %s", "由 helve 启动的进程不得%s", what)).
		WithHint(fault.T("ask the person to do it in a terminal of their own", "请让用户在自己的终端中执行"))
}

// approvals opens the workspace's store of requests.
func (a *app) approvals() (*approval.Store, error) {
	d, err := a.world().State()
	if err != nil {
		return nil, err
	}
	return approval.NewStore(d), nil
}

// who is the person at the keyboard, for the record.
func who() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

func (a *app) approveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "approve ID", Short: "Allow a call that waits for a person, run it and print its result", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.personal(fault.T("approve calls", "批准调用")); err != nil {
				return err
			}
			store, err := a.approvals()
			if err != nil {
				return err
			}
			r, err := store.Approve(cmd.Context(), args[0], who())
			if err != nil {
				return err
			}
			a.flags.approval, a.flags.session = r.ID, r.Session
			env, tools, err := a.env()
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
			if err := a.personal(fault.T("deny calls", "拒绝调用")); err != nil {
				return err
			}
			store, err := a.approvals()
			if err != nil {
				return err
			}
			r, err := store.Deny(cmd.Context(), args[0], who(), reason)
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
				store, err := a.approvals()
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
				store, err := a.approvals()
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
				store, err := a.approvals()
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
