package profile

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// The bounds of a profile.
const (
	maxBytes      = 256 << 10
	maxTools      = 100
	maxParameters = 60
)

// Problem is a fault of a profile, at a line from 1 and a JSON pointer.
type Problem struct {
	Line    int
	Pointer string
	Message fault.Text
}

// Text returns the problem with its place.
func (p Problem) Text() fault.Text {
	return fault.T("line %d, %s: %s", p.Line, p.Pointer, p.Message)
}

// Read reads a profile, and checks it against the tools that find knows; a nil one checks only
// its form. A tool with a problem is not in it. The profile is nil if the file is none at all.
func Read(data []byte, find Find) (*Profile, []Problem) {
	if len(data) > maxBytes {
		return nil, []Problem{{1, "", fault.T("a profile has at most %d bytes, this one %d", maxBytes, len(data))}}
	}
	r := &reader{data: data, find: find}
	root, problems := jsonc.Parse(data)
	for _, p := range problems {
		line, _ := jsonc.Position(data, p.Offset)
		r.problems = append(r.problems, Problem{line, "", p.Message})
	}
	if root == nil || len(problems) > 0 {
		return nil, r.problems
	}
	r.root = root
	p := r.profile(root)
	return p, r.problems
}

// reader reads a profile and collects its problems.
type reader struct {
	data     []byte
	root     *jsonc.Node
	find     Find
	problems []Problem
}

func (r *reader) wrong(at string, what fault.Text) {
	line, _ := jsonc.Position(r.data, r.root.Offset(at))
	if at == "" {
		at = "/"
	}
	r.problems = append(r.problems, Problem{line, at, what})
}

// members returns the members of an object by name. Unknown ones are problems.
func (r *reader) members(at string, n *jsonc.Node, known ...string) map[string]*jsonc.Node {
	if n == nil || n.Kind != jsonc.Object {
		r.wrong(at, fault.T("must be an object"))
		return nil
	}
	all := map[string]*jsonc.Node{}
	for _, m := range n.Members {
		if !slices.Contains(known, m.Name) {
			r.wrong(below(at, m.Name), fault.T("is unknown; there are %s", strings.Join(known, ", ")))
			continue
		}
		all[m.Name] = m.Value
	}
	return all
}

// below returns the pointer of a member or an item.
func below(at, name string) string {
	return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func (r *reader) text(at string, n *jsonc.Node) string {
	switch {
	case n == nil:
	case n.Kind != jsonc.String:
		r.wrong(at, fault.T("must be a text"))
	default:
		return n.Text
	}
	return ""
}

func (r *reader) truth(at string, n *jsonc.Node) bool {
	if n != nil && n.Kind != jsonc.Boolean {
		r.wrong(at, fault.T("must be true or false"))
	}
	return n != nil && n.Truth
}

// oneOf reads a text that is one of some, the first where there is none.
func (r *reader) oneOf(at string, n *jsonc.Node, words ...string) string {
	if n == nil {
		return words[0]
	}
	word := r.text(at, n)
	if !slices.Contains(words, word) {
		r.wrong(at, fault.T("want one of %s", strings.Join(words, ", ")))
	}
	return word
}

func (r *reader) texts(at string, n *jsonc.Node) (all []string) {
	if n == nil {
		return nil
	}
	if n.Kind != jsonc.Array {
		r.wrong(at, fault.T("must be a list"))
		return nil
	}
	for i, item := range n.Items {
		all = append(all, r.text(below(at, strconv.Itoa(i)), item))
	}
	return all
}

func (r *reader) profile(n *jsonc.Node) *Profile {
	m := r.members("", n, "$schema", "name", "follows", "envelope", "errors", "trailer", "messages", "tools")
	if m == nil {
		return nil
	}
	follows := map[string]*jsonc.Node{}
	if m["follows"] != nil {
		follows = r.members("/follows", m["follows"], "source", "version")
	}
	p := &Profile{
		Name:     r.name("/name", m["name"]),
		Source:   r.text("/follows/source", follows["source"]),
		Version:  r.text("/follows/version", follows["version"]),
		Envelope: Envelope(r.oneOf("/envelope", m["envelope"], string(Text), string(Data), string(Content))),
		Messages: r.messages("/messages", m["messages"]),
	}
	p.ErrorsAreResults = r.oneOf("/errors", m["errors"], "error", "result") == "result"
	p.Trailer = r.oneOf("/trailer", m["trailer"], "keep", "drop") == "keep"
	tools := m["tools"]
	switch {
	case tools == nil || tools.Kind != jsonc.Array || len(tools.Items) == 0:
		r.wrong("/tools", fault.T("must be a list of tools"))
		return p
	case len(tools.Items) > maxTools:
		r.wrong("/tools", fault.T("a profile has at most %d tools", maxTools))
		return p
	}
	for i, item := range tools.Items {
		at := below("/tools", strconv.Itoa(i))
		before := len(r.problems)
		t := r.tool(at, item, p)
		if t != nil && p.Find(t.Name) != nil {
			r.wrong(below(at, "name"), fault.T("%s is there already", t.Name))
		}
		if len(r.problems) == before && r.find != nil {
			r.check(at, t)
		}
		if len(r.problems) == before {
			p.Tools = append(p.Tools, t)
		}
	}
	return p
}

// named reports whether a text is a name of letters, digits, _ and -, with no digit and none
// of the bytes of not at the beginning.
func named(s, not string) bool {
	const longest = 64
	for i, c := range []byte(s) {
		letter := c == '_' || c == '-' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') || i == 0 && strings.IndexByte(not, c) >= 0 {
			return false
		}
	}
	return s != "" && len(s) <= longest
}

