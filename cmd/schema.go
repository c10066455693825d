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
		Short: out.Text("Print the tool definitions for a provider", "输出供模型提供商使用的工具定义"),
		Long: out.Text("Print the tool definitions as the JSON array that goes into a request's \"tools\".",
			"以 JSON 数组输出工具定义，可直接放入请求的 \"tools\"。"),
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
	f.StringVar(&format, "format", string(dialect.OpenAI), out.Text("provider's format: %s", "提供商的格式：%s", formats))
	f.BoolVar(&form.Strict, "strict", false, out.Text("use the form that the provider holds the model to: of openai every property is required, optional ones nullable; of anthropic as many tools as it takes are strict",
		"采用提供商强制模型遵守的形式：openai 的所有属性必填，可选属性可为 null；anthropic 在其限额内的工具为 strict"))
	f.BoolVar(&form.Output, "output", false, out.Text("include the schemas of results: mcp and json-schema", "包括结果的模式：mcp 和 json-schema"))
	f.BoolVar(&full, "full", false, out.Text("include the arguments that are rarely needed", "包括很少用到的参数"))
	f.BoolVar(&hash, "hash", false, out.Text("print only a hash of the definitions, which changes when they do", "只输出定义的哈希值，定义改变时它随之改变"))
	f.BoolVar(&cost, "cost", false, out.Text("print only how many tokens the definitions cost in every request, estimated", "只输出这些定义在每次请求中耗费的 token 数（估算）"))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(dialect.Formats(), cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	choice.flags(c, h, out)
	c.MarkFlagsMutuallyExclusive("hash", "cost")
	return c
}
