package calls

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/turn/prompt"
)

// Prompt is "helve prompt": the tools as text for a system prompt.
func Prompt(h *host.Host, p *out.Printer) *cobra.Command {
	var o prompt.Options
	var choice choice
	c := &cobra.Command{
		Use: "prompt", Args: out.Args(0, 0),
		Short: p.Text("Print the tools as text, for a model without tool calls of its own"),
		Long: p.Text("Print the tools as text for a system prompt: what each does and takes, how to call it, and how results come back.\n" +
			"It is for models that have no tool calls of their own; helve parse reads what they answer. -o text prints the text alone."),
		Example: p.Examples("helve prompt --format markdown > system.md", p.Text("for a model without tool calls")),
		RunE: func(*cobra.Command, []string) error {
			tools, _, err := chosen(h, choice)
			if err != nil {
				return err
			}
			o.Lang = p.Lang
			text, err := prompt.Write(describe(tools, p.Lang), o)
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "prompt", Value: text}}, Text: text})
		},
	}
	formats := strings.Join(prompt.Formats(), ", ")
	f := c.Flags()
	f.StringVar((*string)(&o.Format), "format", string(prompt.XML), p.Text("how tools and calls are written: %s", formats))
	choice.flags(c, h, p)
	f.IntVar(&o.Examples, "examples", 1, p.Text("maximum number of examples of each tool"))
	f.BoolVar(&o.Bare, "bare", false, p.Text("only the definitions, without examples and the rules of calling"))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(prompt.Formats(), cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}

// describe returns what a prompt says about tools.
func describe(tools []*tool.Tool, lang fault.Lang) []prompt.Tool {
	all := make([]prompt.Tool, len(tools))
	for i, d := range dialect.Describe(tools, lang, false) {
		all[i] = prompt.Tool{Name: d.Name, Doc: d.Doc, Parameters: d.Schema}
		for _, e := range tools[i].Examples {
			all[i].Examples = append(all[i].Examples, prompt.Example{Doc: e.DocIn(lang), Args: e.Args})
		}
	}
	return all
}
