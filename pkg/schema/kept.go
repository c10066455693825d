package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Kept holds arguments in their original form and order, with their original names and
// numbers, to be read by [Portable].
type Kept struct{ v value }

// MarshalJSON returns the arguments.
func (k *Kept) MarshalJSON() ([]byte, error) {
	if k.v.kind == "" {
		return []byte("{}"), nil
	}
	return k.v.append(nil), nil
}

func (k *Kept) document() Document {
	d := make(Document, len(k.v.names))
	for i, name := range k.v.names {
		d[i] = Member{name, json.RawMessage(k.v.items[i].append(nil))}
	}
	return d
}

// keep decodes into k, which may have other arguments already. It refuses what the
// schema surely does not allow, so that the caller reads at once which argument is wrong.
func (o *Object) keep(d *decoder, v value, k *Kept) error {
	if v.kind != Map {
		d.wrong("", Type{Kind: Map}, v)
	} else {
		d.kept("", &v, o)
	}
	if len(d.problems) > 0 {
		if d.more > 0 {
			d.problems = append(d.problems, Problem{"", fault.T("and %d more", d.more)})
		}
		return o.invalid(d.problems)
	}
	k.v.kind = Map
	for i, name := range v.names {
		if at := slices.Index(k.v.names, name); at >= 0 {
			k.v.items[at] = v.items[i]
			continue
		}
		k.v.names, k.v.items = append(k.v.names, name), append(k.v.items, v.items[i])
	}
	return nil
}

// meant returns the field that a member is: by the name that the schema has, or by the
// one that it is shown under, or an alias.
func (o *Object) meant(name string) (*Field, bool) {
	for i := range o.Fields {
		if o.Fields[i].source == name {
			return &o.Fields[i], true
		}
	}
	return o.Field(name)
}

// kept gives the members of an object the names that the schema has, and checks them.
func (d *decoder) kept(at string, v *value, o *Object) {
	given := make([]string, 0, len(v.names))
	var names []string
	var items []value
	for i, name := range v.names {
		pointer := at + "/" + escape(name)
		f, ok := o.meant(name)
		if ok {
			name = f.source
		}
		switch {
		case !ok && o.closed:
			d.problem(pointer, unknown(name, o))
			continue
		case slices.Contains(given, name):
			d.problem(pointer, fault.T("given twice"))
			continue
		case ok && v.items[i].kind == "" && !f.nullable && !f.Required:
			continue
		}
		given = append(given, name)
		item := v.items[i]
		if ok && (item.kind != "" || !f.nullable) {
			d.keptValue(pointer, &item, f.Type)
		}
		names, items = append(names, name), append(items, item)
	}
	for i := range o.Fields {
		if f := &o.Fields[i]; f.Required && !slices.Contains(given, f.source) {
			d.problem(at+"/"+escape(f.Name), fault.T("required, and missing"))
		}
	}
	v.names, v.items = names, items
}

func (d *decoder) keptValue(at string, v *value, t Type) {
	switch {
	case t.loose:
	case v.kind != t.Kind && (t.Kind != Integer || v.kind != Number):
		d.wrong(at, t, *v)
	case t.Kind == Integer && fraction(v.text):
		d.problem(at, fault.T("want an integer, got %s", v.text))
	case t.Kind == String && len(t.Enum) > 0 && !slices.Contains(t.Enum, v.text):
		d.problem(at, fault.T("want one of %s, got %q", strings.Join(t.Enum, ", "), v.text))
	case t.Kind == Array:
		items := slices.Clone(v.items)
		for i := range items {
			if items[i].kind != "" { // what else is in lists, the schema's own judge knows
				d.keptValue(at+"/"+strconv.Itoa(i), &items[i], *t.Items)
			}
		}
		v.items = items
	case t.Kind == Map:
		d.kept(at, v, t.Object)
	}
}

// fraction reports whether a number surely is no integer; an integer may be larger than
// any of Go's.
func fraction(literal string) bool {
	_, whole := integer(literal)
	return !whole && strings.ContainsAny(literal, ".") && !strings.ContainsAny(literal, "eE") && strings.Trim(literal[strings.IndexByte(literal, '.')+1:], "0") != ""
}

// kept repairs slips in arguments whose schema is not helve's own: only those that the
// schema surely does not allow.
func (r *repairer) kept(at string, v *value, o *Object) {
	var names []string
	var items []value
	for i, name := range v.names {
		item := v.items[i]
		f, ok := o.meant(name)
		if !ok {
			f, ok = o.alike(name)
			if ok = ok && (o.closed || f.Required) && !o.gives(v, f); ok {
				r.report(at, fault.T("%s was read as %s", name, f.Name))
				name = f.source
			}
		}
		switch {
		case !ok && o.closed && item.kind == "":
			r.report(at, fault.T("%s is unknown and null, and was left out", name))
			continue
		case ok && !f.Type.loose && !f.Required && f.Type.Kind != String && item.kind == String && item.text == "":
			r.report(at+"/"+escape(name), fault.T("an empty string was read as not given"))
			continue
		case ok:
			r.keptValue(at+"/"+escape(name), &item, f.Type, f.names())
		}
		names, items = append(names, name), append(items, item)
	}
	v.names, v.items = names, items
}

// gives reports whether v has a field by any of its names.
func (o *Object) gives(v *value, f *Field) bool {
	return slices.ContainsFunc(v.names, func(name string) bool {
		other, ok := o.meant(name)
		return ok && other.source == f.source
	})
}

func (r *repairer) keptValue(at string, v *value, t Type, naming bool) {
	if t.loose || v.kind == "" {
		return
	}
	r.item(at, v, t.Kind)
	r.digits(at, v, t, naming)
	if t.Kind != String {
		if inner, ok := r.within(at, *v, t.Kind); ok {
			r.report(at, fault.T("want %s; read the string as one", t.Kind))
			*v = inner
		}
	}
	if t.Kind == Array && !t.Items.loose && (v.kind == t.Items.Kind || t.Items.Kind == Integer && v.kind == Number) {
		r.report(at, fault.T("want array; read the value as its one item"))
		*v = value{kind: Array, items: []value{*v}}
	}
	switch {
	case t.Kind == Array && v.kind == Array:
		items := slices.Clone(v.items)
		for i := range items {
			r.keptValue(at+"/*", &items[i], *t.Items, naming)
		}
		v.items = items
	case t.Kind == Map && v.kind == Map:
		r.kept(at, v, t.Object)
	}
}
