// Package approvals has the commands with which a person decides about calls: list, show and
// watch requests, approve and deny.
package approvals

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// Command is "helve approvals".
func Command(h *host.Host, p *out.Printer) *cobra.Command {
	return out.Group(
		&cobra.Command{
			Use: "approvals", Short: p.Text("List the calls that a person was asked about"),
			Example: p.Examples("helve approvals list", p.Text("what waits for a decision")),
		},
		listApprovalsCommand(h, p),
		showApprovalCommand(h, p),
		watchApprovalsCommand(h, p),
	)
}

// listApprovalsCommand is "helve approvals list".
func listApprovalsCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "list", Args: out.Args(0, 0),
		Short:   p.Text("List the requests, the oldest first"),
		Example: p.Examples("helve approvals list -o pretty", p.Text("all requests")),
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
			data, err := visible(schema.Document{{Name: "approvals", Value: all}})
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: data, Text: requestsText(p, all)})
		},
	}
}

// requestsText returns a line for each request.
func requestsText(p *out.Printer, all []approval.Request) string {
	if len(all) == 0 {
		return p.Text("nobody was asked about a call\n")
	}
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "%s  %s  %s %s\n", r.ID, r.State, r.Tool, r.Args)
	}
	return b.String()
}

// showApprovalCommand is "helve approvals show".
func showApprovalCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Args: out.Args(1, 1),
		Short:   p.Text("Show one request with its preview and the outcome of the call"),
		Example: p.Examples("helve approvals show 01m7zh1bwxt3eacg76z38mmmht", p.Text("one request with its diff")),
		RunE: func(_ *cobra.Command, args []string) error {
			store, err := h.Approvals()
			if err != nil {
				return err
			}
			r, err := store.Get(args[0])
			if err != nil {
				return err
			}
			shown, said, err := overview.ApprovalOf(store, r, p.Lang)
			if err != nil {
				return err
			}
			text := r.Tool + " " + string(r.Args) + "\n" + r.Preview
			if said != "" {
				text += "\n" + said
			}
			data, err := visible(shown)
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: data, Text: text})
		},
	}
}

// visible returns a value as JSON that shows a person what is hidden in its texts.
func visible(v any) (json.RawMessage, error) {
	text, err := schema.Marshal(v)
	return approval.VisibleJSON(text), err
}
