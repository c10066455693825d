package schema

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// The bounds of a schema in JSON, which every provider's strict mode takes.
const (
	maxNesting    = 5   // levels of objects and arrays
	maxProperties = 100 // of the schema and all objects in it
	maxEnum       = 500 // values of one property
)

// FromJSON makes an Object of a JSON Schema, in the subset that every provider
// takes: an object of named properties, each a string (enum, minLength, maxLength),
// an integer or number (minimum, maximum), a boolean, an array (items, minItems,
// maxItems) or such an object; with description and default. A property of the schema
// itself that is a string or an array of strings may have the keyword path, a
// [PathUse], which no provider sees. It ignores title, $schema and $comment. The name of a property stands for a missing description.
// The flaws are complete, with JSON pointers into the schema; o is nil if there
// are any.
//
// Such an Object decodes into arguments that [Object.NewArgs] makes.
func FromJSON(data []byte) (o *Object, flaws []Flaw) {
	v, err := parse(data)
	if err != nil {
		return nil, []Flaw{{Problem: Problem{"", fault.As(err).Message}}}
	}
	r := &reader{}
	o = r.object("", v, 0)
	if len(r.flaws) > 0 {
		return nil, r.flaws
	}
	return o, nil
}

// Flaw is something that is wrong with a JSON Schema.
type Flaw struct {
	Problem
	Undefined bool // a required property is not defined
}

// reader reads a schema and collects its flaws.
type reader struct {
	flaws  []Flaw
	fields int // read so far
}

func (r *reader) flaw(at string, what fault.Text) {
	r.flaws = append(r.flaws, Flaw{Problem: Problem{at, what}})
}

// keywords returns the members of a schema by name; unknown ones are flaws.
func (r *reader) keywords(at string, v value, known ...string) map[string]value {
	if v.kind != Map {
		r.flaw(at, fault.T("a schema must be an object"))
		return nil
	}
	given := map[string]value{}
	for i, name := range v.names {
		_, twice := given[name]
		switch {
		case twice:
			r.flaw(at+"/"+escape(name), fault.T("given twice"))
		case slices.Contains(known, name):
			given[name] = v.items[i]
		case name == "path":
			r.flaw(at+"/path", fault.T("only a parameter that is a string or an array of strings can be a path"))
		case name == "title" || name == "$schema" || name == "$comment":
		default:
			r.flaw(at+"/"+escape(name), fault.T("not every provider takes the keyword %q; the keywords here are: %s", name, strings.Join(known, ", ")))
		}
	}
	return given
}

func (r *reader) object(at string, v value, depth int) *Object {
	given := r.keywords(at, v, "type", "description", "properties", "required", "additionalProperties")
	if given == nil {
		return nil
	}
	if depth > maxNesting {
		r.flaw(at, fault.T("objects nest deeper than %d levels", maxNesting))
		return nil
	}
	if kind, ok := given["type"]; ok && kind.text != string(Map) {
		r.flaw(at+"/type", fault.T(`must be "object"`))
	} else if !ok {
		r.flaw(at, fault.T(`"type":"object" is missing`))
	}
	if more, ok := given["additionalProperties"]; ok && (more.kind != Boolean || more.truth) {
		r.flaw(at+"/additionalProperties", fault.T("must be false: every argument has a name"))
	}
	o := &Object{}
	properties := given["properties"]
	if _, ok := given["properties"]; ok && properties.kind != Map {
		r.flaw(at+"/properties", fault.T("must be an object"))
	}
	for i, name := range properties.names {
		where := at + "/properties/" + escape(name)
		if !identifier(name) {
			r.flaw(where, fault.T("the name must consist of letters, digits and _, start with no digit, and have at most 64 characters"))
		}
		if _, twice := o.Field(name); twice {
			r.flaw(where, fault.T("given twice"))
			continue
		}
		if r.fields++; r.fields > maxProperties {
			r.flaw(where, fault.T("more than %d properties", maxProperties))
			return nil
		}
		f := r.field(where, name, properties.items[i], depth)
		f.index = len(o.Fields)
		o.Fields = append(o.Fields, f)
	}
	if depth > 0 && len(o.Fields) == 0 {
		r.flaw(at, fault.T("not every provider takes an object without properties"))
	}
	r.required(at+"/required", given, o)
	if len(r.flaws) == 0 {
		o.goType = o.structType()
	}
	return o
}

func (r *reader) required(at string, given map[string]value, o *Object) {
	list, ok := given["required"]
	if !ok {
		return
	}
	if list.kind != Array {
		r.flaw(at, fault.T("must be an array of names"))
		return
	}
	for i, item := range list.items {
		where := at + "/" + strconv.Itoa(i)
		f, ok := o.Field(item.text)
		switch {
		case item.kind != String:
			r.flaw(where, fault.T("must be a name"))
		case !ok:
			r.flaw(where, fault.T("the required property %q is not defined", item.text))
			r.flaws[len(r.flaws)-1].Undefined = true
		case f.Default != nil:
			r.flaw(where, fault.T("%q has a default, so it is not required", item.text))
		default:
			f.Required = true
		}
	}
}

