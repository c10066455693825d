package schema

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Repair configures the repair of a model's slips.
type Repair struct {
	// Writes is set if the call may change something. Truncated input is then refused if
	// anything of it may be missing.
	Writes bool
	// Translate changes arguments from the form of another system, and reports its
	// changes. It may be nil.
	Translate func(*Given) ([]fault.Text, error)
}

// DecodeRepaired is [Object.Decode] for the calls of a model. It first repairs the
// slips that can have one meaning only, and reports each repair:
//
//   - no arguments at all, which is not worth a report
//   - slips of JSON: see [ReadRepaired]
//   - a string of JSON in place of a number, a boolean, an array or an object
//   - an empty string in place of an optional argument of another type
//   - a number in place of a string if the call writes nothing, and a whole number in
//     place of a path, a name or an id
//   - one item in place of an array, and an array of one item in place of the item
//   - a name in another case, or with other separators
//   - an unknown argument that is null
//
// What decodes strictly is never changed, but by r.Translate.
func (o *Object) DecodeRepaired(data []byte, args any, r Repair) (repairs []fault.Text, err error) {
	given, repairs, err := ReadRepaired(data, o, r.Writes)
	if err != nil {
		return nil, err
	}
	if given.object() && r.Translate != nil {
		told, err := r.Translate(given)
		if err != nil {
			return nil, err
		}
		repairs = append(repairs, told...)
	}
	fix := &repairer{repairs: repairs, writes: r.Writes}
	if given.object() && o.kept {
		fix.kept("", &given.v, o)
	} else if given.object() {
		fix.object("", &given.v, o)
	}
	return fix.repairs, o.decode(given.v, args)
}

// ReadRepaired reads arguments and repairs slips of JSON that can have one meaning
// only:
//
//   - no arguments at all
//   - a string of JSON in place of the object, an object wrapped in
//     {"arguments": …} or the like, and a list of one object
//   - a code fence around them, comments, a comma or closing brackets too many
//   - line breaks and tabs as they are in a string, \' for an apostrophe
//   - Python's quotes and words, names without quotes
//   - closing brackets that are missing after a complete value
//
// If the call writes nothing, a quote that is missing at the end and unknown escapes
// are repaired, too. An argument of o is never taken for a wrapping; o may be nil.
func ReadRepaired(data []byte, o *Object, writes bool) (*Given, []fault.Text, error) {
	if strings.TrimSpace(string(data)) == "" {
		data = []byte("{}")
	}
	r := &repairer{writes: writes}
	v, err := parse(data)
	if fault.Is(err, fault.InvalidArguments) {
		v, err = r.mend("", data)
	}
	if err != nil {
		return nil, nil, err
	}
	v = r.unwrap(v, o)
	return &Given{v}, r.repairs, nil
}

type repairer struct {
	repairs []fault.Text
	writes  bool
}

// report notes a repair of the value at a JSON pointer.
func (r *repairer) report(at string, what fault.Text) {
	if at != "" {
		what = fault.T("%s: %s", at, what)
	}
	r.repairs = append(r.repairs, what)
}

// wrappings returns the names that models wrap arguments in.
func wrappings() []string {
	return []string{"arguments", "input", "parameters", "params", "args", "kwargs", "tool_input"}
}

// unwrap returns the object of arguments without what is wrapped around it.
func (r *repairer) unwrap(v value, o *Object) value {
	for range 3 { // some wrap twice
		if v.kind == String {
			inner, ok := r.within("", v, Map)
			if !ok {
				return v
			}
			r.report("", fault.T("the arguments were a string of JSON; pass the object itself"))
			v = inner
		}
		if v.kind == Array && len(v.items) == 1 && v.items[0].kind == Map {
			r.report("", fault.T("the arguments were in a list; pass the object itself"))
			v = v.items[0]
		}
		i := wrapped(v, o, r.writes)
		if i < 0 {
			return v
		}
		inner, ok := v.items[i], v.items[i].kind == Map
		if list := inner.items; inner.kind == Array && len(list) == 1 {
			inner, ok = list[0], list[0].kind == Map
		}
		if !ok {
			inner, ok = r.within("", inner, Map)
		}
		if !ok {
			return v
		}
		r.report("", fault.T(`the arguments were inside %q; pass them directly`, v.names[i]))
		v = inner
	}
	return v
}

// wrapped returns which member of v may be all of the arguments: its only one, or
// the one beside the tool's name, which may be that of another tool: a call that writes
// must not have one. -1 is none.
func wrapped(v value, o *Object, writes bool) int {
	if v.kind != Map || len(v.names) == 0 || len(v.names) > 2 {
		return -1
	}
	i := slices.IndexFunc(v.names, func(name string) bool { return slices.Contains(wrappings(), name) })
	if i < 0 || len(v.names) == 2 && (writes || v.names[1-i] != "name" && v.names[1-i] != "tool") {
		return -1
	}
	if o != nil && o.kept {
		if _, known := o.meant(v.names[i]); known || !o.closed && len(o.Required()) == 0 {
			return -1
		}
	} else if o != nil {
		if f, known := o.Field(v.names[i]); known && (f.Type.Kind == Map || v.items[i].kind == String) {
			return -1
		}
	}
	return i
}

