package catalog

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

// alias is a name of another system as it is listed.
type alias struct {
	Name      string          `json:"name"`
	Of        string          `json:"of,omitzero"` // whose it is
	Tool      string          `json:"tool,omitzero"`
	Tools     []string        `json:"tools,omitempty"` // of which the arguments choose
	Arguments []argumentAlias `json:"arguments,omitempty"`
	Means     schema.Document `json:"means,omitempty"` // arguments that it sets
	Instead   string          `json:"instead,omitzero"`
}

// argumentAlias is an argument of another system as it is listed.
type argumentAlias struct {
	Name string `json:"name"`
	To   string `json:"to,omitzero"` // our arguments; none if it is left out
	How  string `json:"how,omitzero"`
}

// understood are the arguments that a tool takes under each of its names.
type understood struct {
	Tool      string          `json:"tool"`
	Arguments []argumentAlias `json:"arguments"`
}

// aliasesCommand is "helve tools aliases".
func aliasesCommand(p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "aliases [TOOL]", Args: out.Args(0, 1),
		Short:   p.Text("List the names and arguments of other systems that calls may use"),
		Example: p.Examples("helve tools aliases -o text", p.Text("the names that calls may use instead")),
		RunE: func(_ *cobra.Command, args []string) error {
			var only string
			if len(args) == 1 {
				if only = line.Canonical(args[0]); line.Builtin(only) == nil {
					return fault.New(fault.UnknownTool, fault.T("there is no tool %q", args[0])).
						WithHint(fault.T("the tools are: %s", line.ToolNames()))
				}
			}
			names, arguments := aliases(only, p.Lang), argumentAliases(only)
			data := schema.Document{{Name: "aliases", Value: names}, {Name: "arguments", Value: arguments}}
			return p.Report(out.Report{Data: data, Text: aliasText(names, arguments)})
		},
	}
}

// aliases lists the names, of one tool or, with "", of all.
func aliases(only string, lang fault.Lang) []alias {
	all := []alias{}
	for _, t := range tools.Builtin() {
		for _, p := range t.Presets {
			if only == "" || only == t.Name {
				all = append(all, alias{Name: p.Name, Of: "helve", Tool: t.Name})
			}
		}
	}
	for _, n := range foreign.Names() {
		a := alias{Name: n.Name, Of: n.Of, Tool: n.Tool, Tools: n.Tools, Arguments: argumentsOf(n.Args), Instead: n.Why.In(lang)}
		for _, s := range n.Fixed {
			a.Means = a.Means.With(s.Argument, s.Value)
		}
		if only == "" || n.Tool == only || slices.Contains(n.Tools, only) {
			all = append(all, a)
		}
	}
	return all
}

// argumentAliases lists what each tool takes under any name, of one tool or, with "", of
// all.
func argumentAliases(only string) []understood {
	all := []understood{}
	for _, t := range tools.Builtin() {
		if only != "" && only != t.Name {
			continue
		}
		var list []argumentAlias
		for _, f := range t.Arguments().Fields {
			for _, name := range f.Aliases {
				list = append(list, argumentAlias{Name: name, To: f.Name})
			}
		}
		all = append(all, understood{t.Name, append(list, argumentsOf(foreign.Name{Tool: t.Name}.Arguments())...)})
	}
	return all
}

func argumentsOf(args []foreign.Argument) []argumentAlias {
	var list []argumentAlias
	for _, a := range args {
		list = append(list, argumentAlias{a.Name, a.To, a.How})
	}
	return list
}

// aliasText shows a name or a tool a line.
func aliasText(names []alias, arguments []understood) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(n.Name + " -> ")
		switch {
		case n.Instead != "":
			b.WriteString("(" + n.Instead + ")")
		case n.Tool != "":
			b.WriteString(n.Tool)
		default:
			b.WriteString(strings.Join(n.Tools, " | "))
		}
		for _, m := range n.Means {
			text, err := schema.Marshal(m.Value)
			if err == nil {
				b.WriteString(" " + m.Name + "=" + string(text))
			}
		}
		b.WriteString(argumentText(n.Arguments) + "  [" + n.Of + "]\n")
	}
	for _, u := range arguments {
		b.WriteString(u.Tool + ":" + argumentText(u.Arguments) + "\n")
	}
	return b.String()
}

// argumentText shows arguments as "name>ours (how)"; "-" is left out.
func argumentText(list []argumentAlias) string {
	var b strings.Builder
	for _, a := range list {
		b.WriteString(" " + a.Name)
		switch {
		case a.To != "" && a.To != a.Name:
			b.WriteString(">" + strings.ReplaceAll(a.To, " ", "+"))
		case a.To == "" && a.How == "":
			b.WriteString(">-")
		}
		if a.How != "" {
			b.WriteString(" (" + a.How + ")")
		}
	}
	return b.String()
}