func (r *reader) name(at string, n *jsonc.Node) string {
	name := r.text(at, n)
	if !IsName(name) {
		r.wrong(at, fault.T("want a name of letters, digits, _ and -, a letter first, at most 64"))
	}
	return name
}

func (r *reader) tool(at string, n *jsonc.Node, p *Profile) *Tool {
	m := r.members(at, n, "name", "tool", "doc", "doc_zh", "parameters", "fixed", "rename", "result", "sort", "messages", "project")
	if m == nil {
		return nil
	}
	t := &Tool{
		Name: r.name(below(at, "name"), m["name"]), Doc: r.text(below(at, "doc"), m["doc"]), DocZH: r.text(below(at, "doc_zh"), m["doc_zh"]),
		Parameters: r.parameters(below(at, "parameters"), m["parameters"]), profile: p,
		Project: r.truth(below(at, "project"), m["project"]),
	}
	if t.Doc == "" {
		r.wrong(below(at, "doc"), fault.T("a tool needs a description"))
	}
	t.messages = r.messages(below(at, "messages"), m["messages"]).over(p.Messages)
	common := &Case{}
	r.behaviour(at, m, common)
	of := below(at, "tool")
	switch choice := m["tool"]; {
	case choice == nil:
		r.wrong(of, fault.T("must be the name of a tool of helve, or {by, cases}"))
	case choice.Kind == jsonc.String:
		common.Of = choice.Text
		t.Cases = []*Case{common}
	default:
		r.cases(of, choice, t, common)
	}
	return t
}

// cases reads the tools among which a parameter chooses. What a case does not say is that of
// the tool.
func (r *reader) cases(at string, n *jsonc.Node, t *Tool, common *Case) {
	m := r.members(at, n, "by", "cases")
	if m == nil {
		return
	}
	t.By = r.text(below(at, "by"), m["by"])
	if !slices.ContainsFunc(t.Parameters, func(p Parameter) bool { return p.Name == t.By }) {
		r.wrong(below(at, "by"), fault.T("%q is no parameter of the tool", t.By))
	}
	at = below(at, "cases")
	if m["cases"] == nil || m["cases"].Kind != jsonc.Object || len(m["cases"].Members) == 0 {
		r.wrong(at, fault.T("must be an object of tools by the values of the parameter"))
		return
	}
	for _, one := range m["cases"].Members {
		c := *common
		c.Value = one.Name
		where := below(at, one.Name)
		if one.Value.Kind == jsonc.String {
			c.Of = one.Value.Text
		} else if own := r.members(where, one.Value, "tool", "fixed", "rename", "result", "sort", "messages"); own != nil {
			c.Of = r.text(below(where, "tool"), own["tool"])
			r.behaviour(where, own, &c)
			c.Messages = r.messages(below(where, "messages"), own["messages"])
		}
		t.Cases = append(t.Cases, &c)
	}
}

// behaviour reads how calls of a case are made and what is said of them.
func (r *reader) behaviour(at string, m map[string]*jsonc.Node, c *Case) {
	if n := m["fixed"]; n != nil {
		c.Fixed = map[string]json.RawMessage{}
		if n.Kind != jsonc.Object {
			r.wrong(below(at, "fixed"), fault.T("must be an object"))
		}
		for _, one := range n.Members {
			c.Fixed[one.Name] = one.Value.JSON()
		}
	}
	if n := m["rename"]; n != nil {
		c.Rename = map[string]string{}
		if n.Kind != jsonc.Object {
			r.wrong(below(at, "rename"), fault.T("must be an object"))
		}
		for _, one := range n.Members {
			c.Rename[one.Name] = r.text(below(below(at, "rename"), one.Name), one.Value)
		}
	}
	if n := m["sort"]; n != nil {
		c.Sort = r.text(below(at, "sort"), n)
	}
	if n := m["result"]; n != nil {
		r.result(below(at, "result"), n, c)
	}
}

func (r *reader) result(at string, n *jsonc.Node, c *Case) {
	m := r.members(at, n, "text", "fields", "keep", "drop")
	c.Text, c.Fields = nil, nil
	if m["text"] != nil {
		c.Text = r.template(below(at, "text"), m["text"])
	}
	c.Keep, c.Drop = r.texts(below(at, "keep"), m["keep"]), r.texts(below(at, "drop"), m["drop"])
	if m["fields"] == nil {
		return
	}
	at = below(at, "fields")
	if m["fields"].Kind != jsonc.Object {
		r.wrong(at, fault.T("must be an object"))
	}
	for _, one := range m["fields"].Members {
		value, wrong := parseExpression(r.text(below(at, one.Name), one.Value))
		if !wrong.IsZero() {
			r.wrong(below(at, one.Name), wrong)
			continue
		}
		c.Fields = append(c.Fields, Field{one.Name, value})
	}
}

