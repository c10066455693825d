package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// The bounds of what is made of a schema that is not helve's own.
const (
	maxForeign  = 400    // properties, those of objects in it included
	maxDocs     = 1000   // characters of a description
	maxQuoted   = 1500   // characters of a schema that a description quotes
	maxResolved = 32     // references from one to the next
	maxSteps    = 20_000 // schemas that are looked at: alternatives of alternatives multiply

	// maxShown is about how many bytes the properties may take in a definition, which a
	// model pays with each request, and maxInner how many are taken before none within
	// others is added: references multiply those, and an object's own come first.
	maxShown, maxInner = 48 << 10, 32 << 10
	fieldBytes         = 40 // of a property without its name and texts
)

// Portable makes an Object of any JSON Schema for arguments, as others write them. What
// the Object shows is in the subset that every provider takes: references are replaced
// by what they lead to, alternatives by what they have in common, and names that not
// every provider takes by similar ones. Where that says less than the schema, a
// description says the rest, if need be with the text of the schema.
//
// Such an Object decodes into a [Kept], which has the arguments as they came: whatever
// the schema allows passes, also what is not shown because it is too much, see
// [Object.Shortened]. It does not check all that the schema asks for, as whoever
// wrote that does. The fault is bad_document, for what is no schema of an object.
func Portable(data []byte) (*Object, error) {
	v, err := parse(data)
	if err != nil {
		return nil, fault.New(fault.BadDocument, fault.T("it cannot be read as JSON: %s", fault.As(err).Message)).Because(err)
	}
	p := &porter{root: v, left: maxForeign, steps: maxSteps}
	v, _ = p.resolve(v)
	if v.kind != Map {
		return nil, fault.New(fault.BadDocument, fault.T("a schema must be an object"))
	}
	if t := member(v, "type"); t.kind != "" && !slices.Contains(types(t), string(Map)) {
		return nil, fault.New(fault.BadDocument, fault.T(`the type must be "object"`))
	}
	o := p.object(v, 0)
	o.Shortened = p.shortened
	return o, nil
}

// porter makes Objects of the schemas in one document.
type porter struct {
	root  value
	left  int      // properties that may still be made
	steps int      // schemas that may still be looked at
	path  []string // the references that led to where it is
	shown int      // bytes of the properties made

	shortened bool // a property was not made
}

// full reports whether no property may be made at a depth, and notes that one is not.
func (p *porter) full(depth int) bool {
	full := p.left <= 0 || p.shown >= maxShown || depth > 0 && p.shown >= maxInner
	p.shortened = p.shortened || full
	return full
}

// object makes an Object of the schema of one, and of what that combines.
func (p *porter) object(v value, depth int) *Object {
	o := &Object{kept: true}
	required := p.gather(o, v, depth)
	for _, name := range required {
		if !slices.ContainsFunc(o.Fields, func(f Field) bool { return f.source == name }) {
			p.property(o, name, value{kind: Map}, depth)
		}
	}
	for i := range o.Fields {
		if f := &o.Fields[i]; identifier(f.source) {
			f.Name = f.source
		}
	}
	for i := range o.Fields {
		if f := &o.Fields[i]; f.Name == "" {
			f.Name = o.unique(f.source)
		}
	}
	more := member(v, "additionalProperties")
	patterns := member(v, "patternProperties").kind == Map
	none := more.kind == Boolean && !more.truth && !patterns
	o.Open = !none && (len(o.Fields) == 0 || more.kind != "" || patterns)
	o.closed = none && p.left > 0
	for i := range o.Fields {
		f := &o.Fields[i]
		if f.Required = slices.Contains(required, f.source); f.Required {
			f.Default = nil
		}
	}
	return o
}

// gather adds the properties of a schema to an object: its own, all that it must also
// be, and those of every alternative. It returns which are required.
func (p *porter) gather(o *Object, v value, depth int) (required []string) {
	v, done := p.resolve(v)
	defer done()
	properties := member(v, "properties")
	for i, name := range properties.names {
		p.property(o, name, properties.items[i], depth)
	}
	required = texts(member(v, "required"))
	for _, part := range member(v, "allOf").items {
		required = append(required, p.gather(o, part, depth)...)
	}
	for _, word := range [...]string{"anyOf", "oneOf"} {
		var common []string
		for i, part := range member(v, word).items {
			also := p.gather(o, part, depth)
			if i == 0 {
				common = also
			}
			common = slices.DeleteFunc(slices.Clone(common), func(name string) bool { return !slices.Contains(also, name) })
		}
		required = append(required, common...)
	}
	return required
}

// property adds a property to an object. One that is there already keeps its place, and
// takes any value if the two are not the same.
func (p *porter) property(o *Object, name string, v value, depth int) {
	at := slices.IndexFunc(o.Fields, func(f Field) bool { return f.source == name })
	if at < 0 && p.full(depth) {
		return // an argument that is not listed passes nevertheless: see [Object.keep]
	}
	f := p.field(name, v, depth)
	if at >= 0 {
		if old := &o.Fields[at]; !old.Type.same(f.Type) || old.nullable != f.nullable {
			old.Type, old.nullable = old.Type.widened(), true
		}
		return
	}
	p.left--
	p.shown += fieldBytes + len(name) + len(f.Doc)
	for _, word := range f.Type.Enum {
		p.shown += len(word) + len(`"",`)
	}
	o.Fields = append(o.Fields, f)
}

