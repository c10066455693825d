package modeltext

import (
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// element is a call in tags that is being read.
type element struct {
	r     *reader
	from  int
	close string // the name of its closing tag
	own   bool   // its tag is the name of the tool
	pairs bool   // <arg_key> and <arg_value>, of GLM

	name    string
	tool    *Tool // nil for one that is not known
	key     string
	given   []member
	repairs []fault.Text
	err     *fault.Error // what is wrong with it, where its end is known all the same
	values  []string     // names of the tags of values that stand there as they are
}

func (e *element) called(name string) { e.name, e.tool = name, e.r.tool(name) }

// field reports whether the tool has an argument of this name.
func (e *element) field(name string) bool {
	if e.tool == nil {
		return false
	}
	_, ok := e.tool.Arguments.Field(name)
	return ok
}

// attributes takes the attributes of the tool's own tag as arguments.
func (e *element) attributes(all []attribute) {
	for _, a := range all {
		e.put(a.name, value{text: a.value, cdata: true}, tag{})
	}
}

// insideCall reports whether a tag stands around arguments or for one.
func insideCall(name string) bool {
	return slices.Contains([]string{"parameter", "parameters", "param", "params", "arg", "args", "argument", "arguments", "input", "tool_input", "arg_key"}, name)
}

// read reads what is in the call, and its closing tag. It returns the offset after it.
func (e *element) read(at int) int {
	r := e.r
	for {
		at = r.space(at)
		if at >= len(r.s) {
			return e.open(at)
		}
		if end, ok := closes(r.s, at, e.close); ok {
			e.finish(end)
			return end
		}
		if fence, body, ok := r.openFence(at); ok {
			r.fence, at = fence, r.space(body)
		}
		if r.has(at, "{") {
			end, ok := e.json(at)
			if !ok {
				return end
			}
			at = end
			continue
		}
		if end, ok := r.closeFence(at); ok {
			at = end
			continue
		}
		t, ok := tagAt(r.s, at)
		switch {
		case !ok:
			return e.fail(at, damaged(fault.T("expected a parameter, found %s", strconv.Quote(clip(r.s[at:])))))
		case t.close && insideCall(t.name):
			at = t.end
		case t.close:
			return e.fail(at, damaged(fault.T("</%s> closes nothing", t.raw)))
		default:
			end, ok := e.member(t)
			if !ok {
				return end
			}
			at = end
		}
	}
}

// member reads one parameter. ok is false if the call ends with it.
func (e *element) member(t tag) (end int, ok bool) {
	name := t.value
	switch {
	case name != "":
	case e.pairs && t.name == "arg_value":
		name, e.key = e.key, ""
	case insideCall(t.name) && t.attr("name") != "":
		name = t.attr("name")
	case insideCall(t.name) && t.name != "arg_key" && !e.field(t.raw):
		return t.end, true // around the parameters
	case t.attr("name") != "" && !e.field(t.raw):
		name = t.attr("name")
	default:
		name = t.raw
	}
	if t.empty {
		e.put(name, value{}, t)
		return t.end, true
	}
	v, end, err := e.value(t.end, t.raw, name)
	if err != nil {
		return e.fail(t.end, err), false
	}
	switch inner := strings.TrimSpace(v.text); {
	case e.name == "" && (name == "name" || name == "tool_name" || name == "function_name"):
		e.called(e.r.plainName(inner))
		return end, true
	case e.pairs && t.name == "arg_key":
		e.key = inner
		return end, true
	case insideCall(name) && !e.field(name) && strings.HasPrefix(inner, "{"): // <arguments>{…}</arguments>
		c := &Call{}
		if text, err := c.inText([]byte(inner)); err == nil {
			inner = string(text)
		}
		e.repairs = append(e.repairs, c.Repairs...)
		e.object([]byte(inner))
		return end, true
	}
	if !v.cdata {
		e.values = append(e.values, t.raw)
	}
	e.put(name, v, t)
	return end, true
}

// put adds a parameter.
func (e *element) put(name string, v value, t tag) {
	kind := schema.Type{Kind: schema.String}
	if e.tool != nil {
		if f, ok := e.tool.Arguments.Field(name); ok {
			kind = f.Type
		}
	}
	if t.attr("string") == "false" { // DeepSeek 3.2
		kind = schema.Type{}
	}
	plain := unescape(v.text)
	switch {
	case kind.Kind != schema.String:
		value := typed(&kind, v.text)
		if value[0] == '"' && !v.cdata {
			value = typed(&kind, plain)
		}
		e.list(name, value, &kind)
	case v.cdata || !escaped(v.text):
		e.list(name, quote(v.text), &kind)
	case e.tool != nil && e.tool.Reads:
		e.repairs = append(e.repairs, fault.T("/%s: references such as &lt; were read as the characters", name))
		e.list(name, quote(plain), &kind)
	default:
		e.err = damaged(fault.T("the value of %s has references such as &lt;, which could stand for themselves", name)).
			WithHint(fault.T("write the value as it is, inside <![CDATA[ and ]]>"))
	}
}

// list adds a value; of an array that is given as several parameters, an item.
func (e *element) list(name string, value []byte, t *schema.Type) {
	if t.Kind == schema.Array {
		i := slices.IndexFunc(e.given, func(m member) bool { return m.name == name })
		if i >= 0 && value[0] != '[' {
			before := e.given[i].value
			if before[0] != '[' {
				before = slices.Concat([]byte{'['}, before, []byte{']'})
			}
			e.given[i].value = slices.Concat(before[:len(before)-1], []byte{','}, value, []byte{']'})
			return
		}
	}
	e.given = append(e.given, member{name, value})
}

// typed returns the JSON of a parameter's text for its type. Text that does not fit
// the type stays a text, for the decoder to refuse. A type without a kind takes any
// JSON.
func typed(t *schema.Type, text string) []byte {
	trimmed := strings.TrimSpace(text)
	switch t.Kind {
	case schema.String:
		return quote(text)
	case schema.Boolean:
		if lower := strings.ToLower(trimmed); lower == "true" || lower == "false" {
			return []byte(lower)
		}
	default:
		if schema.Check([]byte(trimmed)) == nil {
			return []byte(trimmed)
		}
	}
	return quote(text)
}

// json reads the arguments as a JSON object in the tag.
func (e *element) json(at int) (end int, ok bool) {
	text, end, repairs, how, err := e.r.value(at)
	switch {
	case how == openEnds:
		return e.fail(at, cutOff()), false
	case err != nil:
		return e.fail(at, damagedJSON(err)), false
	}
	e.repairs = append(e.repairs, repairs...)
	e.object(text)
	return end, true
}

// object takes a JSON object as the arguments.
func (e *element) object(text []byte) {
	if len(e.given) > 0 || schema.Check(text) != nil {
		e.err = damaged(fault.T("its arguments are no object"))
		return
	}
	e.given = members(text)
}

// finish adds the call.
func (e *element) finish(end int) {
	c := Call{Name: e.name, Arguments: object(e.given), Repairs: e.repairs, Err: e.err}
	if e.name == "" {
		c.Err = damaged(fault.T("it names no tool"))
	}
	e.r.add(c, e.from, end)
	if len(e.values) > 0 {
		for _, name := range append(e.values, e.close) {
			if _, ok := e.r.closers[name]; !ok {
				e.r.closers[name] = len(e.r.calls) - 1
			}
		}
	}
}

// open ends a call that the text ends in. If it only reads, what is there is enough:
// servers cut the closing tag off where it is a stop sequence. Of one that writes, a
// parameter may be missing.
func (e *element) open(end int) int {
	if e.tool == nil || !e.tool.Reads || len(e.given) == 0 {
		e.r.add(Call{Name: e.name, Err: cutOff()}, e.from, end)
		return end
	}
	e.repairs = append(e.repairs, fault.T("</%s> was missing", e.close))
	e.finish(end)
	return end
}

// fail ends a call that cannot be read. Its end is known only if there is one closing
// tag that it can be; else nothing after it is read either.
func (e *element) fail(at int, err *fault.Error) int {
	r, tag := e.r, "</"+e.close+">"
	first := strings.Index(r.s[at:], tag)
	if first >= 0 && strings.LastIndex(r.s[at:], tag) == first {
		end := at + first + len(tag)
		r.add(Call{Name: e.name, Err: err}, e.from, end)
		return end
	}
	r.add(Call{Name: e.name, Err: err}, e.from, len(r.s))
	if first < 0 {
		return len(r.s)
	}
	return r.swallow()
}

// clip returns the start of a text, for an error.
func clip(s string) string {
	const most = 24
	for i := range s {
		if i >= most {
			return s[:i] + "…"
		}
	}
	return s
}
