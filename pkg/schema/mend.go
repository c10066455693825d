package schema

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// DecodeMended is [Object.Decode] for a model's own calls: it first mends the
// slips in which only one meaning is possible, and tells each.
//
//   - no arguments at all, which is not worth telling, and arguments that are a JSON string of the object
//   - the object wrapped in {"arguments": …}
//   - "3" for 3, "true" for true
//   - an array or object given as a string of JSON, one item for an array of it
func (o *Object) DecodeMended(data []byte, args any) (mended []fault.Text, err error) {
	m := &mender{}
	if strings.TrimSpace(string(data)) == "" {
		data = []byte("{}")
	}
	v, err := parse(data)
	if err != nil {
		return nil, err
	}
	v = m.unwrap(v, o)
	if v.kind == Map {
		m.object("", &v, o)
	}
	return m.told, o.decode(v, args)
}

type mender struct{ told []fault.Text }

func (m *mender) tell(at string, what fault.Text) {
	if at != "" {
		what = fault.T("%s: %s", "%s：%s", at, what)
	}
	m.told = append(m.told, what)
}

// unwrap takes off what stands round the object of arguments.
func (m *mender) unwrap(v value, o *Object) value {
	if inner, ok := within(v, Map); ok {
		m.tell("", fault.T("the arguments were a string of JSON; give the object itself", "参数是 JSON 字符串；请直接给出对象"))
		v = inner
	}
	if v.kind == Map && len(v.names) == 1 && v.names[0] == "arguments" {
		if _, known := o.Field("arguments"); !known && v.items[0].kind == Map {
			m.tell("", fault.T(`the arguments stood inside "arguments"; give them directly`, `参数嵌套在 "arguments" 中；请直接给出`))
			v = v.items[0]
		}
	}
	return v
}

func (m *mender) object(at string, v *value, o *Object) {
	for i, name := range v.names {
		if f, ok := o.Field(name); ok {
			m.value(at+"/"+escape(name), &v.items[i], f.Type)
		}
	}
}

func (m *mender) value(at string, v *value, t Type) {
	if v.kind == String && t.Kind != String {
		if inner, ok := within(*v, t.Kind); ok {
			m.tell(at, fault.T("want %s, took the string as one", "应为 %s，已将字符串按此解析", t.Kind))
			*v = inner
		}
	}
	switch t.Kind {
	case Array:
		if v.kind == t.Items.Kind || t.Items.Kind == Integer && v.kind == Number {
			m.tell(at, fault.T("want array, took the one item as one", "应为 array，已将单个值视为一项"))
			*v = value{kind: Array, items: []value{*v}}
		}
		for i := range v.items {
			m.value(at+"/*", &v.items[i], *t.Items)
		}
	case Map:
		m.object(at, v, t.Object)
	}
}

// within reads the JSON in a string when it is of the wanted kind.
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
