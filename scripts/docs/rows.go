package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/jsonc"
)

// row is an argument, a member of a result or a setting.
type row struct {
	Name     string // with the names of what it is in: edits[].old_text
	Type     string
	Doc      string
	Required bool
	Default  string // as JSON; "" is none
	Values   []string
	Bounds   string
	Rare     bool // an argument that definitions for a model leave out
	Aliases  []string
}

// settings returns all settings.
func settings() ([]row, error) {
	text, err := config.JSONSchema()
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(text)
	return slices.DeleteFunc(rows, func(r row) bool { return r.Name == "$schema" }), err
}

// group is the settings below one name; those that are alone are together in the first.
type group struct {
	Name string
	Rows []row
}

func grouped(rows []row) []group {
	all := []group{{Name: "General"}}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && strings.HasPrefix(strings.Replace(rows[n].Name, "[]", "", 1), rows[0].Name+".") {
			n++
		}
		if n == 1 {
			all[0].Rows = append(all[0].Rows, rows[0])
		} else {
			all = append(all, group{rows[0].Name, rows[:n]})
		}
		rows = rows[n:]
	}
	return all
}

// rowsOf returns what a JSON Schema of an object says of its members, those of the objects in
// it included.
func rowsOf(text []byte) ([]row, error) {
	node, problems := jsonc.Parse(text)
	if len(problems) > 0 {
		return nil, fmt.Errorf("a schema cannot be read: %v", problems[0].Message)
	}
	return members(node, ""), nil
}

func members(node *jsonc.Node, prefix string) []row {
	var rows []row
	properties := node.Get("properties")
	if properties == nil {
		return nil
	}
	required := words(node.Get("required"))
	for _, m := range properties.Members {
		r := row{Name: prefix + m.Name, Type: typeOf(m.Value), Required: slices.Contains(required, m.Name), Bounds: bounds(m.Value)}
		if doc := m.Value.Get("description"); doc != nil {
			r.Doc = doc.Text
		}
		if value := m.Value.Get("default"); value != nil {
			r.Default = string(value.JSON())
		}
		inner, below := m.Value, r.Name
		for inner.Get("items") != nil {
			inner, below = inner.Get("items"), below+"[]"
		}
		r.Values = words(inner.Get("enum"))
		rows = append(append(rows, r), members(inner, below+".")...)
	}
	return rows
}

// typeOf names the type of a value.
func typeOf(n *jsonc.Node) string {
	switch t := n.Get("type"); {
	case n.Get("anyOf") != nil:
		var kinds []string
		for _, one := range n.Get("anyOf").Items {
			kinds = append(kinds, typeOf(one))
		}
		return strings.Join(kinds, " or ")
	case t == nil:
		return "any"
	case t.Kind == jsonc.Array:
		return strings.Join(words(t), " or ")
	case t.Text == "array" && n.Get("items") != nil:
		return "list of " + typeOf(n.Get("items"))
	default:
		return t.Text
	}
}

// words returns the strings of a list; those that are null are left out.
func words(n *jsonc.Node) []string {
	if n == nil {
		return nil
	}
	var all []string
	for _, item := range n.Items {
		if item.Kind == jsonc.String {
			all = append(all, item.Text)
		}
	}
	return all
}

// bounds says how small and how large a value may be.
func bounds(n *jsonc.Node) string {
	for _, b := range [...]struct{ least, most, of string }{
		{"minimum", "maximum", ""}, {"minLength", "maxLength", " characters"}, {"minItems", "maxItems", " items"},
	} {
		least, most := n.Get(b.least), n.Get(b.most)
		switch {
		case least != nil && most != nil:
			return least.Text + " to " + most.Text + b.of
		case most != nil:
			return "at most " + most.Text + b.of
		case least != nil && (b.of == "" || least.Text != "1"):
			return "at least " + least.Text + b.of
		case least != nil:
			return "not empty"
		}
	}
	return ""
}

// Facts returns what there is to say beside the description.
func (r row) Facts() []string {
	var all []string
	add := func(what, value string) {
		if value != "" {
			all = append(all, what+value)
		}
	}
	add("Type: ", r.Type)
	add("Values: ", strings.Join(r.Values, ", "))
	add("Bounds: ", r.Bounds)
	add("Default: ", r.Default)
	return all
}
