package profile

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

// Find returns our tool of a name.
type Find func(name string) (*tool.Tool, error)

// In returns t as the profile has it, for a call: of one that chooses among ours, the one that
// the arguments say, or the first where input is nil. The fault is that of find, or
// invalid_arguments.
func (t *Tool) In(find Find, input []byte) (*tool.Tool, error) {
	c, err := t.choose(input)
	if err != nil {
		return nil, err
	}
	ours, err := find(c.Of)
	if err != nil {
		return nil, err
	}
	parameters, flaws := t.declared()
	if len(flaws) > 0 { // Check has told
		return nil, fault.New(fault.NotConfigured, flaws[0].Message)
	}
	names := map[string]string{}
	for _, p := range t.Parameters {
		if of := c.argument(p); of != p.Name && of != "-" {
			names[of] = p.Name
		}
	}
	form := tool.Form{
		Name: t.Name, Doc: t.Doc, DocZH: t.DocZH, Parameters: parameters, Names: names,
		Arguments: func(given *schema.Kept) ([]byte, error) { return t.arguments(c, given) },
		Says:      func(told tool.Told) *tool.Said { return t.says(c, told) },
	}
	if required := parameters.Required(); len(required) > 0 {
		form.DefaultArg = required[0]
	}
	return reading(ours, t.Name).In(form), nil
}

// reading returns a tool of ours for arguments as they are called in the system that a name
// comes from.
func reading(ours *tool.Tool, name string) *tool.Tool {
	for _, n := range foreign.Names() {
		if n.Name == name && n.Tool == ours.Name {
			return foreign.Reading(ours, &n)
		}
	}
	return foreign.Reading(ours, nil)
}

// choose returns the case of a call.
func (t *Tool) choose(input []byte) (*Case, error) {
	if t.By == "" || input == nil {
		return t.Cases[0], nil
	}
	given, _, err := schema.ReadRepaired(input, nil, true)
	if err != nil {
		return nil, err
	}
	value, _ := given.Text(t.By)
	if !given.Has(t.By) {
		value = t.otherwise()
	}
	var values []string
	for _, c := range t.Cases {
		if c.Value == value {
			return c, nil
		}
		values = append(values, c.Value)
	}
	return nil, schema.Invalid("/"+t.By, fault.T("want one of %s, got %q", strings.Join(values, ", "), value))
}

// otherwise returns the value that chooses among the cases where a caller gives none.
func (t *Tool) otherwise() string {
	for _, p := range t.Parameters {
		if p.Name == t.By {
			return plain(p.Default)
		}
	}
	return ""
}

func (t *Tool) declared() (*schema.Object, []schema.Flaw) {
	arguments := make([]schema.Argument, len(t.Parameters))
	for i, p := range t.Parameters {
		arguments[i] = schema.Argument{Name: p.Name, Schema: p.Schema, Required: p.Required}
	}
	return schema.Declared(arguments)
}

// argument returns the argument of ours that a parameter is, or "-".
func (c *Case) argument(p Parameter) string {
	if of, ok := c.Rename[p.Name]; ok {
		return of
	}
	if p.Of != "" {
		return p.Of
	}
	return p.Name
}

// arguments returns our arguments for those that a caller gives.
func (t *Tool) arguments(c *Case, given *schema.Kept) ([]byte, error) {
	text, err := given.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	own := schema.Document{}
	for _, p := range t.Parameters {
		value, ok := values[p.Name]
		if !ok {
			value = p.Default
			if value == nil {
				value = p.Otherwise
			}
		}
		for _, other := range p.Excludes {
			if ok && values[other] != nil {
				return nil, schema.Invalid("/"+p.Name, fault.T("cannot be combined with %s", other))
			}
		}
		if err := p.takes(plain(value)); err != nil {
			return nil, err
		}
		if p.Anchored {
			value = anchored(value)
		}
		if of := c.argument(p); value != nil && of != "-" && p.Name != t.By {
			own = append(own, schema.Member{Name: of, Value: value})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Fixed)) {
		own = own.With(name, c.Fixed[name])
	}
	return schema.Marshal(own)
}

