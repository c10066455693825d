package calls

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server"
)

// Who is asked what a person must decide, and how a call that failed is answered.
const (
	askClient, askNobody     = "client", "queue"
	errorsMarked, errorsText = "marked", "text"
)

// MCP is "helve mcp": the tools as a server of the Model Context Protocol.
func MCP(h *host.Host, p *out.Printer) *cobra.Command {
	var choice choice
	var web overHTTP
	var form serving
	c := &cobra.Command{
		Use: "mcp", Args: out.Args(0, 0), Annotations: map[string]string{out.ErrorsToStderr: "true"},
		Short: p.Text("Serve the tools over the Model Context Protocol"),
		Long:  p.Text("Serve the tools to a client of the Model Context Protocol, which starts this command and speaks with it over standard input and output; with --http, to any number of clients that know the token of the server. It offers the toolsets coding and web, and the tools that you added, unless flags or the setting mcp.toolsets choose others."),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("http") {
				delete(cmd.Annotations, out.ErrorsToStderr) // the protocol is elsewhere
			}
			if err := form.check(); err != nil {
				return err
			}
			h.NoInput = true // a terminal that this process may have is the client's
			overHTTP, err := web.wanted(cmd.Flags())
			if err != nil {
				return err
			}
			o, err := form.options(h, p)
			if err != nil {
				return err
			}
			o.Choose = choice.served
			o.Elicit = o.Elicit && !web.open
			s := server.New(o)
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
	form.flags(c, p)
	return c
}

// answerWithin is a little less than the minute after which many clients give up on a call.
const answerWithin = 50 * time.Second

// serving holds the flags that say what clients get.
type serving struct {
	approvals, errors    string
	structured, nullable bool
	within               time.Duration
}

func (s *serving) flags(c *cobra.Command, p *out.Printer) {
	f := c.Flags()
	f.BoolVar(&s.structured, "structured", false, p.Text("send results as data, too, each tool with a schema of them; many clients then give the model the data in place of the text"))
	f.BoolVar(&s.nullable, "nullable", false, p.Text("list optional arguments as such that may be null, for clients that refuse calls which leave one out"))
	f.DurationVar(&s.within, "answer-within", answerWithin, p.Text("time within which every call is answered: a command that still runs goes on as a job; 0 is none"))
	f.StringVar(&s.errors, "errors", errorsMarked, p.Text("how a call that failed is answered: marked as an error, or as text alone, for clients that end at the second error of a tool or do not show it to the model"))
	f.StringVar(&s.approvals, "approvals", askClient, p.Text("who is asked what a person must decide: client, where it can, or queue, which leaves it to \"helve approve\""))
	for name, values := range map[string][]cobra.Completion{"errors": {errorsMarked, errorsText}, "approvals": {askClient, askNobody}} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	}
}

// check returns the fault of a flag that has no such value.
func (s *serving) check() error {
	switch {
	case !slices.Contains([]string{askClient, askNobody}, s.approvals):
		return fault.New(fault.Usage, fault.T("--approvals: want %s or %s, got %q", askClient, askNobody, s.approvals)).
			WithHint(fault.T("leave it out to have the client ask its person"))
	case !slices.Contains([]string{errorsMarked, errorsText}, s.errors):
		return fault.New(fault.Usage, fault.T("--errors: want %s or %s, got %q", errorsMarked, errorsText, s.errors)).
			WithHint(fault.T("leave it out to have errors marked as such"))
	case s.within < 0:
		return fault.New(fault.Usage, fault.T("--answer-within: want a time such as 50s, or 0 for none, got %v", s.within)).
			WithHint(fault.T("make it a little less than the time after which the client gives up on a call"))
	}
	return nil
}

// options returns how a server answers.
func (s *serving) options(h *host.Host, p *out.Printer) (server.Options, error) {
	_, settings, err := h.Governed()
	if err != nil {
		return server.Options{}, err
	}
	return server.Options{
		Version: h.Release(), Lang: p.Lang, World: h.Live().Env, Approvals: h.Approvals, Log: p.Log(), Apart: h.Session == host.DefaultSession,
		Structured: s.structured || settings.Config.MCP.Structured, Nullable: s.nullable, ErrorsAsText: s.errors == errorsText, AnswerWithin: s.within,
		// A program that helve started could be the client of this process.
		Elicit: s.approvals == askClient && host.Personal(fault.T("approve calls")) == nil,
	}, nil
}