func (r *reader) template(at string, n *jsonc.Node) *Template {
	t, wrong := parseTemplate(r.text(at, n))
	if !wrong.IsZero() {
		r.wrong(at, wrong)
	}
	return t
}

// messages reads the words for failures: a text, or one for each language.
func (r *reader) messages(at string, n *jsonc.Node) Messages {
	all := Messages{}
	switch {
	case n == nil:
		return all
	case n.Kind != jsonc.Object:
		r.wrong(at, fault.T("must be an object of texts by the codes of failures"))
		return all
	}
	for _, one := range n.Members {
		where, code := below(at, one.Name), fault.Code(one.Name)
		if !slices.Contains(fault.Codes(), code) {
			r.wrong(where, fault.T("there is no such code"))
			continue
		}
		var w Words
		if one.Value.Kind == jsonc.String {
			w.En = r.template(where, one.Value)
		} else if m := r.members(where, one.Value, "en", "zh"); m != nil {
			if m["en"] != nil {
				w.En = r.template(below(where, "en"), m["en"])
			}
			if m["zh"] != nil {
				w.Zh = r.template(below(where, "zh"), m["zh"])
			}
		}
		if w.En == nil && w.Zh == nil {
			r.wrong(where, fault.T("a text is missing"))
			continue
		}
		if w.En == nil {
			w.En = w.Zh
		}
		if w.Zh == nil {
			w.Zh = w.En
		}
		all[code] = w
	}
	return all
}

// denials reads an object of reasons by regular expressions.
func (r *reader) denials(at string, n *jsonc.Node) (all []Denial) {
	if n == nil {
		return nil
	}
	if n.Kind != jsonc.Object {
		r.wrong(at, fault.T("must be an object of reasons by regular expressions"))
	}
	for _, one := range n.Members {
		where := below(at, one.Name)
		pattern, err := regexp.Compile(one.Name)
		if err != nil {
			r.wrong(where, fault.T("is no regular expression: %v", err))
			continue
		}
		all = append(all, Denial{pattern, r.text(where, one.Value)})
	}
	return all
}

func (r *reader) parameters(at string, n *jsonc.Node) (all []Parameter) {
	switch {
	case n == nil:
		return nil
	case n.Kind != jsonc.Array:
		r.wrong(at, fault.T("must be a list"))
		return nil
	case len(n.Items) > maxParameters:
		r.wrong(at, fault.T("a tool has at most %d parameters", maxParameters))
		return nil
	}
	for i, item := range n.Items {
		where := below(at, strconv.Itoa(i))
		p, ok := r.parameter(where, item)
		if ok && slices.ContainsFunc(all, func(o Parameter) bool { return o.Name == p.Name }) {
			r.wrong(below(where, "name"), fault.T("%s is there already", p.Name))
			continue
		}
		all = append(all, p)
	}
	return all
}

func (r *reader) parameter(at string, n *jsonc.Node) (p Parameter, ok bool) {
	m := r.members(at, n, "name", "of", "type", "required", "default", "values", "doc", "items", "minimum", "maximum", "anchored", "endings", "deny", "otherwise", "excludes")
	if m == nil {
		return p, false
	}
	p.Name = r.text(below(at, "name"), m["name"])
	if !named(p.Name, "") {
		r.wrong(below(at, "name"), fault.T("want a name of letters, digits, _ and -, at most 64"))
		return p, false
	}
	if n := m["otherwise"]; n != nil {
		p.Otherwise = n.JSON()
	}
	p.Excludes = r.texts(below(at, "excludes"), m["excludes"])
	p.Denied = r.denials(below(at, "deny"), m["deny"])
	p.Endings = r.texts(below(at, "endings"), m["endings"])
	p.Anchored = r.truth(below(at, "anchored"), m["anchored"])
	p.Of, p.Required = r.text(below(at, "of"), m["of"]), r.truth(below(at, "required"), m["required"])
	kind := r.oneOf(below(at, "type"), m["type"], "string", "integer", "number", "boolean", "array", "object")
	var b bytes.Buffer
	b.WriteString(`{"type":`)
	b.Write(quoted(kind))
	for _, word := range []struct{ ours, schema string }{{"doc", "description"}, {"values", "enum"}, {"items", "items"}, {"minimum", "minimum"}, {"maximum", "maximum"}, {"default", "default"}} {
		if n := m[word.ours]; n != nil {
			b.WriteString(`,"` + word.schema + `":`)
			b.Write(n.JSON())
		}
	}
	b.WriteByte('}')
	p.Schema = b.Bytes()
	if n := m["default"]; n != nil {
		p.Default = n.JSON()
		if p.Required {
			r.wrong(below(at, "default"), fault.T("a parameter that is required has no default"))
		}
	}
	return p, true
}
