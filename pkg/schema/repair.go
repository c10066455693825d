package schema

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// DecodeRepaired is [Object.Decode] for the calls of a model. It first repairs the
// slips that can have one meaning only, and reports each repair:
//
//   - no arguments at all, which is not worth a report
//   - a string of JSON in place of the object
//   - the object wrapped in {"arguments": …}
//   - a string of JSON in place of a number, a boolean, an array or an object
//   - one item in place of an array
func (o *Object) DecodeRepaired(data []byte, args any) (repairs []fault.Text, err error) {
	r := &repairer{}
	if strings.TrimSpace(string(data)) == "" {
		data = []byte("{}")
	}
	v, err := parse(data)
	if err != nil {
		return nil, err
	}
	v = r.unwrap(v, o)
	if v.kind == Map {
		r.object("", &v, o)
	}
	return r.repairs, o.decode(v, args)
}

type repairer struct{ repairs []fault.Text }

// report notes a repair of the value at a JSON pointer.
func (r *repairer) report(at string, what fault.Text) {
	if at != "" {
		what = fault.T("%s: %s", "%s：%s", at, what)
	}
	r.repairs = append(r.repairs, what)
}

// unwrap returns the object of arguments without what is wrapped around it.
func (r *repairer) unwrap(v value, o *Object) value {
	if inner, ok := within(v, Map); ok {
		r.report("", fault.T("the arguments were a string of JSON; pass the object itself", "参数是 JSON 字符串；请直接传入对象"))
		v = inner
	}
	if v.kind == Map && len(v.names) == 1 && v.names[0] == "arguments" {
		if _, known := o.Field("arguments"); !known && v.items[0].kind == Map {
			r.report("", fault.T(`the arguments were inside "arguments"; pass them directly`, `参数嵌套在 "arguments" 中；请直接传入`))
			v = v.items[0]
		}
	}
	return v
}

func (r *repairer) object(at string, v *value, o *Object) {
	for i, name := range v.names {
		if f, ok := o.Field(name); ok {
			r.value(at+"/"+escape(name), &v.items[i], f.Type)
		}
	}
}

func (r *repairer) value(at string, v *value, t Type) {
	if t.Kind != String {
		if inner, ok := within(*v, t.Kind); ok {
			r.report(at, fault.T("want %s; read the string as one", "应为 %s，已将字符串按此解析", t.Kind))
			*v = inner
		}
	}
	switch t.Kind {
	case Array:
		if v.kind == t.Items.Kind || t.Items.Kind == Integer && v.kind == Number {
			r.report(at, fault.T("want array; read the value as its one item", "应为 array，已将单个值视为其中一项"))
			*v = value{kind: Array, items: []value{*v}}
		}
		for i := range v.items {
			r.value(at+"/*", &v.items[i], *t.Items)
		}
	case Map:
		r.object(at, v, t.Object)
	}
}

// within returns the value that a string holds as JSON, if it is of the wanted kind.
func within(v value, want Kind) (value, bool) {
	if v.kind != String {
		return value{}, false
	}
	inner, err := parse([]byte(strings.TrimSpace(v.text)))
	if want == Integer {
		want = Number
	}
	return inner, err == nil && inner.kind == want
}