func (r *reader) field(at, name string, v value, depth int) Field {
	f := Field{Name: name, Doc: strings.ReplaceAll(name, "_", " ")}
	t, given := r.typeOf(at, v, depth)
	f.Type = t
	if doc, ok := given["description"]; ok {
		if doc.kind != String {
			r.flaw(at+"/description", fault.T("must be a string"))
		}
		if strings.TrimSpace(doc.text) != "" {
			f.Doc = doc.text
		}
	}
	if initial, ok := given["default"]; ok {
		f.Default = r.initial(at+"/default", initial, t)
	}
	if use, ok := given["path"]; ok {
		f.Path = r.pathUse(at+"/path", use)
	}
	return f
}

// pathUse reads what a call does to a path.
func (r *reader) pathUse(at string, v value) PathUse {
	use := PathUse(v.text)
	if v.kind != String || !slices.Contains(pathUses[:], use) {
		words := make([]string, len(pathUses))
		for i, u := range pathUses {
			words[i] = string(u)
		}
		r.flaw(at, fault.T("want one of %s", strings.Join(words, ", ")))
	}
	return use
}

// typeOf reads the type of a property or of an array's items. It also returns the
// keywords of the property.
func (r *reader) typeOf(at string, v value, depth int) (Type, map[string]value) {
	var kind Kind
	if v.kind == Map {
		for i, name := range v.names {
			if name == "type" && v.items[i].kind == String {
				kind = Kind(v.items[i].text)
			}
		}
	}
	t := Type{Kind: kind}
	known := []string{"type", "description", "default"}
	low, high := "", ""
	switch kind {
	case String:
		low, high = "minLength", "maxLength"
		known = append(known, "enum", low, high)
	case Integer, Number:
		low, high = "minimum", "maximum"
		known = append(known, low, high)
	case Boolean:
	case Array:
		low, high = "minItems", "maxItems"
		known = append(known, "items", low, high)
	case Map:
		t.Object = r.object(at, v, depth+1)
		if t.Object == nil {
			return t, nil
		}
		given := map[string]value{}
		for i, name := range v.names {
			if name == "description" {
				given[name] = v.items[i]
			}
		}
		return t, given
	default:
		if v.kind != Map {
			r.flaw(at, fault.T("a schema must be an object"))
		} else {
			r.flaw(at, fault.T("the type must be one of string, integer, number, boolean, array, object"))
		}
		return t, nil
	}
	if depth == 0 && holdsPaths(kind, v) {
		known = append(known, "path")
	}
	given := r.keywords(at, v, known...)
	if low != "" {
		t.Min, t.Max = r.bound(at+"/"+low, given, low, kind), r.bound(at+"/"+high, given, high, kind)
		if t.Min != nil && t.Max != nil && *t.Min > *t.Max {
			r.flaw(at+"/"+high, fault.T("is less than %s", low))
		}
	}
	if list, ok := given["enum"]; ok {
		t.Enum = r.enum(at+"/enum", list)
	}
	if kind == Array {
		items, ok := given["items"]
		if !ok {
			r.flaw(at, fault.T(`"items" is missing`))
			return t, given
		}
		if depth >= maxNesting {
			r.flaw(at, fault.T("arrays nest deeper than %d levels", maxNesting))
			return t, given
		}
		inner, words := r.typeOf(at+"/items", items, depth+1)
		if _, has := words["default"]; has {
			r.flaw(at+"/items/default", fault.T("items have no default"))
		}
		t.Items = &inner
	}
	return t, given
}

// holdsPaths reports whether a schema describes a string or an array of strings.
func holdsPaths(kind Kind, v value) bool {
	if kind == String {
		return true
	}
	of := member(member(v, "items"), "type")
	return kind == Array && of.kind == String && of.text == string(String)
}

// member returns a member of an object, the zero value if there is none.
func member(v value, name string) value {
	if i := slices.Index(v.names, name); v.kind == Map && i >= 0 {
		return v.items[i]
	}
	return value{}
}

// bound reads a bound; nil where there is none.
func (r *reader) bound(at string, given map[string]value, name string, kind Kind) *float64 {
	v, ok := given[name]
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(v.text, 64)
	_, whole := integer(v.text)
	switch {
	case v.kind != Number || err != nil:
		r.flaw(at, fault.T("must be a number"))
	case kind != Number && !whole:
		r.flaw(at, fault.T("must be an integer"))
	case (kind == String || kind == Array) && n < 0:
		r.flaw(at, fault.T("must not be negative"))
	default:
		return &n
	}
	return nil
}

func (r *reader) enum(at string, list value) []string {
	if list.kind != Array || len(list.items) == 0 || len(list.items) > maxEnum {
		r.flaw(at, fault.T("must be an array of 1 to %d strings", maxEnum))
		return nil
	}
	var words []string
	for i, item := range list.items {
		if item.kind != String || slices.Contains(words, item.text) {
			r.flaw(at+"/"+strconv.Itoa(i), fault.T("must be a string, and not repeat another"))
			continue
		}
		words = append(words, item.text)
	}
	return words
}

// initial reads a default, which must be a value of the type.
func (r *reader) initial(at string, v value, t Type) any {
	d := &decoder{}
	switch t.Kind {
	case String, Integer, Number, Boolean:
		into := reflect.New(goType(t)).Elem()
		d.value(at, v, t, into)
		for _, p := range d.problems {
			r.flaw(p.Pointer, p.Message)
		}
		return into.Interface()
	}
	r.flaw(at, fault.T("%s takes no default: leave it out of required", t.Kind))
	return nil
}

// identifier reports whether every provider takes a name and a template can name it.
func identifier(name string) bool {
	return utf8.ValidString(name) && portableName(strings.ToLower(name)) && len(strings.ToLower(name)) == len(name)
}