// takes reports a value that is denied, or a path with none of the endings.
func (p Parameter) takes(value string) error {
	value = strings.ToLower(value)
	for _, d := range p.Denied {
		if d.Pattern.MatchString(value) {
			return fault.New(fault.Denied, fault.T("%s", d.Reason))
		}
	}
	has := func(ending string) bool { return strings.HasSuffix(value, ending) }
	if len(p.Endings) == 0 || slices.ContainsFunc(p.Endings, has) {
		return nil
	}
	return schema.Invalid("/"+p.Name, fault.T("want a path that ends with %s", strings.Join(p.Endings, ", ")))
}

// anchored puts a slash before the globs with a star, of which value is one or a list.
func anchored(value json.RawMessage) json.RawMessage {
	one := func(glob string) string {
		if strings.Contains(glob, "*") {
			return "/" + strings.TrimPrefix(glob, "/")
		}
		return glob
	}
	var list []string
	if json.Unmarshal(value, &list) != nil {
		if glob := plain(value); glob != "" {
			return quoted(one(glob))
		}
		return value
	}
	for i, glob := range list {
		list[i] = one(glob)
	}
	text, err := schema.Marshal(list)
	if err != nil { // strings always can be
		return value
	}
	return text
}

// says returns the answer to a call.
func (t *Tool) says(c *Case, told tool.Told) *tool.Said {
	args := t.given(told.Input)
	s := func(lang fault.Lang) *scope { return t.scope(c, args, told, lang) }
	text := func(lang fault.Lang) string { return t.text(c, told, s(lang), lang) }
	return &tool.Said{
		AsResult: told.Err != nil && t.profile.ErrorsAreResults,
		Text: func(lang fault.Lang) string {
			said, trailer := text(lang), t.trailer(told, lang)
			if trailer != "" && said != "" && !strings.HasSuffix(said, "\n") {
				said += "\n"
			}
			return said + trailer
		},
		Data: func(lang fault.Lang) json.RawMessage {
			switch t.profile.Envelope {
			case Data:
				if told.Err == nil {
					return c.data(s(lang))
				}
			case Content:
				return document(schema.Document{{Name: "content", Value: text(lang)}})
			}
			return quoted(text(lang))
		},
	}
}

// given returns the arguments that a caller gave, with the defaults of the others.
func (t *Tool) given(input []byte) json.RawMessage {
	o, flaws := t.declared()
	kept := &schema.Kept{}
	if len(flaws) > 0 {
		return nil
	}
	if _, err := o.DecodeRepaired(input, kept, schema.Repair{}); err != nil {
		return input
	}
	values := o.Values(kept)
	for _, p := range t.Parameters {
		if values.Get(p.Name) == nil && p.Default != nil {
			values = append(values, schema.Member{Name: p.Name, Value: p.Default})
		}
	}
	return document(values)
}

func document(d schema.Document) json.RawMessage {
	text, err := schema.Marshal(d)
	if err != nil {
		return nil
	}
	return text
}

// scope returns what the expressions of a call are about.
func (t *Tool) scope(c *Case, args json.RawMessage, told tool.Told, lang fault.Lang) *scope {
	s := &scope{result: sorted(told.Result, c.Sort), args: args, root: told.Root}
	if told.Err == nil {
		return s
	}
	s.details, _ = schema.Marshal(told.Err.Details)
	s.words = map[string]string{
		"code": string(told.Err.Code), "message": told.Err.Message.In(lang), "hint": told.Err.Hint.In(lang),
	}
	for word, of := range failureWords {
		for _, name := range of {
			value := member(s.details, name)
			if value == nil {
				value = t.argumentFor(c, args, name)
			}
			if value != nil {
				s.words[word] = plain(value)
				break
			}
		}
	}
	return s
}

