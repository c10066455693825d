package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// member is one of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members returns the members of a JSON object, in their order.
func members(object []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fault.New(fault.InvalidArguments, fault.T("the arguments are no object"))
	}
	var all []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// typeOf words the type of a property: "array of string".
func typeOf(property schema.Document) string {
	kind := fmt.Sprint(property.Get("type"))
	if items, ok := property.Get("items").(schema.Document); ok {
		return kind + " of " + typeOf(items)
	}
	return kind
}

// objectIn returns the schema of the objects that a property holds; nil is none.
func objectIn(property schema.Document) schema.Document {
	if items, ok := property.Get("items").(schema.Document); ok {
		return objectIn(items)
	}
	if property.Get("properties") == nil {
		return nil
	}
	return property
}

// keywords returns what bounds a property, without what is written otherwise.
func keywords(property schema.Document) schema.Document {
	bounds := property.Without("type", "description", "items", "properties", "required", "additionalProperties")
	if items, ok := property.Get("items").(schema.Document); ok {
		if enum := items.Get("enum"); enum != nil {
			bounds = append(bounds, schema.Member{Name: "enum", Value: enum})
		}
	}
	return bounds
}

// plain returns the value of a keyword as text.
func plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, ", ")
	}
	text, err := schema.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// object returns a call as JSON.
func object(name string, arguments []byte) (string, error) {
	text, err := schema.Marshal(schema.Document{{Name: "name", Value: name}, {Name: "arguments", Value: json.RawMessage(arguments)}})
	return string(text), err
}

// required reports whether a parameter is required; the others are optional.
func required(object schema.Document, name string) bool {
	names, _ := object.Get("required").([]string)
	return slices.Contains(names, name)
}
