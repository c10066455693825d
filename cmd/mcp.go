package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server"
)

// Who is asked what a person must decide.
const (
	askClient = "client"
	askNobody = "queue"
)

// mcpCommand is "helve mcp": the tools as a server of the Model Context Protocol.
func mcpCommand(h *host.Host, out *Printer) *cobra.Command {
	var choice choice
	var web overHTTP
	approvals := askClient
	c := &cobra.Command{
		Use: "mcp", Args: takes(0, 0), Annotations: map[string]string{errorsToStderr: "true"},
		Short: out.Text("Serve the tools over the Model Context Protocol"),
		Long:  out.Text("Serve the tools to a client of the Model Context Protocol, which starts this command and speaks with it over standard input and output; with --http, to any number of clients that know the token of the server."),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("http") {
				delete(cmd.Annotations, errorsToStderr) // the protocol is elsewhere
			}
			if approvals != askClient && approvals != askNobody {
				return fault.New(fault.Usage, fault.T("--approvals: want %s or %s, got %q", askClient, askNobody, approvals)).
					WithHint(fault.T("leave it out to have the client ask its person"))
			}
			h.NoInput = true // a terminal that this process may have is the client's
			overHTTP, err := web.wanted(cmd.Flags())
			if err != nil {
				return err
			}
			s := server.New(server.Options{
				Version: h.Release(), Lang: out.Lang, World: h.Live().Env, Approvals: h.Approvals, Log: out.log(),
				Choose: choice.among, Apart: h.Session == host.DefaultSession,
				// A program that helve started could be the client of this process.
				Elicit: approvals == askClient && !web.open && host.Personal(fault.T("approve calls")) == nil,
			})
			if overHTTP {
				return web.serve(cmd.Context(), h, out, s)
			}
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			line, err := out.protocol(cancel)
			if err != nil {
				return err
			}
			return s.Serve(ctx, cmd.InOrStdin(), line)
		},
	}
	choice.flags(c, h, out)
	web.flags(c.Flags(), out)
	c.Flags().StringVar(&approvals, "approvals", approvals, out.Text("who is asked what a person must decide: client, where it can, or queue, which leaves it to \"helve approve\""))
	_ = c.RegisterFlagCompletionFunc("approvals", cobra.FixedCompletions([]cobra.Completion{askClient, askNobody}, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}
