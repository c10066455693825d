package schema

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// plan describes the encoding of the values of a type.
type plan struct {
	form      form
	addressed bool // a pointer to the value encodes itself
	members   []planned
}

type form int

const (
	plain    form = iota
	document      // a [Document]
	raw           // a [json.RawMessage]
	own           // it encodes itself
	foreign       // left to encoding/json
)

// planned is a field of a struct, or of one embedded in it.
type planned struct {
	name                string
	index               []int
	omitEmpty, omitZero bool
	ownZero             bool // omitZero asks the type's IsZero, which is left to encoding/json
}

// of returns the value of the field; ok is false where an embedded pointer is nil.
func (p *planned) of(v reflect.Value) (value reflect.Value, ok bool) {
	for _, at := range p.index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v, true
}

var plans sync.Map // of *plan, by reflect.Type

func planOf(t reflect.Type) plan {
	if t.PkgPath() == "" && t.Kind() != reflect.Struct { // it has no methods
		return plan{form: formOf(t)}
	}
	if p, ok := plans.Load(t); ok {
		return *p.(*plan)
	}
	p := &plan{}
	switch {
	case t == reflect.TypeFor[Document]():
		p.form = document
	case t == reflect.TypeFor[json.RawMessage]():
		p.form = raw
	case t == reflect.TypeFor[json.Number]():
		p.form = foreign
	case t.Kind() != reflect.Interface && encodesItself(t):
		p.form = own
	case t.Kind() == reflect.Struct:
		var ok bool
		p.members, ok = membersOf(t, nil)
		if !ok || slices.ContainsFunc(p.members, func(m planned) bool { return m.ownZero }) {
			p.form = foreign
		}
	default:
		p.form = formOf(t)
	}
	p.addressed = (p.form == plain || p.form == foreign) && t.Kind() != reflect.Interface && encodesItself(reflect.PointerTo(t))
	plans.Store(t, p)
	return *p
}

func encodesItself(t reflect.Type) bool {
	return t.NumMethod() > 0 && (t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()))
}

// formOf returns the form of a type that is no struct and has no methods.
func formOf(t reflect.Type) form {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return foreign
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // base64
			return foreign
		}
	case reflect.Map:
		if t.Key().Kind() != reflect.String || planOf(t.Key()).form != plain {
			return foreign
		}
	}
	return plain
}

// membersOf returns the members of a struct's JSON in their order. ok is false for
// rare structs, which are left to encoding/json: those with names that clash or
// need escapes, and those that embed anything but exported structs. Where names clash,
// the members are all there nevertheless.
func membersOf(t reflect.Type, index []int) (members []planned, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		at := append(slices.Clip(index), i)
		switch {
		case tag == "-":
			continue
		case f.Anonymous:
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if name != "" || inner.Kind() != reflect.Struct || !f.IsExported() || len(at) > 4 {
				return nil, false
			}
			further, ok := membersOf(inner, at)
			if !ok {
				return nil, false
			}
			members = append(members, further...)
			continue
		case !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		m := planned{name: name, index: at}
		for option := range strings.SplitSeq(options, ",") {
			switch option {
			case "":
			case "omitempty":
				m.omitEmpty = true
			case "omitzero":
				m.omitZero = true
				m.ownZero = knowsZero(f.Type) || f.Type.PkgPath() != "" && knowsZero(reflect.PointerTo(f.Type))
			default:
				return nil, false
			}
		}
		if !plainName(name) {
			return nil, false
		}
		members = append(members, m)
	}
	return members, index != nil || !clash(members)
}

// knowsZero reports whether a type has a method IsZero.
func knowsZero(t reflect.Type) bool {
	return t.NumMethod() > 0 && t.Implements(reflect.TypeFor[interface{ IsZero() bool }]())
}

func plainName(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != '.' && r != '$'
	}) < 0
}

func clash(members []planned) bool {
	for i := range members {
		if slices.ContainsFunc(members[:i], func(other planned) bool { return other.name == members[i].name }) {
			return true
		}
	}
	return false
}
