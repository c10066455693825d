package dialect

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// forGemini writes one tool with all functions, as generateContent takes it.
// https://ai.google.dev/api/caching#FunctionDeclaration
func forGemini(definitions []Definition, _ Options) []schema.Document {
	functions := each(definitions, func(d *Definition) schema.Document {
		function := schema.Document{{Name: "name", Value: d.Name}, {Name: "description", Value: d.Doc}}
		if properties, _ := d.Schema.Get("properties").(schema.Document); len(properties) == 0 {
			return function // an object without properties is refused
		}
		return function.With("parameters", openAPI(d.Schema))
	})
	return []schema.Document{{{Name: "functionDeclarations", Value: functions}}}
}

// openAPI converts a schema to Gemini's own type, a subset of OpenAPI 3.0 whose names of
// types are in capitals: it has no additionalProperties, takes no default, and forgets
// the order of properties that it is not told.
// https://ai.google.dev/api/caching#Schema
func openAPI(d schema.Document) schema.Document {
	d = said(d.Without("additionalProperties"), "default")
	d = d.With("type", strings.ToUpper(string(d.Get("type").(schema.Kind))))
	if enum, ok := d.Get("enum").([]string); ok && slices.Contains(enum, "") {
		// No value of an enum may be empty.
		d = addition(d.Without("enum"), fault.T(" One of: %s.", quoted(enum)))
	}
	d = inside(d, func(d schema.Document) schema.Document { return openAPI(closed(d)) })
	if properties, ok := d.Get("properties").(schema.Document); ok {
		order := make([]string, len(properties))
		for i, p := range properties {
			order[i] = p.Name
		}
		d = d.With("propertyOrdering", order)
	}
	return d
}

func quoted(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = `"` + w + `"`
	}
	return strings.Join(all, ", ")
}
