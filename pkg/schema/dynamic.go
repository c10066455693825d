package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// The bounds of a schema that is not ours: deep enough for what people write,
// and what every provider's strict mode takes.
const (
	dynamicDepth  = 5
	dynamicFields = 100
	dynamicEnum   = 500
)

// FromJSON makes an Object of a JSON Schema that is given as text, in the subset
// that every provider takes: an object of named properties, each a string (enum,
// minLength, maxLength), an integer or number (minimum, maximum), a boolean, an
// array (items, minItems, maxItems) or an object again; description and default.
// title, $schema and $comment are read over. A property without a description is
// described by its name. The flaws, with JSON pointers into the schema, are all
// there are; o is nil if there is any.
//
// Such an Object decodes into what [Object.NewArgs] gives.
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

// Flaw is what is wrong at a place of a JSON Schema. Undefined marks a required
// property that is not defined.
type Flaw struct {
	Problem
	Undefined bool
}

// reader collects what is wrong with a schema.
type reader struct {
	flaws  []Flaw
	fields int
}

func (r *reader) tell(at string, what fault.Text) {
	r.flaws = append(r.flaws, Flaw{Problem: Problem{at, what}})
}

// keywords gives the members of a schema by name, and tells of what is not known.
func (r *reader) keywords(at string, v value, known ...string) map[string]value {
	if v.kind != Map {
		r.tell(at, fault.T("a schema must be an object", "模式必须是对象"))
		return nil
	}
	given := map[string]value{}
	for i, name := range v.names {
		_, twice := given[name]
		switch {
		case twice:
			r.tell(at+"/"+escape(name), fault.T("given twice", "重复给出"))
		case slices.Contains(known, name):
			given[name] = v.items[i]
		case name == "title" || name == "$schema" || name == "$comment":
		default:
			r.tell(at+"/"+escape(name), fault.T("the keyword %q is not taken by every provider; the keywords here are: %s",
				"并非所有提供商都支持关键字 %q；此处可用：%s", name, strings.Join(known, ", ")))
		}
	}
	return given
}

func (r *reader) object(at string, v value, depth int) *Object {
	given := r.keywords(at, v, "type", "description", "properties", "required", "additionalProperties")
	if given == nil {
		return nil
	}
	if depth > dynamicDepth {
		r.tell(at, fault.T("objects nest deeper than %d levels", "对象嵌套超过 %d 层", dynamicDepth))
		return nil
	}
	if kind, ok := given["type"]; ok && kind.text != string(Map) {
		r.tell(at+"/type", fault.T(`must be "object"`, `必须为 "object"`))
	} else if !ok {
		r.tell(at, fault.T(`"type":"object" is missing`, `缺少 "type":"object"`))
	}
	if more, ok := given["additionalProperties"]; ok && (more.kind != Boolean || more.truth) {
		r.tell(at+"/additionalProperties", fault.T("must be false: there are no arguments without a name", "必须为 false：不存在未命名的参数"))
	}
	o := &Object{}
	properties := given["properties"]
	if _, ok := given["properties"]; ok && properties.kind != Map {
		r.tell(at+"/properties", fault.T("must be an object", "必须是对象"))
	}
	for i, name := range properties.names {
		where := at + "/properties/" + escape(name)
		if !identifier(name) {
			r.tell(where, fault.T("the name must have letters, digits and _, no digit first, and at most 64 of them", "名称只能由字母、数字和 _ 组成，不能以数字开头，最多 64 个字符"))
		}
		if _, twice := o.Field(name); twice {
			r.tell(where, fault.T("given twice", "重复给出"))
			continue
		}
		if r.fields++; r.fields > dynamicFields {
			r.tell(where, fault.T("more than %d properties", "属性超过 %d 个", dynamicFields))
			return nil
		}
		f := r.field(where, name, properties.items[i], depth)
		f.index = len(o.Fields)
		o.Fields = append(o.Fields, f)
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
		r.tell(at, fault.T("must be an array of names", "必须是名称数组"))
		return
	}
	for i, item := range list.items {
		where := at + "/" + strconv.Itoa(i)
		f, ok := o.Field(item.text)
		switch {
		case item.kind != String:
			r.tell(where, fault.T("must be a name", "必须是名称"))
		case !ok:
			r.tell(where, fault.T("the required property %q is not defined", "必填属性 %q 未定义", item.text))
			r.flaws[len(r.flaws)-1].Undefined = true
		case f.Default != nil:
			r.tell(where, fault.T("%q has a default, and so need not be given", "%q 有默认值，因此不是必填", item.text))
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
			r.tell(at+"/description", fault.T("must be a string", "必须是字符串"))
		}
		if strings.TrimSpace(doc.text) != "" {
			f.Doc = doc.text
		}
	}
	if initial, ok := given["default"]; ok {
		f.Default = r.initial(at+"/default", initial, t)
	}
	return f
}

