package schema

import (
	"reflect"

	"github.com/helve-dev/helve/pkg/fault"
)

// Member is one name and value of a [Document].
type Member struct {
	Name  string
	Value any
}

// Document is a JSON object whose members keep their order.
type Document []Member

// Get returns the value of a member, or nil.
func (d Document) Get(name string) any {
	for _, m := range d {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// With returns d with a member added, or replaced in place.
func (d Document) With(name string, value any) Document {
	for i, m := range d {
		if m.Name == name {
			d[i].Value = value
			return d
		}
	}
	return append(d, Member{name, value})
}

// Without returns a copy of d that lacks the named members.
func (d Document) Without(names ...string) Document {
	var kept Document
next:
	for _, m := range d {
		for _, name := range names {
			if m.Name == name {
				continue next
			}
		}
		kept = append(kept, m)
	}
	return kept
}

// MarshalJSON writes the members in order, with <, > and & as they are.
func (d Document) MarshalJSON() ([]byte, error) { return d.appendTo(nil) }

func (d Document) appendTo(b []byte) (_ []byte, err error) {
	b = append(b, '{')
	for i, m := range d {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.Name), ':')
		if b, err = appendValue(b, reflect.ValueOf(m.Value)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// JSONSchema returns the canonical schema of o, in the subset of JSON Schema that
// every provider takes, without the unlisted arguments. The providers' own forms are
// made from it. Nothing is said twice: bounds and defaults are keywords alone.
// A form that lacks them puts [Range] and [Initial] into the description.
func (o *Object) JSONSchema() Document {
	properties := Document{}
	required := []string{}
	for i := range o.Fields {
		f := &o.Fields[i]
		if f.Unlisted {
			continue
		}
		property := append(Document{{"type", f.Type.published()}, {"description", f.Doc}}, f.Type.keywords()...)
		if f.Default != nil {
			property = append(property, Member{"default", f.Default})
		}
		properties = append(properties, Member{f.Name, property})
		if f.Required || o.hides(f.Unless) {
			required = append(required, f.Name)
		}
	}
	return Document{
		{"type", Map},
		{"properties", properties},
		{"required", required},
		{"additionalProperties", o.Open},
	}
}

// hides reports whether o has an argument that is not listed.
func (o *Object) hides(name string) bool {
	f, ok := o.Field(name)
	return ok && f.Unlisted
}

func (t *Type) jsonSchema() Document {
	if t.Kind == Map {
		return t.Object.JSONSchema()
	}
	return append(Document{{"type", t.published()}}, t.keywords()...)
}

// published returns the kind that schemas say: of a [Scalar] a text, which every provider
// takes. Numbers and booleans are decoded all the same.
func (t *Type) published() Kind {
	if t.Kind == anyScalar {
		return String
	}
	return t.Kind
}

// keywords returns the members that follow type and description.
func (t *Type) keywords() Document {
	var d Document
	if len(t.Enum) > 0 {
		d = append(d, Member{"enum", t.Enum})
	}
	low, high := "minimum", "maximum"
	switch t.Kind {
	case String:
		low, high = "minLength", "maxLength"
	case Array:
		low, high = "minItems", "maxItems"
		d = append(d, Member{"items", t.Items.jsonSchema()})
	case Map:
		d = append(d, t.Object.JSONSchema().Without("type")...)
	}
	if t.Min != nil {
		d = append(d, Member{low, *t.Min})
	}
	if t.Max != nil {
		d = append(d, Member{high, *t.Max})
	}
	return d
}

// ReadDocument reads a JSON object. The values of its members are JSON, and keep what their
// numbers say. The fault is invalid_arguments.
func ReadDocument(data []byte) (Document, error) {
	v, err := parse(data)
	if err != nil {
		return nil, err
	}
	if v.kind != Map {
		return nil, Invalid("", fault.T("want an object"))
	}
	return (&Kept{v}).document(), nil
}
