package calls

import (
	"fmt"
	"strings"

	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// costs are the tokens that the definitions of tools take in every request.
type costs struct {
	Tokenizer string     `json:"tokenizer"` // whose tokens are estimated
	Tokens    int        `json:"tokens"`    // of all definitions together
	Tools     []toolCost `json:"tools"`
}

type toolCost struct {
	Name   string `json:"name"`
	Tokens int    `json:"tokens"` // of its definition alone
}

// reportCost prints what definitions cost in the format that define writes.
func reportCost(all []dialect.Definition, define func([]dialect.Definition) (any, error), p *out.Printer) error {
	c, err := costOf(all, define)
	if err != nil {
		return err
	}
	return p.Report(out.Report{Data: c, Text: c.text(p)})
}

func costOf(all []dialect.Definition, define func([]dialect.Definition) (any, error)) (*costs, error) {
	count := func(some []dialect.Definition) (int, error) {
		definitions, err := define(some)
		if err != nil {
			return 0, err
		}
		text, err := schema.Marshal(definitions)
		return tokens.EstimateDefinitions(string(text)), err
	}
	c := &costs{Tokenizer: "o200k_base", Tools: make([]toolCost, len(all))}
	var err error
	if c.Tokens, err = count(all); err != nil {
		return nil, err
	}
	for i, d := range all {
		c.Tools[i].Name = d.Name
		if c.Tools[i].Tokens, err = count(all[i : i+1]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// text is the same for people.
func (c *costs) text(p *out.Printer) string {
	var b strings.Builder
	for _, t := range c.Tools {
		fmt.Fprintf(&b, "%6d  %s\n", t.Tokens, t.Name)
	}
	fmt.Fprintf(&b, "%6d  %s\n", c.Tokens, p.Text("together (tokens of %s, estimated)", c.Tokenizer))
	return b.String()
}
