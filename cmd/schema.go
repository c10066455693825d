package cmd

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/dialect"
)

// schemaCommand is "helve schema": the tool definitions for a provider.
func (a *app) schemaCommand() *cobra.Command {
	var format string
	var strict, hash bool
	var only []string
	c := &cobra.Command{
		Use: "schema", Short: "Print the tool definitions for a provider", Args: cobra.NoArgs,
		Long: "Print the tool definitions as the JSON array that goes into a request's \"tools\".",
		RunE: func(*cobra.Command, []string) error {
			tools, err := a.chosen(only)
			if err != nil {
				return err
			}
			definitions, err := dialect.Definitions(dialect.Format(format), definitionsOf(tools), strict)
			if err != nil {
				return err
			}
			if !hash {
				a.document(definitions)
				return nil
			}
			text, err := schema.Marshal(definitions)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(text)
			return a.data(schema.Document{{Name: "hash", Value: hex.EncodeToString(sum[:8])}, {Name: "tools", Value: len(tools)}})
		},
	}
	f := c.Flags()
	f.StringVar(&format, "format", string(dialect.OpenAI), "provider's format: openai")
	f.BoolVar(&strict, "strict", false, "in the form of structured outputs: every property required, optional ones nullable")
	f.BoolVar(&hash, "hash", false, "print only a hash of the definitions, which changes when they do")
	f.StringSliceVar(&only, "tools", nil, "only these tools, comma separated")
	return c
}

// chosen gives the named tools in the order of the catalogue, all when none is
// named.
func (a *app) chosen(names []string) ([]*tool.Tool, error) {
	c, err := a.catalog()
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return c.Tools(), nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		t, err := c.Find(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		wanted[t.Name] = true
	}
	var tools []*tool.Tool
	for _, t := range c.Tools() {
		if wanted[t.Name] {
			tools = append(tools, t)
		}
	}
	return tools, nil
}

func definitionsOf(tools []*tool.Tool) []dialect.Definition {
	definitions := make([]dialect.Definition, len(tools))
	for i, t := range tools {
		definitions[i] = dialect.Definition{Name: t.Name, Doc: t.Doc, Schema: t.Schema().JSONSchema()}
	}
	return definitions
}