func (r *repairer) object(at string, v *value, o *Object) {
	for i := 0; i < len(v.names); i++ {
		name := v.names[i]
		f, ok := o.Field(name)
		if !ok {
			if f, ok = o.alike(name); ok && !given(v, f) {
				r.report(at, fault.T("%s was read as %s", name, f.Name))
				v.names[i] = f.Name
			} else if ok = false; v.items[i].kind == "" {
				r.report(at, fault.T("%s is unknown and null, and was left out", name))
				v.names, v.items = slices.Delete(v.names, i, i+1), slices.Delete(v.items, i, i+1)
				i--
			}
		}
		if !ok {
			continue
		}
		if item := v.items[i]; !f.Required && item.kind == String && item.text == "" && f.Type.Kind != anyScalar && (f.Type.Kind != String || len(f.Type.Enum) > 0) {
			r.report(at+"/"+escape(name), fault.T("an empty string was read as not given"))
			v.items[i] = value{}
			continue
		}
		r.value(at+"/"+escape(name), &v.items[i], f.Type, f.names())
	}
}

// names reports whether what a field holds names something: it is a path, or called a name or an id.
func (f *Field) names() bool {
	return f.Path != NoPath || slices.ContainsFunc(append([]string{f.Name}, f.Aliases...), func(name string) bool {
		return name == "name" || name == "id" || strings.HasSuffix(name, "_id")
	})
}

// given reports whether v has an argument by any of its names.
func given(v *value, f *Field) bool {
	return slices.ContainsFunc(v.names, func(name string) bool { return name == f.Name || slices.Contains(f.Aliases, name) })
}

// alike returns the only field that has a name or an alias like this one.
func (o *Object) alike(name string) (*Field, bool) {
	var found *Field
	for i := range o.Fields {
		f := &o.Fields[i]
		if !slices.ContainsFunc(append([]string{f.Name}, f.Aliases...), func(n string) bool { return Alike(n, name) }) {
			continue
		}
		if found != nil {
			return nil, false
		}
		found = f
	}
	return found, found != nil
}

// Alike reports whether two names differ only in case and in separators, as file_path
// and filePath do.
func Alike(a, b string) bool {
	return foldName(a) == foldName(b) && foldName(a) != ""
}

// foldName returns a name in lower case and without separators.
func foldName(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		case c == '_' || c == '-' || c == '.' || c == ' ':
			return -1
		}
		return c
	}, name)
}

// value repairs a value of type t. naming says that what it holds names something.
func (r *repairer) value(at string, v *value, t Type, naming bool) {
	r.item(at, v, t.Kind)
	r.digits(at, v, t, naming)
	if t.Kind != String {
		if inner, ok := r.within(at, *v, t.Kind); ok {
			r.report(at, fault.T("want %s; read the string as one", t.Kind))
			*v = inner
		}
	}
	switch t.Kind {
	case Array:
		if v.one(t.Items.Kind) {
			r.report(at, fault.T("want array; read the value as its one item"))
			*v = value{kind: Array, items: []value{*v}}
		}
		for i := range v.items {
			r.value(at+"/*", &v.items[i], *t.Items, naming)
		}
	case Map:
		r.object(at, v, t.Object)
	}
}

// one reports whether a value is an item of this kind, rather than a list of such items.
func (v value) one(kind Kind) bool {
	if kind == Array {
		return v.kind == Array && len(v.items) > 0 && !slices.ContainsFunc(v.items, func(item value) bool { return item.kind == Array })
	}
	return v.kind == kind || kind == Integer && v.kind == Number
}

// item takes the one item of an array in place of it.
func (r *repairer) item(at string, v *value, want Kind) {
	if want == Array || v.kind != Array || len(v.items) != 1 {
		return
	}
	if one := v.items[0]; one.kind == want || want == Integer && one.kind == Number {
		r.report(at, fault.T("want %s; read the one item of the array as it", want))
		*v = one
	}
}

// digits reads a number in place of a string. Where a call writes, only a whole number that
// names something: the digits of any other may not be those that were meant.
func (r *repairer) digits(at string, v *value, t Type, naming bool) {
	if t.Kind != String || v.kind != Number || r.writes && (!naming || strings.Trim(v.text, "-0123456789") != "") {
		return
	}
	r.report(at, fault.T("want string; read the number as one"))
	*v = value{kind: String, text: v.text}
}

// within extends the function within by repairs of the JSON of arrays and objects.
func (r *repairer) within(at string, v value, want Kind) (value, bool) {
	if inner, ok := within(v, want); ok || v.kind != String {
		return inner, ok
	}
	open := map[Kind]string{Array: "[", Map: "{"}[want]
	if text := strings.TrimSpace(v.text); open == "" || !strings.HasPrefix(text, open) && !strings.HasPrefix(text, "```") {
		return value{}, false
	}
	trial := &repairer{writes: r.writes}
	inner, err := trial.mend(at, []byte(v.text))
	if err != nil || inner.kind != want {
		return value{}, false
	}
	r.repairs = append(r.repairs, trial.repairs...)
	return inner, true
}

// within returns the value that a string holds as JSON, if it is of the wanted kind.
func within(v value, want Kind) (value, bool) {
	if v.kind != String {
		return value{}, false
	}
	text := strings.TrimSpace(v.text)
	if want == Boolean { // Python's words, too
		text = strings.ToLower(text)
	}
	inner, err := parse([]byte(text))
	if want == Integer {
		want = Number
	}
	return inner, err == nil && inner.kind == want
}
