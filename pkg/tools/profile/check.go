package profile

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

// check reports what a tool says that ours cannot mean: tools and arguments that there are
// not, and places for values that no result has.
func (r *reader) check(at string, t *Tool) {
	if _, flaws := t.declared(); len(flaws) > 0 {
		number, rest, _ := strings.Cut(strings.TrimPrefix(flaws[0].Pointer, "/"), "/")
		where := below(below(at, "parameters"), number)
		if rest != "" {
			where += "/" + rest
		}
		r.wrong(where, flaws[0].Message)
		return
	}
	names := t.ParameterNames()
	for _, c := range t.Cases {
		where := at
		if t.By != "" {
			where = below(below(below(at, "tool"), "cases"), c.Value)
		}
		ours, err := r.find(c.Of)
		if err != nil {
			r.wrong(where, fault.As(err).Message)
			continue
		}
		r.checkArguments(where, t, c, ours)
		r.checkResult(where, c, ours, names)
		r.checkMessages(where, c.Messages, names)
	}
	r.checkMessages(at, t.messages, names)
}

func (r *reader) checkArguments(at string, t *Tool, c *Case, ours *tool.Tool) {
	for i, p := range t.Parameters {
		for _, other := range p.Excludes {
			if !slices.Contains(t.ParameterNames(), other) {
				r.wrong(below(below(below(at, "parameters"), strconv.Itoa(i)), "excludes"), fault.T("%q is no parameter of the tool", other))
			}
		}
		of := c.argument(p)
		if of == "-" || p.Name == t.By || len(t.Cases) > 1 && p.Of == "" && c.Rename[p.Name] == "" {
			continue
		}
		if !takes(ours, t.Name, of) {
			r.wrong(below(below(at, "parameters"), strconv.Itoa(i)), fault.T("%s has no argument %q", ours.Name, of))
		}
	}
	for name := range c.Rename {
		if !slices.ContainsFunc(t.Parameters, func(p Parameter) bool { return p.Name == name }) {
			r.wrong(below(below(at, "rename"), name), fault.T("%q is no parameter of the tool", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Fixed)) {
		f, ok := ours.Arguments().Field(name)
		if !ok {
			r.wrong(below(below(at, "fixed"), name), fault.T("%s has no argument %q", ours.Name, name))
			continue
		}
		value, err := schema.Marshal(schema.Document{{Name: f.Name, Value: c.Fixed[name]}})
		if err == nil {
			err = ours.Arguments().Only([]string{f.Name}).Decode(value, ours.NewArgs())
		}
		if err != nil {
			r.wrong(below(below(at, "fixed"), name), fault.As(err).Message)
		}
	}
}

// takes reports whether our tool takes an argument, by its own name or as the system calls it
// that a name of a tool comes from.
func takes(ours *tool.Tool, name, argument string) bool {
	if _, ok := ours.Arguments().Field(argument); ok {
		return true
	}
	entry := foreign.Name{Tool: ours.Name}
	for _, n := range foreign.Names() {
		if n.Name == name && (n.Tool == ours.Name || slices.Contains(n.Tools, ours.Name)) {
			entry = n
			entry.Tool = ours.Name
		}
	}
	return slices.ContainsFunc(entry.Arguments(), func(a foreign.Argument) bool { return a.Name == argument })
}

func (r *reader) checkResult(at string, c *Case, ours *tool.Tool, parameters []string) {
	output, err := ours.Output()
	if err != nil { // nothing is known before a call
		return
	}
	known := func(where string, e *Expression) {
		switch {
		case e.path[0] == ofRoot:
		case e.path[0] == ofArgs:
			r.checkArgument(where, e, parameters)
		case !has(output, e.path):
			r.wrong(where, fault.T("a result of %s has no %q", ours.Name, strings.Join(e.path, ".")))
		}
	}
	at = below(at, "result")
	if c.Text != nil {
		for _, e := range c.Text.expressions() {
			known(below(at, "text"), e)
		}
	}
	for _, f := range c.Fields {
		known(below(below(at, "fields"), f.Name), f.Value)
	}
	for _, list := range []struct {
		name  string
		names []string
	}{{"keep", c.Keep}, {"drop", c.Drop}} {
		for _, name := range list.names {
			if !has(output, []string{name}) {
				r.wrong(below(at, list.name), fault.T("a result of %s has no %q", ours.Name, name))
			}
		}
	}
}

func (r *reader) checkArgument(where string, e *Expression, parameters []string) {
	if len(e.path) < 2 || !slices.Contains(parameters, e.path[1]) {
		r.wrong(where, fault.T("%q is no parameter of the tool", strings.Join(e.path[1:], ".")))
	}
}

func (r *reader) checkMessages(at string, m Messages, parameters []string) {
	for _, code := range slices.Sorted(maps.Keys(m)) {
		where := below(below(at, "messages"), string(code))
		for _, t := range []*Template{m[code].En, m[code].Zh} {
			for _, e := range t.expressions() {
				switch word := e.path[0]; {
				case word == ofArgs:
					r.checkArgument(where, e, parameters)
				case word == ofDetails, word == ofRoot, word == "code", word == "message", word == "hint", failureWords[word] != nil:
				default:
					r.wrong(where, fault.T("%q is nothing that a failure says; there are %s", word, strings.Join(words(), ", ")))
				}
			}
		}
	}
}

// words lists what texts of failures know.
func words() []string {
	return append([]string{ofArgs, "code", ofDetails, "hint", "message", ofRoot}, slices.Sorted(maps.Keys(failureWords))...)
}

// has reports whether values of a JSON Schema may have something at a path.
func has(of schema.Document, path []string) bool {
	for _, name := range path {
		if items, ok := of.Get("items").(schema.Document); ok {
			if _, err := strconv.ParseUint(name, 10, 16); err != nil {
				return false
			}
			of = items
			continue
		}
		properties, ok := of.Get("properties").(schema.Document)
		if !ok {
			return of.Get("additionalProperties") != nil || len(of) == 0
		}
		of, ok = properties.Get(name).(schema.Document)
		if !ok {
			return false
		}
	}
	return true
}
