package catalog

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/imported"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/secret"
)

// importCommand is "helve tools import".
func importCommand(h *host.Host, p *out.Printer) *cobra.Command {
	s := &upstream.Server{}
	var trust string
	var only []string
	var protocol bool
	var start time.Duration
	c := &cobra.Command{
		Use: "import NAME (URL | -- COMMAND...)", Args: cobra.ArbitraryArgs,
		Short: p.Text("Import the tools of a server of the Model Context Protocol"),
		Long: p.Text(`Import the tools of a server of the Model Context Protocol, in every workspace. The server is started, or reached, once to ask what tools it has; later it is when one of them is called. They are called NAME_TOOL.

A person is asked about every call, unless a rule allows the tool:

    helve config set rules '[{"tool":"NAME_TOOL","decision":"allow"}]'

or --trust hints believes what the server says of each tool: that it only reads, or destroys nothing. Calls go through the policy, the log and the limits of all tools; a server that is a command runs in the sandbox, with the network open.`),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("import tools")); err != nil {
				return err
			}
			if !protocol {
				return fault.New(fault.Usage, fault.T("--mcp=false: no other protocol is known")).
					WithHint(fault.T("leave it out; a program that speaks none is a custom tool: helve tools register"))
			}
			if s.Trust = upstream.Trust(trust); cmd.Flags().Changed("start-timeout") {
				if s.StartTimeout = int(start.Seconds()); s.StartTimeout < 1 || s.StartTimeout > 600 {
					return fault.New(fault.Usage, fault.T("--start-timeout: want 1s to 10m, got %s", start))
				}
			}
			if err := addressed(cmd, s, args); err != nil {
				return err
			}
			return importServer(cmd, h, p, s, only)
		},
	}
	f := c.Flags()
	f.BoolVar(&protocol, "mcp", true, p.Text("the server speaks the Model Context Protocol, which is all there is"))
	f.StringVar(&trust, "trust", string(upstream.Ask), p.Text("how far to trust the server's own hints about risk: ask (not at all) or hints"))
	f.StringSliceVar(&only, "only", nil, p.Text("take in only these of its tools, comma separated"))
	f.StringSliceVar(&s.Pass, "pass-env", nil, p.Text("variables that the command gets beside the harmless ones, comma separated"))
	f.StringArrayVar(&s.Headers, "header", nil, p.Text(`header of every request, as "Name: VARIABLE" with the variable that holds its value`))
	f.StringVar(&s.ClientID, "client-id", "", p.Text("id under which helve is registered with the server's authorization server, or the https address of a client metadata document; without it helve registers itself"))
	f.StringVar(&s.ClientSecret, "client-secret", "", p.Text("variable that holds the secret of --client-id, if it has one"))
	f.BoolVar(&s.Unconfined, "unconfined", false, p.Text("run the command without the sandbox"))
	f.DurationVar(&start, "start-timeout", 0, p.Text("how long the server may take to start, whenever it is started; by default tools.start_timeout"))
	_ = c.RegisterFlagCompletionFunc("trust", cobra.FixedCompletions([]string{string(upstream.Ask), string(upstream.Hints)}, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}

// addressed reads the arguments of an import: how the server is called, and how it is
// started or reached.
func addressed(cmd *cobra.Command, s *upstream.Server, args []string) error {
	before := args
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		before, s.Command = args[:at], args[at:]
	}
	if len(before) > 0 {
		s.Name = before[0]
	}
	switch {
	case len(before) == 2 && len(s.Command) == 0:
		if s.URL = before[1]; !upstream.CheckURL(s.URL).IsZero() {
			return fault.New(fault.Usage, fault.T("%s: %s", secret.Mask(s.URL), upstream.CheckURL(s.URL))).
				WithHint(fault.T("a command follows --: helve tools import %s -- COMMAND...", s.Name))
		}
	case len(before) == 1 && len(s.Command) > 0:
	default:
		return fault.New(fault.Usage, fault.T("want a name, and an address or a command")).
			WithHint(fault.T("helve tools import NAME URL, or helve tools import NAME -- COMMAND..."))
	}
	switch {
	case s.URL != "" && (len(s.Pass) > 0 || s.Unconfined):
		return fault.New(fault.Usage, fault.T("--pass-env and --unconfined are for a command")).
			WithHint(fault.T("leave them out"))
	case s.URL == "" && (len(s.Headers) > 0 || s.ClientID != "" || s.ClientSecret != ""):
		return fault.New(fault.Usage, fault.T("--header, --client-id and --client-secret are for a server at an address")).
			WithHint(fault.T("leave them out, or pass a variable on: --pass-env"))
	}
	return nil
}

