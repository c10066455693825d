package dialect

import "github.com/helve-dev/helve/pkg/schema"

// forChat writes the functions of Chat Completions.
// https://platform.openai.com/docs/guides/function-calling
func forChat(definitions []Definition, o Options) []schema.Document {
	return each(definitions, func(d *Definition) schema.Document {
		function := schema.Document{{Name: "name", Value: d.Name}, {Name: "description", Value: d.Doc}}
		if o.Strict {
			function = function.With("parameters", strict(d.Schema)).With("strict", true)
		} else {
			function = function.With("parameters", d.Schema)
		}
		return schema.Document{{Name: "type", Value: "function"}, {Name: "function", Value: function}}
	})
}

// forResponses writes the functions of Responses, where strict is the default and must be
// switched off.
// https://platform.openai.com/docs/api-reference/responses/create#responses-create-tools
func forResponses(definitions []Definition, o Options) []schema.Document {
	return each(definitions, func(d *Definition) schema.Document {
		parameters := d.Schema
		if o.Strict {
			parameters = strict(d.Schema)
		}
		return schema.Document{
			{Name: "type", Value: "function"}, {Name: "name", Value: d.Name}, {Name: "description", Value: d.Doc},
			{Name: "parameters", Value: parameters}, {Name: "strict", Value: o.Strict},
		}
	})
}
