package cmd

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// schemaCommand is "helve schema": the tool definitions for a provider.
func schemaCommand(h *host.Host, out *Printer) *cobra.Command {
	var format string
	var form dialect.Options
	var full, hash, cost bool
	var choice choice
	c := &cobra.Command{
		Use: "schema", Args: takes(0, 0),
		Short: out.Text("Print the tool definitions for a provider"),
		Long:  out.Text("Print the tool definitions as the JSON array that goes into a request's \"tools\"."),
		Example: out.Examples(
			"helve schema > tools.json", out.Text("all tools"),
			"helve schema --tools read,grep,find --strict", out.Text("three of them, for structured outputs"),
		),
		RunE: func(*cobra.Command, []string) error {
			tools, s, err := chosen(h, choice)
			if err != nil {
				return err
			}
			all := dialect.Describe(tools, out.Lang, full)
			if s.Config.ReadOnly {
				dialect.OnlyRead(all)
			}
			if form.Output {
				dialect.DescribeResults(all, tools, out.Lang)
			}
			define := func(some []dialect.Definition) (any, error) {
				return dialect.Definitions(dialect.Format(format), some, form)
			}
			if cost {
				return reportCost(all, define, out)
			}
			definitions, err := define(all)
			if err != nil {
				return err
			}
			if !hash {
				out.Document(definitions)
				return nil
			}
			text, err := schema.Marshal(definitions)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(text)
			return out.Data(schema.Document{{Name: "hash", Value: hex.EncodeToString(sum[:8])}, {Name: "tools", Value: len(tools)}})
		},
	}
	f := c.Flags()
	formats := strings.Join(dialect.Formats(), ", ")
	f.StringVar(&format, "format", string(dialect.OpenAI), out.Text("provider's format: %s", formats))
	f.BoolVar(&form.Strict, "strict", false, out.Text("use the form that the provider holds the model to: of openai every property is required, optional ones nullable; of anthropic as many tools as it takes are strict"))
	f.BoolVar(&form.Output, "output", false, out.Text("include the schemas of results: mcp and json-schema"))
	f.BoolVar(&full, "full", false, out.Text("include the arguments that are rarely needed"))
	f.BoolVar(&hash, "hash", false, out.Text("print only a hash of the definitions, which changes when they do"))
	f.BoolVar(&cost, "cost", false, out.Text("print only how many tokens the definitions cost in every request, estimated"))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(dialect.Formats(), cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	choice.flags(c, h, out)
	c.MarkFlagsMutuallyExclusive("hash", "cost")
	return c
}
