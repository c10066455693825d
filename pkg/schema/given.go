package schema

import (
	"slices"
	"strconv"
	"strings"
)

// Given are arguments on their way to the decoder, as a caller wrote them. Nothing
// is known yet of what they should be: what translates the calls of other systems
// looks at them here, and changes them. A null is the same as an absent argument.
type Given struct{ v value }

// Read reads arguments strictly.
func Read(data []byte) (*Given, error) {
	v, err := parse(data)
	return &Given{v}, err
}

// object reports whether the arguments are an object, which only a repair or the
// decoder can say more about.
func (g *Given) object() bool { return g.v.kind == Map }

// Names returns the names of the arguments that are not null, in their order.
func (g *Given) Names() []string {
	var names []string
	for i, name := range g.v.names {
		if g.v.items[i].kind != "" {
			names = append(names, name)
		}
	}
	return names
}

// at returns the value of an argument; nil if there is none.
func (g *Given) at(name string) *value {
	for i, n := range g.v.names {
		if n == name && g.v.items[i].kind != "" {
			return &g.v.items[i]
		}
	}
	return nil
}

// Has reports whether an argument is given.
func (g *Given) Has(name string) bool { return g.at(name) != nil }

// Drop removes an argument.
func (g *Given) Drop(name string) {
	for i, n := range slices.Backward(g.v.names) {
		if n == name {
			g.v.names = slices.Delete(g.v.names, i, i+1)
			g.v.items = slices.Delete(g.v.items, i, i+1)
		}
	}
}

// Rename gives an argument another name. It keeps its place and its value.
func (g *Given) Rename(from, to string) {
	for i, n := range g.v.names {
		if n == from {
			g.v.names[i] = to
		}
	}
}

// Same reports whether two arguments have the same value.
func (g *Given) Same(a, b string) bool {
	x, y := g.at(a), g.at(b)
	return x != nil && y != nil && x.equal(*y)
}

func (v value) equal(w value) bool {
	return v.kind == w.kind && v.text == w.text && v.truth == w.truth && slices.Equal(v.names, w.names) &&
		slices.EqualFunc(v.items, w.items, value.equal)
}

// Repeated returns a name that the arguments, or an object in them, have twice.
func (g *Given) Repeated() (name string, twice bool) { return g.v.repeated() }

func (v value) repeated() (string, bool) {
	for i, n := range v.names {
		if slices.Contains(v.names[:i], n) {
			return n, true
		}
	}
	for _, item := range v.items {
		if n, twice := item.repeated(); twice {
			return n, true
		}
	}
	return "", false
}

// Text returns an argument that is a string.
func (g *Given) Text(name string) (string, bool) {
	if v := g.at(name); v != nil && v.kind == String {
		return v.text, true
	}
	return "", false
}

// Whole returns an argument that is an integer, or a string that holds one.
func (g *Given) Whole(name string) (int64, bool) {
	if v := g.at(name); v != nil {
		return v.whole()
	}
	return 0, false
}

func (v value) whole() (int64, bool) {
	if v.kind != Number && v.kind != String {
		return 0, false
	}
	return integer(strings.TrimSpace(v.text))
}

// Number returns an argument that is a number, or a string that holds one.
func (g *Given) Number(name string) (float64, bool) {
	v := g.at(name)
	if v == nil || v.kind != Number && v.kind != String {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(v.text), 64)
	return f, err == nil
}

// Truth returns an argument that is a boolean, or a string that holds one.
func (g *Given) Truth(name string) (truth, ok bool) {
	v := g.at(name)
	switch {
	case v == nil:
		return false, false
	case v.kind == Boolean:
		return v.truth, true
	}
	inner, ok := within(*v, Boolean)
	return inner.truth, ok
}

// Texts returns an argument that is a list of strings, as JSON or in a string.
func (g *Given) Texts(name string) ([]string, bool) {
	items, ok := g.list(name)
	texts := make([]string, len(items))
	for i, item := range items {
		ok = ok && item.kind == String
		texts[i] = item.text
	}
	return texts, ok
}

