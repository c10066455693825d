package modeltext

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// ending is the way in which the end of a JSON value was found.
type ending int

const (
	closed   ending = iota // by its bracket
	cut                    // by what can only follow it, such as the tag around it
	openEnds               // not at all
)

// extent returns where the object or array at an offset ends. It looks at brackets
// and strings alone, so that it also knows the end of JSON that has other faults.
func extent(s string, at int) (end int, how ending) {
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			if i >= len(s) {
				return len(s), openEnds
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, closed
			}
		case '<', '`':
			return i, cut
		}
	}
	return len(s), openEnds
}

// member is one of an object.
type member struct {
	name  string
	value json.RawMessage
}

// members returns the members of a JSON object, in their order.
func members(object []byte) []member {
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var all []member
	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return nil
		}
		all = append(all, member{name, value})
	}
	return all
}

// The names of the members of a call.
func nameKey(name string) bool {
	return slices.Contains([]string{"name", "tool_name", "function_name", "tool", "function", "action", "recipient_name"}, name)
}

func argumentsKey(name string) bool {
	return slices.Contains([]string{"arguments", "action_input", "tool_input", "function_args", "parameters", "args", "input", "params", "kwargs"}, name)
}

func besideKey(name string) bool {
	return slices.Contains([]string{"id", "type", "call_id", "tool_call_id", "index", "thought"}, name)
}

// callsIn returns the calls that a valid JSON value stands for; ok is false if it
// stands for none. explicit says that something around the value marks it as calls: else
// only the name of a tool makes it one.
func (r *reader) callsIn(text []byte, explicit bool) (calls []Call, ok bool) {
	if text = bytes.TrimSpace(text); schema.Check(text) != nil {
		return nil, false
	}
	if text[0] == '[' {
		var items []json.RawMessage
		if json.Unmarshal(text, &items) != nil {
			return nil, false
		}
		for _, item := range items {
			more, ok := r.callsIn(item, explicit)
			if !ok && !explicit {
				return nil, false
			}
			if !ok {
				more = []Call{{Err: damaged(fault.T("an item of the list is no call"))}}
			}
			calls = append(calls, more...)
		}
		return calls, len(calls) > 0
	}
	all := members(text)
	for _, m := range all { // one inside the other
		switch m.name {
		case "tool_calls", "tool_uses", "function_call", "tool_call", "function", "command":
			if calls, ok := r.callsIn(m.value, explicit); ok && len(m.value) > 0 && (m.value[0] == '{' || m.value[0] == '[') {
				return calls, true
			}
		}
	}
	c, ok := r.callOf(all, explicit)
	return []Call{c}, ok
}

// callOf returns the call that the members of an object are.
func (r *reader) callOf(all []member, explicit bool) (c Call, ok bool) {
	var given json.RawMessage
	var has bool
	var rest []member
	for _, m := range all {
		switch {
		case c.Name == "" && nameKey(m.name) && json.Unmarshal(m.value, &c.Name) == nil && c.Name != "":
		case argumentsKey(m.name) && !has:
			given, has = m.value, true
		case besideKey(m.name):
		default:
			rest = append(rest, m)
		}
	}
	c.Name = r.plainName(c.Name)
	t := r.tool(c.Name)
	switch {
	case c.Name == "" && explicit && len(all) == 1 && r.tool(all[0].name) != nil: // {"read":{"path":"x"}}
		c.Name, given, rest = all[0].name, all[0].value, nil
		t = r.tool(c.Name)
	case c.Name == "" || strings.EqualFold(c.Name, "final answer"):
		return c, false
	case !has && t != nil && len(rest) > 0 && r.all(rest, t): // {"tool":"read","path":"x"}
		given, rest = object(rest), nil
	case !explicit && (!has || t == nil || len(rest) > 0):
		return c, false
	}
	if len(rest) > 0 {
		c.Err = damaged(fault.T("it has members that are not part of a call, such as %q", rest[0].name))
		return c, true
	}
	r.argue(&c, given, t)
	return c, true
}

// all reports whether members are arguments of a tool.
func (r *reader) all(given []member, t *Tool) bool {
	return !slices.ContainsFunc(given, func(m member) bool {
		_, ok := t.Arguments.Field(m.name)
		return !ok
	})
}

