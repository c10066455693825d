package schema

import (
	"fmt"
	"reflect"
)

// structType returns a Go struct for the decoder to fill in. An optional field
// without a default is a pointer or a slice, so that its absence shows.
func (o *Object) structType() reflect.Type {
	fields := make([]reflect.StructField, len(o.Fields))
	for i := range o.Fields {
		f := &o.Fields[i]
		t := goType(f.Type)
		if !f.Required && f.Default == nil {
			t = reflect.PointerTo(t)
			if f.Type.Kind == Array {
				t = goType(f.Type) // nil when absent
			}
		}
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: t}
	}
	return reflect.StructOf(fields)
}

func goType(t Type) reflect.Type {
	switch t.Kind {
	case String:
		return reflect.TypeFor[string]()
	case Integer:
		return reflect.TypeFor[int64]()
	case Number:
		return reflect.TypeFor[float64]()
	case Boolean:
		return reflect.TypeFor[bool]()
	case anyScalar:
		return reflect.TypeFor[Scalar]()
	case Array:
		return reflect.SliceOf(goType(*t.Items))
	}
	return t.Object.goType
}

// NewArgs returns a pointer to zero arguments of o, to decode into.
func (o *Object) NewArgs() any {
	if o.kept {
		return &Kept{}
	}
	return reflect.New(o.goType).Interface()
}

// Values returns decoded arguments by name, in the order of declaration: string,
// int64, float64, bool, []any and [Document]. What is absent is left out. Those of a
// [Kept] are JSON, in the order in which they came.
func (o *Object) Values(args any) Document {
	if k, ok := args.(*Kept); ok {
		return k.document()
	}
	return o.values(reflect.ValueOf(args).Elem())
}

func (o *Object) values(v reflect.Value) Document {
	d := Document{}
	for i := range o.Fields {
		f := &o.Fields[i]
		at := v.Field(f.index)
		switch {
		case !f.Required && f.Default == nil && at.IsZero():
			continue
		case at.Kind() == reflect.Pointer:
			at = at.Elem()
		}
		d = append(d, Member{f.Name, plainOf(f.Type, at)})
	}
	return d
}

func plainOf(t Type, v reflect.Value) any {
	switch t.Kind {
	case Array:
		items := make([]any, v.Len())
		for i := range items {
			items[i] = plainOf(*t.Items, v.Index(i))
		}
		return items
	case Map:
		return t.Object.values(v)
	}
	return v.Interface()
}
