package dialect

import (
	"slices"

	"github.com/helve-dev/helve/pkg/schema"
)

// strict converts a schema to what OpenAI's structured outputs take: every property
// is required, an optional one may be null (which the decoder reads as absent), and
// the description says what is in keywords that they refuse.
// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
func strict(d schema.Document) schema.Document {
	d = said(d, "default", "minLength", "maxLength")
	if d.Get("additionalProperties") == true {
		d = d.With("additionalProperties", false)
	}
	if items, ok := d.Get("items").(schema.Document); ok {
		d = d.With("items", strict(closed(items)))
	}
	properties, ok := d.Get("properties").(schema.Document)
	if !ok {
		return d
	}
	required, _ := d.Get("required").([]string)
	all := make([]string, len(properties))
	projected := make(schema.Document, len(properties))
	for i, p := range properties {
		property := strict(closed(p.Value.(schema.Document)))
		if !slices.Contains(required, p.Name) {
			property = nullable(property)
		}
		all[i], projected[i] = p.Name, schema.Member{Name: p.Name, Value: property}
	}
	return d.With("properties", projected).With("required", all)
}

// optionalNullable lets the optional properties of an object be null, which the decoder
// reads as absent.
func optionalNullable(d schema.Document) schema.Document {
	properties, _ := d.Get("properties").(schema.Document)
	required, _ := d.Get("required").([]string)
	open := make(schema.Document, len(properties))
	for i, p := range properties {
		property := p.Value.(schema.Document)
		if !slices.Contains(required, p.Name) {
			property = nullable(slices.Clone(property))
		}
		open[i] = schema.Member{Name: p.Name, Value: property}
	}
	return slices.Clone(d).With("properties", open)
}

// nullable lets a property be null. d is the caller's own copy.
func nullable(d schema.Document) schema.Document {
	d = d.With("type", []any{d.Get("type"), "null"})
	if enum, ok := d.Get("enum").([]string); ok {
		values := make([]any, 0, len(enum)+1)
		for _, v := range enum {
			values = append(values, v)
		}
		d = d.With("enum", append(values, nil))
	}
	return d
}
