package dialect

import (
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// forMCP writes the tools of tools/list. Every hint is there, as what its absence means
// is seldom what is true. A tool whose result is not known to be an object has no
// outputSchema.
// https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool
func forMCP(definitions []Definition, o Options) []schema.Document {
	return each(definitions, func(d *Definition) schema.Document {
		arguments := d.Schema
		if o.Nullable {
			arguments = optionalNullable(arguments)
		}
		written := schema.Document{
			{Name: "name", Value: d.Name}, {Name: "description", Value: d.Doc}, {Name: "inputSchema", Value: arguments},
		}
		output := d.Output
		if d.Contents { // of which clients get the parts
			properties, _ := output.Get("properties").(schema.Document)
			output, _ = properties.Get("structuredContent").(schema.Document)
		}
		if o.Output && output.Get("type") == schema.Map {
			written = written.With("outputSchema", output)
		}
		reads := d.Risk == policy.Read
		return written.With("annotations", schema.Document{
			{Name: "title", Value: d.Title},
			{Name: "readOnlyHint", Value: reads},
			{Name: "destructiveHint", Value: d.Risk == policy.Destructive},
			{Name: "idempotentHint", Value: reads || d.Idempotent},
			{Name: "openWorldHint", Value: d.Open},
		})
	})
}
