package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools"
)

// listed is a tool as it is listed.
type listed struct {
	Name        string      `json:"name"`
	Risk        policy.Risk `json:"risk"`
	Description string      `json:"description"`
	Arguments   []string    `json:"arguments"`
	Aliases     []string    `json:"aliases,omitempty"`
	Uses        string      `json:"uses,omitzero"`
	Manifest    string      `json:"manifest,omitzero"` // file of a custom tool
}

// absent is a tool that is not available and could be.
type absent struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// listToolsCommand is "helve tools list".
func listToolsCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var servers bool
	c := &cobra.Command{
		Use: "list", Args: out.Args(0, 0),
		Short:   p.Text("List the tools with their risk and their other names"),
		Example: p.Examples("helve tools list -o text", p.Text("a line for each tool")),
		RunE: func(*cobra.Command, []string) error {
			s, err := h.Settings()
			if err != nil {
				return err
			}
			catalog := s.Catalog()
			if servers {
				return listServers(h, p, s, catalog)
			}
			found := s.Manifests()
			files := map[string]string{}
			for _, f := range found {
				if f.Usable() {
					files[f.Name] = f.File
				}
			}
			var text strings.Builder
			all := []listed{}
			for _, t := range catalog.Tools() {
				doc := t.Summary(p.Lang)
				all = append(all, listed{t.Called(), t.Risk, doc, t.Schema().Names(), tools.OtherNames(t), t.PresetOf, files[t.Name]})
				text.WriteString(t.Called() + "  " + string(t.Risk) + "  " + doc + "\n")
			}
			data := schema.Document{{Name: "tools", Value: all}}
			if missing := absentTools(catalog.Absent(), p.Lang); len(missing) > 0 {
				data = append(data, schema.Member{Name: "absent", Value: missing})
				for _, m := range missing {
					text.WriteString(m.Name + "  (" + m.Why + ")\n")
				}
			}
			if known := summaries(h.Records().List()); len(known) > 0 {
				data = append(data, schema.Member{Name: "servers", Value: known})
				for _, one := range known {
					text.WriteString(p.Text("%s_*  (%d tools of an imported server: helve tools list --mcp)\n", one.Name, one.Tools))
				}
			}
			warnings := slices.Concat(s.Warnings, s.ToolWarnings(catalog))
			if w := untrusted(found); !w.IsZero() {
				warnings = append(warnings, w)
			}
			return p.Report(out.Report{Data: data, Text: text.String(), Warnings: warnings})
		},
	}
	c.Flags().BoolVar(&servers, "mcp", false, p.Text("list only the tools of imported servers, by server"))
	return c
}

// absentTools lists the tools that could be available and why they are not,
// without their other names.
func absentTools(why map[string]fault.Text, lang fault.Lang) []absent {
	var all []absent
	for _, name := range slices.Sorted(maps.Keys(why)) {
		if line.Canonical(name) == name {
			all = append(all, absent{name, why[name].In(lang)})
		}
	}
	return all
}

// untrusted returns a warning about the tools of the workspace that nobody
// trusts; it is empty when there is none.
func untrusted(found []manifest.Found) fault.Text {
	var names []string
	for _, f := range found {
		if f.SHA != "" && !f.Trusted {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return fault.Text{}
	}
	return fault.T("the workspace's own tools are ignored: %s; a person who trusts them runs helve config trust", strings.Join(names, ", "))
}
