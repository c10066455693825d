package schema

import (
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// Decode reads JSON into args, a pointer to the struct that o was made of, and
// fills in the defaults. Names match exactly at every depth; unknown and
// repeated names are refused; 3.0 is an integer; null stands for an absent
// optional argument. The error is invalid_arguments and lists every problem; args
// must not be used after it.
func (o *Object) Decode(data []byte, args any) error {
	v, err := parse(data)
	if err != nil {
		return err
	}
	return o.decode(v, args)
}

func (o *Object) decode(v value, args any) error {
	d := &decoder{}
	if k, ok := args.(*Kept); ok {
		return o.keep(d, v, k)
	}
	if v.kind != Map {
		d.wrong("", Type{Kind: Map}, v)
	} else {
		d.object("", v, o, reflect.ValueOf(args).Elem())
	}
	if len(d.problems) == 0 {
		return nil
	}
	if d.more > 0 {
		d.problems = append(d.problems, Problem{"", fault.T("and %d more", d.more)})
	}
	return o.invalid(d.problems)
}

type decoder struct {
	problems Problems
	more     int // problems beyond [maxProblems]
}

// problem notes a problem, or counts it where enough are noted.
func (d *decoder) problem(pointer string, message fault.Text) {
	if d.full() {
		d.more++
		return
	}
	d.problems = append(d.problems, Problem{pointer, message})
}

// full reports whether further problems are only counted.
func (d *decoder) full() bool { return len(d.problems) >= maxProblems }

func (d *decoder) object(at string, v value, o *Object, into reflect.Value) {
	given := make([]bool, o.goType.NumField())
	for i, name := range v.names {
		pointer := at + "/" + escape(name)
		f, ok := o.Field(name)
		switch {
		case d.full() && (!ok || given[f.index]):
			d.more++
			continue
		case !ok:
			d.problem(pointer, unknown(name, o))
			continue
		case given[f.index] && slices.Contains(v.names[:i], name):
			d.problem(pointer, fault.T("given twice"))
			continue
		case given[f.index]:
			d.problem(pointer, fault.T("given twice: it is an alias of %q", f.Name))
			continue
		}
		given[f.index] = true
		if v.items[i].kind == "" && !f.Required {
			d.fallback(f, into)
			continue
		}
		d.value(pointer, v.items[i], f.Type, into.Field(f.index))
	}
	for i := range o.Fields {
		f := &o.Fields[i]
		switch {
		case given[f.index]:
		case f.Required:
			d.problem(at+"/"+f.Name, fault.T("required, and missing"))
		default:
			d.fallback(f, into)
		}
	}
}

// fallback sets an absent argument to its default.
func (d *decoder) fallback(f *Field, into reflect.Value) {
	to := into.Field(f.index)
	to.SetZero()
	if f.Default != nil {
		set(to, reflect.ValueOf(f.Default))
	}
}

// set assigns v to a field or, where that is a pointer, to a new value of it.
func set(to, v reflect.Value) {
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	to.Set(v.Convert(to.Type()))
}

func (d *decoder) value(at string, v value, t Type, into reflect.Value) {
	switch {
	case t.Kind == anyScalar:
		if s, ok := scalarOf(v); ok {
			set(into, reflect.ValueOf(s))
		} else {
			d.wrong(at, t, v)
		}
	case t.Kind == Integer && v.kind == Number:
		n, ok := integer(v.text)
		if !ok {
			d.problem(at, fault.T("want an integer, got %s", v.text))
		} else if d.within(at, t, float64(n), v.text) {
			set(into, reflect.ValueOf(n))
		}
	case v.kind != t.Kind:
		d.wrong(at, t, v)
	case t.Kind == String:
		d.text(at, v.text, t, into)
	case t.Kind == Boolean:
		set(into, reflect.ValueOf(v.truth))
	case t.Kind == Number:
		n, err := strconv.ParseFloat(v.text, 64)
		if err != nil {
			d.problem(at, fault.T("the number %s is too large", v.text))
		} else if d.within(at, t, n, v.text) {
			set(into, reflect.ValueOf(n))
		}
	case t.Kind == Array:
		if d.sized(at, t, len(v.items), fault.T("items")) {
			items := reflect.MakeSlice(into.Type(), len(v.items), len(v.items))
			for i, item := range v.items {
				d.value(at+"/"+strconv.Itoa(i), item, *t.Items, items.Index(i))
			}
			into.Set(items)
		}
	case t.Kind == Map:
		if into.Kind() == reflect.Pointer {
			into.Set(reflect.New(into.Type().Elem()))
			into = into.Elem()
		}
		d.object(at, v, t.Object, into)
	}
}

func (d *decoder) text(at, s string, t Type, into reflect.Value) {
	if len(t.Enum) > 0 && !slices.Contains(t.Enum, s) {
		d.problem(at, fault.T("want one of %s, got %q", strings.Join(t.Enum, ", "), s))
		return
	}
	if d.sized(at, t, utf8.RuneCountInString(s), fault.T("characters")) {
		set(into, reflect.ValueOf(s))
	}
}

func (d *decoder) within(at string, t Type, n float64, literal string) bool {
	switch {
	case t.Min != nil && n < *t.Min:
		d.problem(at, fault.T("must be at least %s, got %s", number(*t.Min), literal))
	case t.Max != nil && n > *t.Max:
		d.problem(at, fault.T("must be at most %s, got %s", number(*t.Max), literal))
	default:
		return true
	}
	return false
}

func (d *decoder) sized(at string, t Type, n int, of fault.Text) bool {
	switch {
	case t.Min != nil && n < int(*t.Min) && n == 0:
		d.problem(at, fault.T("must not be empty"))
	case t.Min != nil && n < int(*t.Min):
		d.problem(at, fault.T("must have at least %s %s, has %d", number(*t.Min), of, n))
	case t.Max != nil && n > int(*t.Max):
		d.problem(at, fault.T("must have at most %s %s, has %d", number(*t.Max), of, n))
	default:
		return true
	}
	return false
}

func (d *decoder) wrong(at string, t Type, v value) {
	got := v.kind
	if got == "" {
		got = "null"
	}
	d.problem(at, fault.T("want %s, got %s", t.Kind, got))
}

// integer reads a JSON number that has no fraction: 3, 3.0 and 3e2, but not 3.5.
func integer(literal string) (int64, bool) {
	if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(literal, 64)
	const longest = 64 // enough for any sensible spelling of an int64
	switch {
	case err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<63 || len(literal) > longest:
		return 0, false
	case f == 0: // not what was rounded to it, as 1e-400 is
		mantissa, _, _ := strings.Cut(strings.ToLower(literal), "e")
		return 0, strings.Trim(mantissa, "-0.") == ""
	case math.Abs(f) < 1<<53:
		return int64(f), true
	}
	r, ok := new(big.Rat).SetString(literal) // of bounded cost: the exponent is small here
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// escape writes a name as one part of a JSON pointer.
func escape(name string) string {
	if !strings.ContainsAny(name, "~/") { // nearly always: a Replacer costs more than the rest of decoding
		return name
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
