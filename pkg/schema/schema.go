// Package schema turns one tagged struct into everything that describes it:
// ordered fields, JSON Schema and a strict decoder. It knows no tool and no
// provider.
package schema

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

// Kind is the JSON type of a value.
type Kind string

// The JSON types that arguments may have. There are no free maps: no provider's
// strict mode takes them.
const (
	String  Kind = "string"
	Integer Kind = "integer"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Array   Kind = "array"
	Map     Kind = "object"
)

// Type is the type of a value with its bounds.
type Type struct {
	Kind   Kind
	Items  *Type    // of an Array
	Object *Object  // of a Map
	Enum   []string // of a String; empty for any
	// Min and Max bound a number's value, a string's length in characters or an
	// array's length. Nil is unbounded.
	Min, Max *float64
}

// PathUse is what an operation does to a path. The tag path:"…" of an argument
// names it; the policy decides by it, and the workspace goes through a link at the
// end of the path or not.
type PathUse string

// The uses of a path. NoPath is for an argument that holds none.
const (
	NoPath     PathUse = ""
	ReadPath   PathUse = "read"   // looks at what it leads to
	WritePath  PathUse = "write"  // changes what it leads to
	EditPath   PathUse = "edit"   // changes parts of what it leads to
	CreatePath PathUse = "create" // makes a new entry of that name
	RemovePath PathUse = "remove" // takes the entry away, or moves it: of a link, not its target
)

// Field is one argument.
type Field struct {
	Name     string
	Doc      string // without the bounds; see [Field.Description]
	DocZH    string // Doc in Chinese; empty where there is only Doc
	Aliases  []string
	Type     Type
	Required bool
	Default  any // the decoded default; nil when there is none
	Path     PathUse

	index int
	lang  fault.Lang // of Doc; empty is English
}

// Object is an ordered list of fields, made from one struct.
type Object struct {
	Fields []Field

	goType reflect.Type
}

// Of describes the struct type t. It panics, naming the field, when a tag is
// wrong, a doc is missing or a type has no JSON Schema that every provider
// takes: these are mistakes of the program, and a test builds every schema.
//
// The tags are json (name, and omitzero for an optional field), doc, zh (the doc
// in Chinese), default, enum (comma separated), min, max, path (a [PathUse]) and
// alias (comma separated names that are accepted and never shown).
func Of(t reflect.Type) *Object {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("schema: %v is not a struct", t))
	}
	o := &Object{Fields: make([]Field, 0, t.NumField()), goType: t}
	for i := range t.NumField() {
		sf := t.Field(i)
		f, err := fieldOf(sf)
		if err != nil {
			panic(fmt.Sprintf("schema: %v.%s: %v", t, sf.Name, err))
		}
		f.index = i
		o.Fields = append(o.Fields, f)
	}
	if name, ok := o.repeated(); ok {
		panic(fmt.Sprintf("schema: %v: the name %q is taken twice", t, name))
	}
	return o
}

// Field finds an argument by its name or one of its aliases.
func (o *Object) Field(name string) (*Field, bool) {
	for i := range o.Fields {
		if f := &o.Fields[i]; f.Name == name || slices.Contains(f.Aliases, name) {
			return f, true
		}
	}
	return nil, false
}

// Only is o with no other arguments than the named ones, for the same struct.
func (o *Object) Only(names []string) *Object {
	return o.filtered(func(f Field) bool { return slices.Contains(names, f.Name) })
}

// Without is o without the named arguments, for the same struct.
func (o *Object) Without(names []string) *Object {
	return o.filtered(func(f Field) bool { return !slices.Contains(names, f.Name) })
}

func (o *Object) filtered(keep func(Field) bool) *Object {
	kept := &Object{goType: o.goType}
	for _, f := range o.Fields {
		if keep(f) {
			kept.Fields = append(kept.Fields, f)
		}
	}
	return kept
}

// Names lists the arguments in the order of declaration, without aliases.
func (o *Object) Names() []string {
	names := make([]string, len(o.Fields))
	for i, f := range o.Fields {
		names[i] = f.Name
	}
	return names
}

// Required lists the arguments that every call must give.
func (o *Object) Required() []string {
	names := []string{}
	for _, f := range o.Fields {
		if f.Required {
			names = append(names, f.Name)
		}
	}
	return names
}

// String gives the pointer to a string field of a decoded value, so that a
// guard can read and rewrite a path. It is nil for any other field.
func (o *Object) String(args any, f *Field) *string {
	v := reflect.ValueOf(args).Elem().Field(f.index)
	if v.Kind() != reflect.String {
		return nil
	}
	return v.Addr().Interface().(*string)
}

func (o *Object) repeated() (string, bool) {
	var seen []string
	for i := range o.Fields {
		seen = append(append(seen, o.Fields[i].Name), o.Fields[i].Aliases...)
	}
	for i, name := range seen {
		if slices.Contains(seen[:i], name) {
			return name, true
		}
	}
	return "", false
}