// unique returns a name that every provider takes for a property of any name.
func (o *Object) unique(name string) string {
	base := strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
	if base == "" || base[0] >= '0' && base[0] <= '9' {
		base = "_" + base
	}
	base = base[:min(len(base), 60)]
	for n, try := 2, base; ; n++ {
		if !slices.ContainsFunc(o.Fields, func(f Field) bool { return f.Name == try }) {
			return try
		}
		try = base + "_" + strconv.Itoa(n)
	}
}

// field makes a property, yet without its name.
func (p *porter) field(name string, v value, depth int) Field {
	f := Field{source: name, nullable: p.nullable(v, maxNesting)}
	described, done := p.resolve(v)
	doc := member(described, "description").text
	if doc == "" {
		doc = member(described, "title").text
	}
	initial := member(described, "default")
	done()
	if doc == "" {
		doc = strings.ReplaceAll(name, "_", " ")
	}
	var said string
	f.Type, said = p.typeOf(v, depth)
	f.Doc = Printable(doc, maxDocs)
	if said != "" {
		f.Doc += said
	}
	if initial.kind != "" && initial.kind == f.Type.Kind || f.Type.Kind == Number && initial.kind == Number {
		f.Default = plainDefault(initial, f.Type.Kind)
	} else if initial.kind != "" && (f.Type.Kind != Integer || initial.kind != Number) {
		f.Doc += " Default: " + quote(initial) + "."
	}
	if f.Type.Kind == Integer && initial.kind == Number {
		f.Default = plainDefault(initial, Integer)
	}
	if f.Doc = strings.TrimSpace(f.Doc); identifier(name) {
		return f
	}
	f.Doc = strings.TrimSpace(f.Doc + fmt.Sprintf(" Its own name is %s.", Printable(strconv.Quote(name), maxDocs)))
	return f
}

// plainDefault returns a default as [Field] has it; nil for one that is not of a simple
// type.
func plainDefault(v value, kind Kind) any {
	switch kind {
	case String:
		return Printable(v.text, maxDocs)
	case Boolean:
		return v.truth
	case Integer:
		if n, ok := integer(v.text); ok {
			return n
		}
	case Number:
		if n, err := strconv.ParseFloat(v.text, 64); err == nil {
			return n
		}
	}
	return nil
}

// resolve follows references to the schema that they lead to. Of one that leads back to
// itself, or to nothing, it returns what is known without following it. done must be called once
// what is in the schema was read.
func (p *porter) resolve(v value) (_ value, done func()) {
	begun := len(p.path)
	done = func() { p.path = p.path[:begun] }
	if p.steps--; p.steps < 0 {
		return value{kind: Map}, done
	}
	for range maxResolved {
		ref := member(v, "$ref")
		if ref.kind != String {
			return v, done
		}
		to, ok := p.lookup(ref.text)
		if !ok || slices.Contains(p.path, ref.text) {
			return value{kind: Map, names: []string{"type", "description"}, items: []value{member(to, "type"), member(v, "description")}}, done
		}
		p.path = append(p.path, ref.text)
		v = beside(to, v)
	}
	return value{kind: Map}, done
}

// beside returns a schema with the keywords that stand beside a reference to it.
func beside(to, v value) value {
	if to.kind != Map {
		return to
	}
	to.names, to.items = slices.Clone(to.names), slices.Clone(to.items)
	for i, name := range v.names {
		if name == "$ref" || name == "$defs" || name == "definitions" {
			continue
		}
		if at := slices.Index(to.names, name); at >= 0 {
			to.items[at] = v.items[i]
			continue
		}
		to.names, to.items = append(to.names, name), append(to.items, v.items[i])
	}
	return to
}

// lookup returns what a reference within the document leads to.
func (p *porter) lookup(ref string) (value, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return value{}, false
	}
	v := p.root
	if path == "" {
		return v, true
	}
	parts := strings.Split(path, "/")
	if parts[0] != "" {
		return value{}, false
	}
	for _, part := range parts[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch i := slices.Index(v.names, part); {
		case v.kind == Map && i >= 0:
			v = v.items[i]
		case v.kind == Array:
			n, err := strconv.Atoi(part)
			if err != nil || n < 0 || n >= len(v.items) {
				return value{}, false
			}
			v = v.items[n]
		default:
			return value{}, false
		}
	}
	return v, v.kind == Map || v.kind == Boolean
}

// texts returns the strings of a list.
func texts(v value) []string {
	var all []string
	for _, item := range v.items {
		if item.kind == String {
			all = append(all, item.text)
		}
	}
	return all
}

// types returns the words of the keyword type.
func types(v value) []string {
	if v.kind == String {
		return []string{v.text}
	}
	return texts(v)
}

// quote returns the JSON of a value for a description.
func quote(v value) string { return Printable(string(v.append(nil)), maxQuoted) }
