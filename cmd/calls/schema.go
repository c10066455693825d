package calls

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// Schema is "helve schema": the tool definitions for a provider.
func Schema(h *host.Host, p *out.Printer) *cobra.Command {
	var format string
	var form dialect.Options
	var full, hash, cost bool
	var choice choice
	c := &cobra.Command{
		Use: "schema", Args: out.Args(0, 0),
		Short: p.Text("Print the tool definitions for a provider"),
		Long:  p.Text("Print the tool definitions as the JSON array that goes into a request's \"tools\"."),
		Example: p.Examples(
			"helve schema > tools.json", p.Text("all tools"),
			"helve schema --tools read,grep,find --strict", p.Text("three of them, for structured outputs"),
		),
		RunE: func(*cobra.Command, []string) error {
			tools, s, err := chosen(h, choice)
			if err != nil {
				return err
			}
			all := dialect.Describe(tools, p.Lang, full)
			if s.Config.ReadOnly {
				dialect.OnlyRead(all)
			}
			if form.Output {
				dialect.DescribeResults(all, tools, p.Lang)
			}
			define := func(some []dialect.Definition) (any, error) {
				return dialect.Definitions(dialect.Format(format), some, form)
			}
			if cost {
				return reportCost(all, define, p)
			}
			definitions, err := define(all)
			if err != nil {
				return err
			}
			if !hash {
				p.Document(definitions)
				return nil
			}
			text, err := schema.Marshal(definitions)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(text)
			return p.Data(schema.Document{{Name: "hash", Value: hex.EncodeToString(sum[:8])}, {Name: "tools", Value: len(tools)}})
		},
	}
	f := c.Flags()
	formats := strings.Join(dialect.Formats(), ", ")
	f.StringVar(&format, "format", string(dialect.OpenAI), p.Text("provider's format: %s", formats))
	f.BoolVar(&form.Strict, "strict", false, p.Text("use the form that the provider holds the model to: of openai every property is required, optional ones nullable; of anthropic as many tools as it takes are strict"))
	f.BoolVar(&form.Output, "output", false, p.Text("include the schemas of results: mcp and json-schema"))
	f.BoolVar(&full, "full", false, p.Text("include the arguments that are rarely needed"))
	f.BoolVar(&hash, "hash", false, p.Text("print only a hash of the definitions, which changes when they do"))
	f.BoolVar(&cost, "cost", false, p.Text("print only how many tokens the definitions cost in every request, estimated"))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(dialect.Formats(), cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	choice.flags(c, h, p)
	c.MarkFlagsMutuallyExclusive("hash", "cost")
	return c
}