// Wholes returns an argument that is a list of integers, as JSON or in a string.
func (g *Given) Wholes(name string) ([]int64, bool) {
	items, ok := g.list(name)
	numbers := make([]int64, len(items))
	for i, item := range items {
		n, whole := item.whole()
		ok = ok && whole
		numbers[i] = n
	}
	return numbers, ok
}

// Objects returns an argument that is a list of objects, as JSON or in a string.
// What is changed in them is changed in the argument.
func (g *Given) Objects(name string) ([]*Given, bool) {
	items, ok := g.list(name)
	objects := make([]*Given, len(items))
	for i, item := range items {
		ok = ok && item.kind == Map
		objects[i] = &Given{item}
	}
	return objects, ok
}

// Object returns an argument that is an object.
func (g *Given) Object(name string) (*Given, bool) {
	if v := g.at(name); v != nil && v.kind == Map {
		return &Given{*v}, true
	}
	return nil, false
}

// ObjectText returns an argument that is an object, as JSON.
func (g *Given) ObjectText(name string) (string, bool) {
	if v := g.at(name); v != nil && v.kind == Map {
		return string(v.append(nil)), true
	}
	return "", false
}

// append appends a value as JSON.
func (v value) append(b []byte) []byte {
	switch v.kind {
	case String:
		return append(appendText(append(b, '"'), v.text), '"')
	case Number:
		return append(b, v.text...)
	case Boolean:
		return strconv.AppendBool(b, v.truth)
	case Array, Map:
		ends := "[]"
		if v.kind == Map {
			ends = "{}"
		}
		b = append(b, ends[0])
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			if v.kind == Map {
				b = append(appendText(append(b, '"'), v.names[i]), `":`...)
			}
			b = item.append(b)
		}
		return append(b, ends[1])
	}
	return append(b, "null"...)
}

// Unwrap puts the members of an object in the place of an argument. One that is given
// already, beside the object, stays.
func (g *Given) Unwrap(name string, o *Given) {
	g.Drop(name)
	for i, member := range o.v.names {
		if !g.Has(member) {
			g.v.names, g.v.items = append(g.v.names, member), append(g.v.items, o.v.items[i])
		}
	}
}

func (g *Given) list(name string) ([]value, bool) {
	v := g.at(name)
	switch {
	case v == nil:
		return nil, false
	case v.kind == Array:
		return v.items, true
	}
	inner, ok := within(*v, Array)
	return inner.items, ok
}

// Set gives an argument a value, in its place if it is given, else at the end: a
// string, a bool, an int, a list of strings, a list of such lists or a list of
// objects.
func (g *Given) Set(name string, to any) {
	var v value
	switch to := to.(type) {
	case string:
		v = value{kind: String, text: to}
	case bool:
		v = value{kind: Boolean, truth: to}
	case int:
		v = value{kind: Number, text: strconv.Itoa(to)}
	case []string:
		v = textList(to)
	case [][]string:
		v.kind = Array
		for _, list := range to {
			v.items = append(v.items, textList(list))
		}
	case []*Given:
		v.kind = Array
		for _, o := range to {
			v.items = append(v.items, o.v)
		}
	}
	if i := slices.Index(g.v.names, name); i >= 0 {
		g.v.items[i] = v
		return
	}
	g.v.names, g.v.items = append(g.v.names, name), append(g.v.items, v)
}

func textList(list []string) value {
	v := value{kind: Array}
	for _, s := range list {
		v.items = append(v.items, value{kind: String, text: s})
	}
	return v
}

// Each returns the items of an argument that is a list, as JSON or in a string. Each
// is the argument "" of one.
func (g *Given) Each(name string) ([]*Given, bool) {
	items, ok := g.list(name)
	all := make([]*Given, len(items))
	for i, item := range items {
		all[i] = &Given{value{kind: Map, names: []string{""}, items: []value{item}}}
	}
	return all, ok
}
