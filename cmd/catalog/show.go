package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

// shownTool is all that there is to say about a tool.
type shownTool struct {
	Name        string            `json:"name"`
	Risk        policy.Risk       `json:"risk"`
	Description string            `json:"description"`
	Aliases     []string          `json:"aliases,omitempty"`
	Presets     []shownPreset     `json:"presets,omitempty"`
	Uses        string            `json:"uses,omitzero"` // the tool that it is a preset of
	Timeout     int               `json:"timeout"`       // the longest call, in seconds
	Arguments   []schema.Document `json:"arguments"`
	Examples    []shownExample    `json:"examples,omitempty"`
}

type shownPreset struct {
	Name  string `json:"name"`
	Fixed string `json:"fixed"` // a JSON object
}

type shownExample struct {
	Description string `json:"description"`
	Arguments   string `json:"arguments"` // a JSON object
}

// showToolCommand is "helve tools show". It shows an imported server, too: whatever goes
// wrong with one refers to it.
func showToolCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Args: out.Args(1, 1),
		Short:   p.Text("Show all about a tool, with the arguments that helve schema leaves out, or about an imported server"),
		Example: p.Examples("helve tools show read", p.Text("all arguments of a tool")),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := h.Catalog()
			if err != nil {
				return err
			}
			servers := h.Records().List()
			if i := slices.IndexFunc(servers, func(f upstream.Found) bool { return f.Name == args[0] }); i >= 0 {
				one := showServer(servers[i], c.Absent(), p)
				return p.Report(out.Report{Data: one, Text: one.text(p)})
			}
			t, err := c.Find(args[0])
			if err != nil {
				return err
			}
			o := t.Schema().In(p.Lang)
			return p.Report(out.Report{Data: shown(t, o, p.Lang), Text: shownText(t, o, p)})
		},
	}
}

func shown(t *tool.Tool, o *schema.Object, lang fault.Lang) shownTool {
	s := shownTool{
		Name: t.Called(), Risk: t.Risk, Description: t.DocIn(lang), Aliases: foreign.Of(t.Name), Uses: t.PresetOf,
		Timeout: int(t.Deadline().Seconds()), Arguments: shownArguments(o),
	}
	for _, p := range t.Presets {
		s.Presets = append(s.Presets, shownPreset(p))
	}
	for _, e := range t.Examples {
		s.Examples = append(s.Examples, shownExample{e.DocIn(lang), e.Args})
	}
	return s
}

// shownArguments describes arguments by their JSON Schema, with their names and what a
// schema does not have.
func shownArguments(o *schema.Object) []schema.Document {
	properties := o.Full().JSONSchema().Get("properties").(schema.Document)
	all := make([]schema.Document, len(o.Fields))
	for i, f := range o.Fields {
		d := schema.Document{{Name: "name", Value: f.Name}, {Name: "required", Value: f.Required}, {Name: "listed", Value: !f.Unlisted}}
		if len(f.Aliases) > 0 {
			d = append(d, schema.Member{Name: "aliases", Value: f.Aliases})
		}
		all[i] = append(d, properties.Get(f.Name).(schema.Document)...)
	}
	return all
}

// shownText is the same for people.
func shownText(t *tool.Tool, o *schema.Object, p *out.Printer) string {
	var b strings.Builder
	b.WriteString(t.Called() + "  " + string(t.Risk) + "\n\n" + t.DocIn(p.Lang) + "\n")
	if t.PresetOf != "" {
		b.WriteString(p.Text("\nIt is %s with some arguments fixed.\n", t.PresetOf))
	}
	if len(foreign.Of(t.Name)) > 0 {
		b.WriteString(p.Text("\nAliases: %s\n", strings.Join(foreign.Of(t.Name), ", ")))
	}
	for _, preset := range t.Presets {
		b.WriteString(p.Text("\nPreset: %s fixes %s\n", preset.Name, preset.Fixed))
	}
	if len(o.Fields) > 0 {
		b.WriteString(p.Text("\nArguments:\n"))
		writeArguments(&b, o, "  ", p)
	}
	for i, e := range t.Examples {
		if i == 0 {
			b.WriteString(p.Text("\nExamples:\n"))
		}
		fmt.Fprintf(&b, "  %s: %s\n", e.DocIn(p.Lang), e.Args)
	}
	return b.String()
}

// writeArguments writes an argument a line, and below it those of the objects in it.
func writeArguments(b *strings.Builder, o *schema.Object, indent string, p *out.Printer) {
	for i := range o.Fields {
		f := &o.Fields[i]
		fmt.Fprintf(b, "%s%s (%s)  %s", indent, f.Name, f.Type.Kind, line.UsageOf(f, p))
		if f.Unlisted {
			b.WriteString(p.Text(" Not in the schema of a model."))
		}
		if len(f.Aliases) > 0 {
			b.WriteString(p.Text(" Aliases: %s.", strings.Join(f.Aliases, ", ")))
		}
		b.WriteByte('\n')
		if items := f.Type.Items; items != nil && items.Object != nil {
			writeArguments(b, items.Object, indent+"  ", p)
		}
	}
}
