package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// fieldOf reads the tags of a struct field.
func fieldOf(sf reflect.StructField) (Field, error) {
	if !sf.IsExported() || sf.Anonymous {
		return Field{}, errors.New("only plain exported fields are arguments")
	}
	tag := sf.Tag.Get("json")
	name, options, _ := strings.Cut(tag, ",")
	if !portableName(name) {
		return Field{}, fmt.Errorf("json name %q: want ^[a-z_][a-z0-9_]{0,63}$", name)
	}
	f := Field{
		Name:     name,
		Doc:      sf.Tag.Get("doc"),
		Required: !slices.Contains(strings.Split(options, ","), "omitzero"),
		Path:     PathUse(sf.Tag.Get("path")),
		Unlisted: sf.Tag.Get("unlisted") == "true",
		Unless:   sf.Tag.Get("unless"),
	}
	if f.Doc == "" {
		return Field{}, errors.New("no doc tag")
	}
	if f.Unlisted && f.Required {
		return Field{}, errors.New("a required field is listed: add omitzero")
	}
	if f.Unless != "" && (f.Unlisted || f.Required) {
		return Field{}, errors.New("unless is for a listed field that is not required")
	}
	if list := sf.Tag.Get("alias"); list != "" {
		f.Aliases = strings.Split(list, ",")
	}
	var err error
	if f.Type, err = typeOf(sf.Type); err != nil {
		return Field{}, err
	}
	if err := bounds(&f.Type, sf.Tag); err != nil {
		return Field{}, err
	}
	if f.Path != NoPath && (!slices.Contains(pathUses[:], f.Path) || f.Type.Kind != String) {
		return Field{}, fmt.Errorf("path:%q: want one of %v, on a string", f.Path, pathUses)
	}
	if text, ok := sf.Tag.Lookup("default"); ok {
		if f.Required {
			return Field{}, errors.New("a required field has no default: add omitzero")
		}
		if f.Default, err = defaultOf(f.Type, text); err != nil {
			return Field{}, err
		}
	}
	return f, nil
}

// portableName reports whether every provider takes a name.
func portableName(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

func typeOf(t reflect.Type) (Type, error) {
	if t == reflect.TypeFor[Scalar]() {
		return Type{Kind: anyScalar}, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Pointer {
			break
		}
		return typeOf(t.Elem())
	case reflect.String:
		return Type{Kind: String}, nil
	case reflect.Bool:
		return Type{Kind: Boolean}, nil
	case reflect.Int, reflect.Int64:
		return Type{Kind: Integer}, nil
	case reflect.Float64:
		return Type{Kind: Number}, nil
	case reflect.Slice:
		items, err := typeOf(t.Elem())
		return Type{Kind: Array, Items: &items}, err
	case reflect.Struct:
		return Type{Kind: Map, Object: Of(t)}, nil
	}
	return Type{}, fmt.Errorf("the type %v has no portable schema", t)
}

// bounds reads the tags enum, min and max. On an array, enum is about the items.
func bounds(t *Type, tag reflect.StructTag) error {
	if list, ok := tag.Lookup("enum"); ok {
		of := t
		if t.Kind == Array {
			of = t.Items
		}
		if of.Kind != String {
			return fmt.Errorf("enum on %s", of.Kind)
		}
		of.Enum = strings.Split(list, ",")
	}
	for _, b := range []struct {
		name string
		to   **float64
	}{{"min", &t.Min}, {"max", &t.Max}} {
		text, ok := tag.Lookup(b.name)
		if !ok {
			continue
		}
		if t.Kind == Boolean || t.Kind == Map {
			return fmt.Errorf("%s on %s", b.name, t.Kind)
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%s:%q is not a number", b.name, text)
		}
		*b.to = &n
	}
	return nil
}

// defaultOf reads the tag default.
func defaultOf(t Type, text string) (any, error) {
	var v any
	var err error
	switch t.Kind {
	case String:
		v = text
		if len(t.Enum) > 0 && !slices.Contains(t.Enum, text) {
			err = errors.New("not one of the enum")
		}
	case Boolean:
		v, err = strconv.ParseBool(text)
	case Integer:
		v, err = strconv.ParseInt(text, 10, 64)
	case Number:
		v, err = strconv.ParseFloat(text, 64)
	default:
		err = fmt.Errorf("%s takes none", t.Kind)
	}
	if err != nil {
		return nil, fmt.Errorf("default:%q: %w", text, err)
	}
	return v, nil
}

// number writes a bound.
func number(f float64) string {
	if whole := int64(f); float64(whole) == f { // as nearly all are, and much cheaper
		return strconv.FormatInt(whole, 10)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