// typeOf reads the type of a property or of an array's items, and gives the
// keywords that describe a property.
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
			r.tell(at, fault.T("a schema must be an object", "模式必须是对象"))
		} else {
			r.tell(at, fault.T("the type must be one of string, integer, number, boolean, array, object", "type 必须为 string、integer、number、boolean、array、object 之一"))
		}
		return t, nil
	}
	given := r.keywords(at, v, known...)
	if low != "" {
		t.Min, t.Max = r.bound(at+"/"+low, given, low, kind), r.bound(at+"/"+high, given, high, kind)
		if t.Min != nil && t.Max != nil && *t.Min > *t.Max {
			r.tell(at+"/"+high, fault.T("is less than %s", "小于 %s", low))
		}
	}
	if list, ok := given["enum"]; ok {
		t.Enum = r.enum(at+"/enum", list)
	}
	if kind == Array {
		items, ok := given["items"]
		if !ok {
			r.tell(at, fault.T(`"items" is missing`, `缺少 "items"`))
			return t, given
		}
		if depth >= dynamicDepth {
			r.tell(at, fault.T("arrays nest deeper than %d levels", "数组嵌套超过 %d 层", dynamicDepth))
			return t, given
		}
		inner, words := r.typeOf(at+"/items", items, depth+1)
		if _, has := words["default"]; has {
			r.tell(at+"/items/default", fault.T("items have no default", "数组项没有默认值"))
		}
		t.Items = &inner
	}
	return t, given
}

func (r *reader) bound(at string, given map[string]value, name string, kind Kind) *float64 {
	v, ok := given[name]
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(v.text, 64)
	_, whole := integer(v.text)
	switch {
	case v.kind != Number || err != nil:
		r.tell(at, fault.T("must be a number", "必须是数字"))
	case kind != Number && !whole:
		r.tell(at, fault.T("must be an integer", "必须是整数"))
	case (kind == String || kind == Array) && n < 0:
		r.tell(at, fault.T("must not be negative", "不得为负数"))
	default:
		return &n
	}
	return nil
}

func (r *reader) enum(at string, list value) []string {
	if list.kind != Array || len(list.items) == 0 || len(list.items) > dynamicEnum {
		r.tell(at, fault.T("must be an array of 1 to %d strings", "必须是 1 到 %d 个字符串的数组", dynamicEnum))
		return nil
	}
	var words []string
	for i, item := range list.items {
		if item.kind != String || slices.Contains(words, item.text) {
			r.tell(at+"/"+strconv.Itoa(i), fault.T("must be a string that is not there yet", "必须是不重复的字符串"))
			continue
		}
		words = append(words, item.text)
	}
	return words
}

// initial reads a default, which the type must take.
func (r *reader) initial(at string, v value, t Type) any {
	d := &decoder{}
	switch t.Kind {
	case String, Integer, Number, Boolean:
		into := reflect.New(goType(t)).Elem()
		d.value(at, v, t, into)
		for _, p := range d.problems {
			r.tell(p.Pointer, p.Message)
		}
		return into.Interface()
	}
	r.tell(at, fault.T("%s has no default: make it optional", "%s 没有默认值：请改为可选", t.Kind))
	return nil
}

// identifier holds names to what every provider takes and a template can name.
func identifier(name string) bool {
	return utf8.ValidString(name) && portableName(strings.ToLower(name)) && len(strings.ToLower(name)) == len(name)
}

// structType is a Go struct that the decoder fills in. An optional field without
// a default is a pointer, so that absence shows.
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
	case Array:
		return reflect.SliceOf(goType(*t.Items))
	}
	return t.Object.goType
}

// NewArgs is a pointer to zero arguments of o, to decode into.
func (o *Object) NewArgs() any { return reflect.New(o.goType).Interface() }

// Values gives decoded arguments by their names, in the order of declaration:
// string, int64, float64, bool, []any and [Document]. What is absent is left out.
func (o *Object) Values(args any) Document {
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