func importServer(cmd *cobra.Command, h *host.Host, p *out.Printer, s *upstream.Server, only []string) error {
	settings, err := h.Settings()
	if err != nil {
		return err
	}
	if err := settings.CheckServer(s.Name); err != nil {
		return err
	}
	if wrong := s.Check(); len(wrong) > 0 {
		return fault.New(fault.Usage, wrong[0].Message).WithHint(fault.T("helve tools import --help says what there is"))
	}
	if err := h.Records().New(s.Name); err != nil {
		return err
	}
	offer, err := fetchAs(cmd, h, p, s)
	if err != nil {
		return err
	}
	s.Fetched = time.Now().UTC()
	file, numbered, wrong, err := settings.Import(s, offer, only)
	if err != nil {
		return err
	}
	r := shownServer{Name: s.Name, Address: imported.Address(s), Trust: s.Trust, File: file, Protocol: offer.Protocol, Version: s.Version, Tools: shownTools(s)}
	for _, w := range wrong {
		r.Problems = append(r.Problems, w.Message.In(p.Lang))
	}
	var warnings []fault.Text
	if len(numbered) > 0 {
		warnings = append(warnings, fault.T("these names were shortened or numbered, as others have them or they are too long: %s", strings.Join(numbered, ", ")))
	}
	return p.Report(out.Report{Data: r, Text: r.text(p), Warnings: warnings})
}

// shownServer is a server as commands show it.
type shownServer struct {
	Name     string         `json:"name"`
	Address  string         `json:"address"` // its URL, or the words of its command
	Trust    upstream.Trust `json:"trust"`
	File     string         `json:"file,omitzero"` // of the record
	Protocol string         `json:"protocol,omitzero"`
	Version  string         `json:"version,omitzero"`
	Fetched  time.Time      `json:"fetched,omitzero"`
	Tools    []serverTool   `json:"tools"`
	Problems []string       `json:"problems,omitempty"`
}

// serverTool is a tool of a server as commands show it.
type serverTool struct {
	Name        string      `json:"name"`
	Tool        string      `json:"tool"` // its name at the server
	Risk        policy.Risk `json:"risk"`
	Description string      `json:"description"`
	Changed     bool        `json:"changed,omitzero"`
	Disabled    bool        `json:"disabled,omitzero"`
}

func shownTools(s *upstream.Server) []serverTool {
	all := make([]serverTool, len(s.Tools))
	for i := range s.Tools {
		t := &s.Tools[i]
		all[i] = serverTool{Name: t.As, Tool: t.Name, Risk: imported.Risk(s, t), Description: t.Description, Changed: t.Changed}
	}
	return all
}

// text is the same for people.
func (r *shownServer) text(p *out.Printer) string {
	var b strings.Builder
	b.WriteString(p.Text("%s: %d tools (%s)\n", r.Name, len(r.Tools), r.Address))
	for _, t := range r.Tools {
		first, _, _ := strings.Cut(t.Description, "\n")
		b.WriteString("  " + t.Name + "  " + string(t.Risk))
		if t.Changed {
			b.WriteString(p.Text("  (changed)"))
		}
		if t.Disabled {
			b.WriteString(p.Text("  (disabled)"))
		}
		b.WriteString("  " + first + "\n")
	}
	for _, p := range r.Problems {
		b.WriteString("  ! " + p + "\n")
	}
	return b.String()
}
