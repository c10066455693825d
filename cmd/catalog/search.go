package catalog

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/imported"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools"
)

// searchToolsCommand is "helve tools search".
func searchToolsCommand(h *host.Host, p *out.Printer) *cobra.Command {
	limit := 5
	c := &cobra.Command{
		Use: "search WORDS...", Args: cobra.MinimumNArgs(1),
		Short: p.Text("Find tools of imported servers by words"),
		Long:  p.Text("Find tools of imported servers, as the tool tools_search does for a model: by their names first, and then by their descriptions."),
		RunE: func(_ *cobra.Command, words []string) error {
			env, s, err := h.Governed()
			if err != nil {
				return err
			}
			c := s.Catalog()
			if limit < 1 {
				return fault.New(fault.Usage, fault.T("--limit must be at least 1, got %d", limit)).
					WithHint(fault.T("leave it out for 5"))
			}
			found := c.Search(env, strings.Join(words, " "), limit)
			var text strings.Builder
			for _, m := range found.Tools {
				first, _, _ := strings.Cut(m.Description, "\n")
				text.WriteString(m.Name + "  " + string(m.Risk) + "  " + first + "\n")
			}
			if len(found.Tools) == 0 {
				text.WriteString(p.Text("no tool matches\n"))
			}
			return p.Report(out.Report{Data: found, Text: text.String()})
		},
	}
	c.Flags().IntVar(&limit, "limit", limit, p.Text("maximum number of tools to show"))
	return c
}

// listServers is "helve tools list --mcp": the tools of imported servers.
func listServers(h *host.Host, p *out.Printer, s *host.Settings, catalog *tools.Catalog) error {
	var text strings.Builder
	all := []shownServer{}
	absent := catalog.Absent()
	for _, f := range h.Records().List() {
		one := showServer(f, absent, p)
		all = append(all, one)
		text.WriteString(one.text(p))
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "servers", Value: all}}, Text: text.String(), Warnings: s.Warnings})
}

// showServer returns a server as commands show it. absent are the tools that are not
// offered.
func showServer(f upstream.Found, absent map[string]fault.Text, p *out.Printer) shownServer {
	if f.Err != nil {
		return shownServer{Name: f.Name, File: f.File, Tools: []serverTool{}, Problems: []string{fault.As(f.Err).Message.In(p.Lang)}}
	}
	one := shownServer{
		Name: f.Name, Address: imported.Address(f.Server), Trust: f.Server.Trust, File: f.File, Version: f.Server.Version, Fetched: f.Server.Fetched, Tools: shownTools(f.Server),
	}
	for i := range one.Tools {
		_, one.Tools[i].Disabled = absent[one.Tools[i].Name]
	}
	return one
}

// summary says of servers how many tools they have, for the list of all tools.
type summary struct {
	Name  string `json:"name"`
	Tools int    `json:"tools"`
}

func summaries(found []upstream.Found) (all []summary) {
	for _, f := range found {
		if f.Server != nil {
			all = append(all, summary{f.Name, len(f.Server.Tools)})
		}
	}
	return all
}
