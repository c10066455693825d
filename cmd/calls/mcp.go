package calls

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server"
)

// Who is asked what a person must decide.
const (
	askClient = "client"
	askNobody = "queue"
)

// MCP is "helve mcp": the tools as a server of the Model Context Protocol.
func MCP(h *host.Host, p *out.Printer) *cobra.Command {
	var choice choice
	var web overHTTP
	var structured bool
	approvals := askClient
	c := &cobra.Command{
		Use: "mcp", Args: out.Args(0, 0), Annotations: map[string]string{out.ErrorsToStderr: "true"},
		Short: p.Text("Serve the tools over the Model Context Protocol"),
		Long:  p.Text("Serve the tools to a client of the Model Context Protocol, which starts this command and speaks with it over standard input and output; with --http, to any number of clients that know the token of the server. It offers the toolsets coding and web, and the tools that you added, unless flags or the setting mcp.toolsets choose others."),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("http") {
				delete(cmd.Annotations, out.ErrorsToStderr) // the protocol is elsewhere
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
			_, settings, err := h.Governed()
			if err != nil {
				return err
			}
			s := server.New(server.Options{
				Version: h.Release(), Lang: p.Lang, World: h.Live().Env, Approvals: h.Approvals, Log: p.Log(),
				Choose: choice.served, Structured: structured || settings.Config.MCP.Structured, Apart: h.Session == host.DefaultSession,
				// A program that helve started could be the client of this process.
				Elicit: approvals == askClient && !web.open && host.Personal(fault.T("approve calls")) == nil,
			})
			if overHTTP {
				return web.serve(cmd.Context(), h, p, s)
			}
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			line, err := p.Protocol(cancel)
			if err != nil {
				return err
			}
			return s.Serve(ctx, cmd.InOrStdin(), line)
		},
	}
	choice.flags(c, h, p)
	web.flags(c.Flags(), p)
	c.Flags().BoolVar(&structured, "structured", false, p.Text("send results as data, too, each tool with a schema of them; many clients then give the model the data in place of the text"))
	c.Flags().StringVar(&approvals, "approvals", approvals, p.Text("who is asked what a person must decide: client, where it can, or queue, which leaves it to \"helve approve\""))
	_ = c.RegisterFlagCompletionFunc("approvals", cobra.FixedCompletions([]cobra.Completion{askClient, askNobody}, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}
