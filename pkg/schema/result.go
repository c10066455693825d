package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Described is a type that encodes itself and says what it encodes as.
type Described interface {
	JSONSchema() Document
}

// ResultOf returns the schema of what [Marshal] makes of values of a type. Unlike that of
// arguments it may have free maps and types that include null, which no model has to
// produce. The tags doc and enum of a field say more about it. It has no references: of a
// type that contains itself, the inner one is any object. The error names a type of
// which nothing can be known: one that encodes itself and is not [Described].
func ResultOf(t reflect.Type) (Document, error) {
	d := &describer{}
	return d.value(t)
}

// describer describes types; within are those that it is in.
type describer struct {
	within []reflect.Type
}

// value describes a value that is not nil.
func (d *describer) value(t reflect.Type) (Document, error) {
	if described, ok := reflect.TypeAssert[Described](reflect.Zero(t)); ok && t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		return described.JSONSchema(), nil
	}
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return Document{}, nil
	case reflect.TypeFor[Document]():
		return Document{{"type", Map}}, nil
	case reflect.TypeFor[time.Time]():
		return Document{{"type", String}, {"format", "date-time"}}, nil
	}
	if of := elementOf(t); of != nil {
		items, err := d.element(of)
		return Document{{"type", Array}, {"items", items}}, err
	}
	p := planOf(t)
	switch {
	case p.form == own && !t.Implements(reflect.TypeFor[json.Marshaler]()):
		return Document{{"type", String}}, nil // a TextMarshaler
	case p.form == own || p.addressed || t.Kind() == reflect.Struct && p.members == nil && t.NumField() > 0:
		return nil, fmt.Errorf("%v encodes itself and does not say how", t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.value(t.Elem())
	case reflect.Interface:
		return Document{}, nil
	case reflect.Bool:
		return Document{{"type", Boolean}}, nil
	case reflect.String:
		return Document{{"type", String}}, nil
	case reflect.Float32, reflect.Float64:
		return Document{{"type", Number}}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Document{{"type", Integer}}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Document{{"type", Integer}, {"minimum", 0}}, nil
	case reflect.Map:
		values, err := d.element(t.Elem())
		return Document{{"type", Map}, {"additionalProperties", values}}, err
	case reflect.Struct:
		return d.object(t, p.members)
	}
	return nil, fmt.Errorf("%v is not JSON", t)
}

// elementOf returns the type of the items of a list, which may be a sequence; nil if t is
// none. Bytes are no list.
func elementOf(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		if planOf(t).form == plain {
			return t.Elem()
		}
	case reflect.Func: // iter.Seq
		if t.CanSeq() {
			return t.In(0).In(0)
		}
	}
	return nil
}

// element describes a value that may be nil, where its type has nil.
func (d *describer) element(t reflect.Type) (Document, error) {
	value, err := d.value(t)
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if kind := value.Get("type"); kind != nil && planOf(t).form == plain {
			return value.With("type", []any{kind, "null"}), nil
		}
	}
	return value, nil
}

func (d *describer) object(t reflect.Type, members []planned) (Document, error) {
	if slices.Contains(d.within, t) {
		return Document{{"type", Map}}, nil
	}
	d.within = append(d.within, t)
	defer func() { d.within = d.within[:len(d.within)-1] }()
	properties, required := Document{}, []string{}
	for i := range members {
		m := &members[i]
		if hidden(members, m) {
			continue
		}
		f := t.FieldByIndex(m.index)
		describe := d.element
		if m.omitEmpty || m.omitZero {
			describe = d.value // nil is left out
		} else if !throughPointer(t, m.index) {
			required = append(required, m.name)
		}
		property, err := describe(f.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if list := f.Tag.Get("enum"); list != "" {
			property = property.With("enum", strings.Split(list, ","))
		}
		if doc := f.Tag.Get("doc"); doc != "" {
			property = property.With("description", doc)
		}
		properties = append(properties, Member{m.name, property})
	}
	return Document{{"type", Map}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}, nil
}

// hidden reports whether another member of the same name is less deeply embedded, or as
// deeply: then neither is encoded.
func hidden(members []planned, m *planned) bool {
	return slices.ContainsFunc(members, func(other planned) bool {
		return other.name == m.name && len(other.index) <= len(m.index) && !slices.Equal(other.index, m.index)
	})
}

// throughPointer reports whether a field is in a struct that is embedded by a pointer,
// and therefore absent where that is nil.
func throughPointer(t reflect.Type, index []int) bool {
	for _, at := range index[:len(index)-1] {
		if t = t.Field(at).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}