// argue takes the object of arguments that a JSON value is, has as its one item, or holds as
// text.
func (r *reader) argue(c *Call, value json.RawMessage, t *Tool) {
	value = bytes.TrimSpace(value)
	var text string
	var items []json.RawMessage
	switch {
	case len(value) == 0, string(value) == "null":
		c.Arguments = []byte("{}")
	case value[0] == '{':
		c.Arguments = value
	case json.Unmarshal(value, &items) == nil && len(items) == 1 && items[0][0] == '{':
		c.Arguments = items[0]
		c.Repairs = append(c.Repairs, fault.T("the arguments were in a list; pass the object itself"))
	case json.Unmarshal(value, &text) != nil:
		c.Err = damaged(fault.T("its arguments are no object"))
	case strings.TrimSpace(text) == "":
		c.Arguments = []byte("{}")
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		c.Arguments, c.Err = c.inText([]byte(strings.TrimSpace(text)))
	default:
		c.Arguments, c.Err = bare(text, t)
	}
}

// inText returns the object of arguments that a text consists of.
func (c *Call) inText(text []byte) ([]byte, *fault.Error) {
	err := schema.Check(text)
	if err == nil {
		return text, nil
	}
	object, repairs, mended := schema.Mended(text)
	if mended != nil {
		return nil, fault.As(err)
	}
	c.Repairs = append(c.Repairs, repairs...)
	return object, nil
}

// value reads the JSON value at an offset, as strictly as the decoder or with its repairs.
// ok is false if it cannot be read; then err says why, and end is where it seems to end.
func (r *reader) value(at int) (text []byte, end int, repairs []fault.Text, how ending, err error) {
	end, how = extent(r.s, at)
	if err = schema.Check([]byte(r.s[at:end])); err == nil {
		return []byte(r.s[at:end]), end, nil, closed, nil
	}
	if r.mending -= len(r.s) - at; r.mending < 0 {
		return nil, end, nil, how, err
	}
	text, length, repairs, mended := schema.MendedStart([]byte(r.s[at:]))
	if mended == nil {
		return text, at + length, repairs, closed, nil
	}
	if how == cut { // nothing can be missing but brackets
		if text, repairs, mended := schema.Mended([]byte(r.s[at:end])); mended == nil {
			return text, end, repairs, closed, nil
		}
	}
	return nil, end, nil, how, err
}

// bare returns the arguments that a text without a name stands for.
func bare(text string, t *Tool) ([]byte, *fault.Error) {
	if t == nil || t.Bare == "" || slices.ContainsFunc(t.Arguments.Required(), func(name string) bool { return name != t.Bare }) {
		return nil, damaged(fault.T("its arguments are no object"))
	}
	f, _ := t.Arguments.Field(t.Bare)
	return object([]member{{f.Name, typed(&f.Type, text)}}), nil
}

// object returns the JSON object of the members. A name that is there twice stays
// there twice, for the decoder to refuse.
func object(all []member) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(m.name))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// quote returns a text as JSON.
func quote(text string) []byte {
	b, err := schema.Marshal(text)
	if err != nil {
		return []byte(`""`) // unreachable: every text encodes
	}
	return b
}

// plainName returns the name of a tool without what some models write before it.
func (r *reader) plainName(name string) string {
	name = strings.Trim(strings.TrimSpace(name), "`\"'*")
	for _, prefix := range []string{"functions.", "function.", "default_api.", "tools."} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && r.tool(name) == nil {
			return rest
		}
	}
	return name
}

// region reads JSON at an offset that something marks as calls. It returns the
// offset after it.
func (r *reader) region(from, at int) int {
	text, end, repairs, how, err := r.value(at)
	if err == nil {
		calls, ok := r.callsIn(text, true)
		if !ok {
			calls = []Call{{Err: damaged(fault.T("the JSON names no tool"))}}
		}
		for _, c := range calls {
			c.Repairs = append(slices.Clone(repairs), c.Repairs...)
			r.add(c, from, end)
		}
		return end
	}
	c := Call{Name: r.guessName(r.s[at:end]), Err: damagedJSON(err)}
	if how == openEnds {
		c.Err = cutOff()
	}
	r.add(c, from, end)
	if how != openEnds && !r.ends(end) { // its strings may be open where they seem closed
		return r.swallow()
	}
	return end
}

