package dialect

import (
	"slices"

	"github.com/helve-dev/helve/pkg/schema"
)

// What Anthropic takes of strict tools in one request, because it compiles them into one
// grammar. It refuses a request with more.
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits
const (
	mostStrict   = 20 // tools
	mostOptional = 24 // properties of all of them that are not required
)

// forAnthropic writes the tools of Messages. In the strict form those are strict that
// fit into a request together, the ones with the fewest optional properties first.
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools
func forAnthropic(definitions []Definition, o Options) []schema.Document {
	held := map[string]bool{}
	if o.Strict {
		held = fitting(definitions)
	}
	return each(definitions, func(d *Definition) schema.Document {
		written := schema.Document{{Name: "name", Value: d.Name}, {Name: "description", Value: d.Doc}}
		if !o.Strict {
			return written.With("input_schema", d.Schema)
		}
		input := d.Schema
		if held[d.Name] {
			input = grammatical(d.Schema)
		}
		return written.With("input_schema", input).With("strict", held[d.Name])
	})
}

// fitting returns the names of the tools that are strict together.
func fitting(definitions []Definition) map[string]bool {
	order := make([]*Definition, len(definitions))
	for i := range definitions {
		order[i] = &definitions[i]
	}
	slices.SortStableFunc(order, func(a, b *Definition) int { return optional(a.Schema) - optional(b.Schema) })
	held := map[string]bool{}
	left := mostOptional
	for _, d := range order {
		n := optional(d.Schema)
		if len(held) == mostStrict || n > left {
			break
		}
		held[d.Name], left = true, left-n
	}
	return held
}

// optional counts the properties of a schema that are not required, at every depth.
func optional(d schema.Document) int {
	n := 0
	if items, ok := d.Get("items").(schema.Document); ok {
		n += optional(items)
	}
	properties, _ := d.Get("properties").(schema.Document)
	required, _ := d.Get("required").([]string)
	for _, p := range properties {
		n += optional(p.Value.(schema.Document))
	}
	return n + len(properties) - len(required)
}

// grammatical converts a schema to the subset for strict tools: descriptions state bounds
// and defaults, and an enum has no type. Anthropic's clients convert schemas in the same
// way.
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
func grammatical(d schema.Document) schema.Document {
	refused := []string{"minimum", "maximum", "minLength", "maxLength", "maxItems", "default"}
	if least, ok := d.Get("minItems").(float64); ok && least > 1 {
		refused = append(refused, "minItems")
	}
	d = said(d, refused...)
	if d.Get("enum") != nil {
		d = d.Without("type")
	}
	if d.Get("additionalProperties") == true {
		d = d.With("additionalProperties", false)
	}
	return inside(d, func(d schema.Document) schema.Document { return grammatical(closed(d)) })
}
