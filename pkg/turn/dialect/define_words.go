package dialect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// said returns a copy of the schema of a value without some keywords, with a
// description that says the same. It is for forms that refuse the keywords.
func said(d schema.Document, keywords ...string) schema.Document {
	bare := d.Without(keywords...)
	bound := func(keyword string) *float64 {
		value, ok := d.Get(keyword).(float64)
		if !ok || bare.Get(keyword) != nil {
			return nil
		}
		return &value
	}
	for _, b := range []struct {
		low, high string
		unit      fault.Text
	}{
		{"minimum", "maximum", fault.Text{}},
		{"minLength", "maxLength", fault.T(" characters")},
		{"minItems", "maxItems", fault.T(" items")},
	} {
		low, high := bound(b.low), bound(b.high)
		if !b.unit.IsZero() && low != nil && *low == 1 && high == nil {
			bare = addition(bare, fault.T(" Not empty."))
		} else {
			bare = addition(bare, schema.Range(low, high, b.unit))
		}
	}
	if bare.Get("default") == nil {
		bare = addition(bare, schema.Initial(d.Get("default")))
	}
	return bare
}

// addition adds a sentence to the description of a property, in its language, unless it
// is there already.
func addition(d schema.Document, sentence fault.Text) schema.Document {
	doc, _ := d.Get("description").(string)
	lang := fault.English
	if strings.HasSuffix(doc, "。") {
		lang = fault.Chinese
	}
	more := sentence.In(lang)
	if strings.Contains(doc, strings.TrimSpace(more)) {
		return d
	}
	if last, _ := utf8.DecodeLastRuneInString(doc); unicode.IsLetter(last) || unicode.IsDigit(last) {
		doc += "."
	}
	return d.With("description", strings.TrimSpace(doc+more))
}

// closed returns the schema of a value in an object, for forms that take no members of any
// name: an object of nothing else is a text there, which the decoder reads as well.
func closed(d schema.Document) schema.Document {
	if d.Get("additionalProperties") != true {
		return d
	}
	if properties, _ := d.Get("properties").(schema.Document); len(properties) > 0 {
		return d.Without("additionalProperties").With("additionalProperties", false)
	}
	text := schema.Document{{Name: "type", Value: schema.String}}
	if doc, ok := d.Get("description").(string); ok {
		text = text.With("description", doc)
	}
	return addition(text, fault.T(" A JSON object, as text."))
}

// inside converts the schemas in a schema. d is the caller's own copy.
func inside(d schema.Document, convert func(schema.Document) schema.Document) schema.Document {
	if items, ok := d.Get("items").(schema.Document); ok {
		d = d.With("items", convert(items))
	}
	if properties, ok := d.Get("properties").(schema.Document); ok {
		converted := make(schema.Document, len(properties))
		for i, p := range properties {
			converted[i] = schema.Member{Name: p.Name, Value: convert(p.Value.(schema.Document))}
		}
		d = d.With("properties", converted)
	}
	return d
}
