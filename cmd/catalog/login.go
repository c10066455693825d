package catalog

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/schema"
)

// loginCommand is "helve tools login".
func loginCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "login NAME", Args: out.Args(1, 1),
		Short: p.Text("Log in to an imported server that wants it, in a browser"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("log in to servers")); err != nil {
				return err
			}
			s, err := h.Records().Get(args[0])
			if err != nil {
				return err
			}
			if s.URL == "" {
				return fault.New(fault.Usage, fault.T("%s is started by a command, and nobody logs in to it", s.Name)).
					WithHint(fault.T("pass its key on in a variable: helve tools import --pass-env"))
			}
			offer, err := fetchAs(cmd, h, p, s)
			if err != nil {
				return err
			}
			return p.Report(out.Report{
				Data: schema.Document{{Name: "name", Value: s.Name}, {Name: "ok", Value: true}, {Name: "tools", Value: len(offer.Tools)}},
				Text: p.Text("%s answers: %d tools\n", s.Name, len(offer.Tools)),
			})
		},
	}
}

// fetchAs asks a server for its tools as the person at the terminal, who can log in to one
// at an address.
func fetchAs(cmd *cobra.Command, h *host.Host, p *out.Printer, s *upstream.Server) (*client.Offer, error) {
	if s.URL == "" {
		return h.Fetch(cmd.Context(), s)
	}
	return h.Login(cmd.Context(), s, func(address string) error {
		_, err := fmt.Fprint(cmd.ErrOrStderr(), p.Text("open this address to log in to %s:\n%s\n", s.Name, address))
		return err
	})
}
