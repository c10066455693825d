package dialect

import "github.com/helve-dev/helve/pkg/schema"

// draft identifies the JSON Schema that the schemas are written in.
const draft = "https://json-schema.org/draft/2020-12/schema"

// forJSONSchema writes the schemas for programs, such as adapters of frameworks.
func forJSONSchema(definitions []Definition, o Options) []schema.Document {
	return each(definitions, func(d *Definition) schema.Document {
		written := schema.Document{{Name: "name", Value: d.Name}, {Name: "description", Value: d.Doc}, {Name: "input_schema", Value: dated(d.Schema)}}
		if o.Output {
			written = written.With("output_schema", dated(d.Output))
		}
		return written
	})
}

// dated returns a schema that says what it is written in.
func dated(d schema.Document) schema.Document {
	return append(schema.Document{{Name: "$schema", Value: draft}}, d...)
}