// failureWords are the words that texts of failures know, with the details, and else the
// arguments of ours, that they are.
var failureWords = map[string][]string{
	"path": {"path", "from"}, "n": {"total", "count"}, "seconds": {"timeout"}, "url": {"url"},
	"status": {"status"}, "bytes": {"bytes", "limit"}, "line": {"line"},
}

// argumentFor returns the value that a caller gave for an argument of ours.
func (t *Tool) argumentFor(c *Case, args json.RawMessage, name string) json.RawMessage {
	for _, p := range t.Parameters {
		if c.argument(p) == name {
			return member(args, p.Name)
		}
	}
	return member(args, name)
}

// text returns the text of an outcome.
func (t *Tool) text(c *Case, told tool.Told, s *scope, lang fault.Lang) string {
	if e := told.Err; e != nil {
		for _, m := range []Messages{c.Messages, t.messages} {
			if w, ok := m[e.Code]; ok {
				return w.in(lang).fill(s)
			}
		}
		if hint := e.Hint.In(lang); hint != "" {
			return e.Message.In(lang) + "\n" + hint
		}
		return e.Message.In(lang)
	}
	if c.Text != nil {
		return c.Text.fill(s)
	}
	return told.Text(lang)
}

// data returns the fields of a result.
func (c *Case) data(s *scope) json.RawMessage {
	d := schema.Document{}
	if c.Keep != nil || c.Drop != nil {
		var own schema.Document
		for _, m := range members(s.result) {
			if c.Keep != nil && slices.Contains(c.Keep, m.Name) || c.Keep == nil && !slices.Contains(c.Drop, m.Name) {
				own = append(own, m)
			}
		}
		d = own
	}
	for _, f := range c.Fields {
		value := f.Value.value(s)
		if value == nil {
			value = json.RawMessage("null")
		}
		d = d.With(f.Name, value)
	}
	return document(d)
}

// trailer returns the lines that say what the system has no words for.
func (t *Tool) trailer(told tool.Told, lang fault.Lang) string {
	if !t.profile.Trailer {
		return ""
	}
	var text strings.Builder
	for _, w := range told.Warnings {
		text.WriteString(fault.T("warning: %s\n", w).In(lang))
	}
	if id := plain(member(told.Result, "undo_id")); id != "" {
		text.WriteString("undo_id: " + id + "\n")
	}
	if e := told.Err; e != nil && !e.Hint.IsZero() {
		if _, own := t.messages[e.Code]; own {
			text.WriteString(fault.T("hint: %s\n", e.Hint).In(lang))
		}
	}
	return text.String()
}

// sorted returns a result with its lists of objects in the order of a member, the other way
// round with a hyphen before it.
func sorted(result json.RawMessage, by string) json.RawMessage {
	if by == "" {
		return result
	}
	sign := 1
	if strings.HasPrefix(by, "-") {
		sign, by = -1, by[1:]
	}
	d := members(result)
	for i, m := range d {
		list := objects(m.Value.(json.RawMessage))
		if len(list) == 0 || member(list[0], by) == nil {
			continue
		}
		slices.SortStableFunc(list, func(a, b json.RawMessage) int { return sign * compare(member(a, by), member(b, by)) })
		d[i].Value = list
	}
	return document(d)
}

func compare(a, b json.RawMessage) int {
	x, y := plain(a), plain(b)
	n, err := strconv.ParseFloat(x, 64)
	m, err2 := strconv.ParseFloat(y, 64)
	switch {
	case err == nil && err2 == nil && n != m:
		return int(max(-1, min(1, n-m)))
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// members returns the members of an object in their order.
func members(object json.RawMessage) schema.Document {
	d, err := schema.ReadDocument(object)
	if err != nil { // of a failure there is none
		return nil
	}
	return d
}
