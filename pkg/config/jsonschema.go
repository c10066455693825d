package config

import (
	"bytes"
	"encoding/json"

	"github.com/helve-dev/helve/pkg/schema"
)

// schemaTitle distinguishes helve's own schema from other files.
const schemaTitle = "helve configuration"

// JSONSchema returns the JSON Schema (2020-12) of a configuration file, indented. It
// describes the file without its comments.
func JSONSchema() ([]byte, error) {
	words := schema.Document{
		{Name: "type", Value: "array"},
		{Name: "items", Value: schema.Document{{Name: "type", Value: "string"}}},
	}
	word := schema.Document{{Name: "anyOf", Value: []any{schema.Document{{Name: "type", Value: "string"}}, words}}}
	doc := object().JSONSchema()
	properties := doc.Get("properties").(schema.Document)
	rule := below(properties, "rules")
	for _, name := range []string{"argv", "match", "not_match"} {
		at := rule.Get(name).(schema.Document)
		at.With("items", word)
	}
	bind := below(below(properties, "tools"), "bound").Get("bind").(schema.Document)
	bind.With("type", "object")
	text := schema.Document{{Name: "type", Value: "string"}}
	below(properties, "tools").With("names", schema.Document{
		{Name: "type", Value: "object"}, {Name: "description", Value: below(properties, "tools").Get("names").(schema.Document).Get("description")},
		{Name: "additionalProperties", Value: schema.Document{
			{Name: "type", Value: "object"},
			{Name: "properties", Value: schema.Document{{Name: "tool", Value: text}, {Name: "doc", Value: text}, {Name: "doc_zh", Value: text},
				{Name: "arguments", Value: schema.Document{{Name: "type", Value: "object"}, {Name: "additionalProperties", Value: text}}}}},
			{Name: "required", Value: []string{"tool"}}, {Name: "additionalProperties", Value: false},
		}},
	})
	web := below(properties, "web")
	web.With("headers", schema.Document{
		{Name: "type", Value: "object"}, {Name: "description", Value: web.Get("headers").(schema.Document).Get("description")},
		{Name: "additionalProperties", Value: schema.Document{{Name: "type", Value: "object"}, {Name: "additionalProperties", Value: text}}},
	})
	doc.With("properties", append(schema.Document{{Name: "$schema", Value: schema.Document{
		{Name: "type", Value: "string"}, {Name: "description", Value: "Address of this schema, for editors."}}}}, properties...))
	data, err := schema.Marshal(append(schema.Document{
		{Name: "$schema", Value: "https://json-schema.org/draft/2020-12/schema"}, {Name: "title", Value: schemaTitle},
		// What the language server of VS Code and its kin go by, as the file is no plain JSON.
		{Name: "allowComments", Value: true}, {Name: "allowTrailingCommas", Value: true}}, doc...))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// below returns the properties of an object, or of the objects in an array.
func below(properties schema.Document, name string) schema.Document {
	at, _ := properties.Get(name).(schema.Document)
	if items, ok := at.Get("items").(schema.Document); ok {
		at = items
	}
	inner, _ := at.Get("properties").(schema.Document)
	return inner
}
