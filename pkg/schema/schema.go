package schema

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

// Kind is the JSON type of a value.
type Kind string

// The JSON types that arguments may have. A Map has named members: no provider's
// strict mode takes any others.
const (
	String  Kind = "string"
	Integer Kind = "integer"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Array   Kind = "array"
	Map     Kind = "object"

	anyScalar Kind = "text, number or boolean" // of a [Scalar]
)

// Type is the type of a value, with its bounds.
type Type struct {
	Kind   Kind
	Items  *Type    // of an Array
	Object *Object  // of a Map
	Enum   []string // of a String; empty for any
	// Min and Max bound a number's value, a string's length in characters, or an
	// array's length. Nil means no bound.
	Min, Max *float64

	loose bool // in a [Portable] Object, that values may be of other kinds as well
}

// PathUse is the effect of an operation on a path. The tag path:"…" of an argument, or
// the keyword "path" beside its type, sets it. The policy decides by it, and it says
// whether the workspace follows a link at the end of the path.
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

// pathUses are the uses that a tag or a schema may name.
var pathUses = [...]PathUse{ReadPath, WritePath, EditPath, CreatePath, RemovePath}

// Field is one argument.
type Field struct {
	Name     string
	Doc      string // without the bounds; see [Field.Description]
	Aliases  []string
	Type     Type
	Required bool
	Default  any     // the decoded default; nil when there is none
	Path     PathUse // of the string that it is, or of each in an array of strings
	Unlisted bool    // accepted, and left out of the JSON Schema
	Unless   string  // the argument that a call gives instead; "" is none

	index    int
	lang     fault.Lang // of Doc; empty is English
	source   string     // in a [Portable] Object, the name that the schema has
	nullable bool       // there, that null is a value of its own
}

// Object is the ordered list of the fields of a struct.
type Object struct {
	Fields []Field
	Open   bool // it takes members of other names as well
	// Shortened is set if [Portable] left out properties of it, or of objects in it, as
	// the definition would have been too long.
	Shortened bool

	goType reflect.Type
	kept   bool // it decodes into a [Kept]; see [Portable]
	closed bool // it then refuses members of other names
}

// like returns an Object with other fields that decodes as o does.
func (o *Object) like(fields []Field) *Object {
	return &Object{Fields: fields, Open: o.Open, Shortened: o.Shortened, goType: o.goType, kept: o.kept, closed: o.closed}
}

// Of returns the fields of the struct type t, as its tags describe them; the
// package comment lists the tags. It panics, naming the field, where a tag is
// wrong, a doc is missing, or a type has no schema that every provider takes.
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

// Field returns the argument with a name or an alias.
func (o *Object) Field(name string) (*Field, bool) {
	for i := range o.Fields {
		if f := &o.Fields[i]; f.Name == name || slices.Contains(f.Aliases, name) {
			return f, true
		}
	}
	return nil, false
}

// Only returns o with the named arguments alone, for the same struct.
func (o *Object) Only(names []string) *Object {
	return o.filtered(func(f Field) bool { return slices.Contains(names, f.Name) })
}

// Without returns o without the named arguments, for the same struct.
func (o *Object) Without(names []string) *Object {
	return o.filtered(func(f Field) bool { return !slices.Contains(names, f.Name) })
}

func (o *Object) filtered(keep func(Field) bool) *Object {
	kept := o.like(nil)
	for _, f := range o.Fields {
		if keep(f) {
			kept.Fields = append(kept.Fields, f)
		}
	}
	return kept
}

// Names returns the names of the arguments in the order of declaration.
func (o *Object) Names() []string {
	names := make([]string, len(o.Fields))
	for i, f := range o.Fields {
		names[i] = f.Name
	}
	return names
}

// Required returns the names of the arguments that every call must give.
func (o *Object) Required() []string {
	names := []string{}
	for _, f := range o.Fields {
		if f.Required {
			names = append(names, f.Name)
		}
	}
	return names
}

// Paths returns pointers to the paths that an argument of decoded arguments holds, so
// that they can be read and rewritten; none if the argument is absent.
func (o *Object) Paths(args any, f *Field) []*string {
	v := reflect.Indirect(reflect.ValueOf(args).Elem().Field(f.index))
	switch v.Kind() {
	case reflect.String:
		return []*string{v.Addr().Interface().(*string)}
	case reflect.Slice:
		paths := make([]*string, v.Len())
		for i := range paths {
			paths[i] = v.Index(i).Addr().Interface().(*string)
		}
		return paths
	}
	return nil
}

// repeated returns a name or alias that two arguments have.
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