func damagedJSON(err error) *fault.Error {
	e := fault.As(err)
	return fault.New(e.Code, e.Message).WithHint(fault.T("write the whole call again, with every quote and line break in a text escaped"))
}

// ends reports whether what ends a call is at an offset: the closing tag of calls, a
// special token, a fence or the end.
func (r *reader) ends(at int) bool {
	if at = r.space(at); at >= len(r.s) {
		return true
	}
	t, tagged := tagAt(r.s, at)
	return tagged && t.close && endsCall(t.name) || r.has(at, "<|") || r.has(at, "<｜") || r.has(at, "```")
}

// swallow ends the reading: after a call whose end is unknown, text cannot be distinguished
// from its content.
func (r *reader) swallow() int {
	r.notes = append(r.notes, fault.T("nothing after the damaged call was read"))
	return len(r.s)
}

// guessName returns the name of the tool in damaged JSON, for the error alone.
func (r *reader) guessName(text string) string {
	best, name := len(text), ""
	for _, key := range []string{"name", "tool_name", "tool", "action"} {
		for _, mark := range []string{`"`, "'"} {
			i := strings.Index(text, mark+key+mark)
			if i < 0 || i >= best {
				continue
			}
			rest := strings.TrimLeft(text[i+len(key)+2:], " \t\r\n:")
			if value, ok := strings.CutPrefix(rest, mark); ok {
				if word, _, closed := strings.Cut(value, mark); closed {
					best, name = i, r.plainName(word)
				}
			}
		}
	}
	return name
}

// bareJSON reads calls as JSON with nothing around them, at the start of a line.
func (r *reader) bareJSON(at int) (int, bool) {
	if !r.reads(JSON) || r.unwound || !r.lineStart(at) {
		return at, false
	}
	next := r.space(at + 1)
	if next >= len(r.s) || strings.IndexByte(`"[{'`, r.s[next]) < 0 {
		return at, false
	}
	end, how := extent(r.s, at)
	text := r.s[at:end]
	if schema.Check([]byte(text)) == nil {
		calls, ok := r.callsIn([]byte(text), false)
		if !ok {
			r.text.WriteString(text)
			return end, true
		}
		for _, c := range calls {
			r.add(c, at, end)
		}
		if r.has(end, ";") { // Llama separates calls by it
			end++
		}
		return end, true
	}
	if name := r.guessName(text); r.tool(name) != nil && looksLikeCall(text) {
		return r.region(at, at), true
	}
	if r.s[next] == '\'' { // a word in quotes, or Python's: where it ends is not known
		return at, false
	}
	if how != closed {
		r.unwound = true
		return at, false
	}
	r.text.WriteString(text)
	return end, true
}

// looksLikeCall reports whether damaged JSON has the arguments of a call.
func looksLikeCall(text string) bool {
	return slices.ContainsFunc([]string{"arguments", "parameters", "args", "input", "action_input"}, func(key string) bool {
		return strings.Contains(text, `"`+key+`"`) || strings.Contains(text, "'"+key+"'")
	})
}

// explicit reads one or more calls after a mark that promises them: JSON values, or
// calls in Python. Nothing of the kind is left to be read otherwise.
func (r *reader) explicit(at int) (int, bool) {
	from, read := at, false
	for {
		next := r.space(at)
		if fence, body, ok := r.openFence(next); ok {
			r.fence, next = fence, r.space(body)
		}
		if r.has(next, ";") || read && r.has(next, ",") {
			next = r.space(next + 1)
		}
		switch {
		case next < len(r.s) && r.s[next] == '{', r.has(next, `[{`), r.has(next, "[\n"), r.has(next, "[ "), r.has(next, "[]"):
			if r.has(next, "[]") {
				return next + 2, true
			}
			at, read = r.region(next, next), true
			continue
		}
		if end, ok := r.pythonList(next); ok {
			at, read = end, true
			continue
		}
		if end, ok := r.pythonCall(next, true); ok {
			at, read = end, true
			continue
		}
		if read {
			return at, true
		}
		return from, true
	}
}
