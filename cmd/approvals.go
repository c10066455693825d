package cmd

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/desk/overview"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// approvalsCommand is "helve approvals".
func approvalsCommand(h *host.Host, out *Printer) *cobra.Command {
	return group(
		&cobra.Command{
			Use: "approvals", Short: out.Text("List the calls that a person was asked about"),
			Example: out.Examples("helve approvals list", out.Text("what waits for a decision")),
		},
		listApprovalsCommand(h, out),
		showApprovalCommand(h, out),
		watchApprovalsCommand(h, out),
	)
}

// listApprovalsCommand is "helve approvals list".
func listApprovalsCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "list", Args: takes(0, 0),
		Short:   out.Text("List the requests, the oldest first"),
		Example: out.Examples("helve approvals list -o pretty", out.Text("all requests")),
		RunE: func(*cobra.Command, []string) error {
			store, err := h.Approvals()
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
			return out.Data(schema.Document{{Name: "approvals", Value: all}})
		},
	}
}

// showApprovalCommand is "helve approvals show".
func showApprovalCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Args: takes(1, 1),
		Short:   out.Text("Show one request with its preview, and what the call came to"),
		Example: out.Examples("helve approvals show 01m7zh1bwxt3eacg76z38mmmht", out.Text("one request with its diff")),
		RunE: func(_ *cobra.Command, args []string) error {
			store, err := h.Approvals()
			if err != nil {
				return err
			}
			r, err := store.Get(args[0])
			if err != nil {
				return err
			}
			shown, said, err := overview.ApprovalOf(store, r, out.Lang)
			if err != nil {
				return err
			}
			text := r.Tool + " " + string(r.Args) + "\n" + r.Preview
			if said != "" {
				text += "\n" + said
			}
			return out.Report(report{data: shown, text: text})
		},
	}
}
